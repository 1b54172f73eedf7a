"""Whole matches over all house rules, for the property tests."""

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st

from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.pyanitsa.options import PyanitsaOptions
from cardroom.rules.pyanitsa.state import PyanitsaState
from cardroom.rules.shuffles import RecordingShuffle, Shuffle, seeded
from cardroom.rules.values import HistoryStep, Move, Seat, Step

CHOICES: dict[str, tuple[Any, ...]] = {
    "players": tuple(range(2, 9)),
    "deck": (36, 52, 54),
    "dispute": ("open", "mortgage"),
    "collect_to": ("won_pile", "bottom"),
    "recycle": ("fifo", "lifo", "shuffle"),
    "collect_order": ("as_laid", "own_first", "random", "arbitrary"),
    "short_dispute": ("takes_all", "loses"),
    "goal": ("collect", "giveaway"),
    "low_beats_ace": ("off", "lowest", "six"),
    "jokers": ("equal", "ranked"),
    "leader": ("winner", "fixed", "rotate"),
}


def _agree(values: dict[str, Any]) -> bool:
    return (values["collect_to"] == "won_pile" or values["recycle"] == "fifo") and (
        values["jokers"] == "equal" or values["deck"] == 54
    )


def house_rules(max_tricks: int, **fixed: Any) -> st.SearchStrategy[PyanitsaOptions]:
    """Every combination of options there is, with the match stopped early enough for a test."""
    picks = {
        name: st.sampled_from(values) if name not in fixed else st.just(fixed[name])
        for name, values in CHOICES.items()
    }
    return (
        st.fixed_dictionaries(picks)
        .filter(_agree)
        .map(lambda values: PYANITSA.choose_options(values | {"max_tricks": max_tricks}))
    )


def random_move(state: PyanitsaState, seat: Seat, rng: Random) -> Move:
    """A legal move; of a collection any order of its cards."""
    word, *cards = PYANITSA.legal_moves(state, seat)[0].split(" ")
    return " ".join([word, *rng.sample(cards, len(cards))])


def steps(
    options: PyanitsaOptions, rng: Random, shuffle: Shuffle | None = None
) -> Iterator[tuple[Seat, Step[PyanitsaState]]]:
    """The deal (with seat -1), then every move of a random playout."""
    shuffle = shuffle or seeded(rng)
    step = PYANITSA.start(options, (), shuffle)
    yield -1, step
    while PYANITSA.to_act(step.state):
        (seat,) = PYANITSA.to_act(step.state)
        step = PYANITSA.play(step.state, seat, random_move(step.state, seat, rng), shuffle)
        yield seat, step


class Played:
    """A match played up to some ply, with its history as re-dealing reads it."""

    def __init__(self, options: PyanitsaOptions, rng: Random, plies: int) -> None:
        noted = RecordingShuffle(seeded(rng))
        self.options = options
        self.history: list[HistoryStep] = []
        self.moves: list[tuple[Seat, Move]] = []
        for seat, step in steps(options, rng, noted):
            used = sum(len(happened.decks) for happened in self.history)
            self.history.append(HistoryStep(1, tuple(noted.decks[used:]), step.events))
            self.state = step.state
            if seat >= 0:
                self.moves.append((seat, step.move))
            if len(self.moves) == plies:
                break
        self.decks = tuple(noted.decks)
