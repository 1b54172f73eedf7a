"""One match, played as a service would play it, and everything that happened noted."""

from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import chain
from random import Random
from typing import Any, ClassVar

import msgspec

from cardroom.contract.playing.luck import Luck, any_options, seed
from cardroom.rules import position, record, resigning, rolling_back
from cardroom.rules.game import AnyGame
from cardroom.rules.rolling_back import DeckPlaces
from cardroom.rules.shuffles import RecordingShuffle, Sealed, Shuffle, commitment, seeded
from cardroom.rules.values import HistoryStep, Options, Outcome, Resigned, Seat, Setup, Step

NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hera", "Ivo"]
NAMES += ["Jana", "Kurt", "Lea", "Max", "Nora", "Otto", "Pia", "Quin", "Rosa"]
START = datetime(2026, 11, 21, 10, tzinfo=UTC)


def encoded(value: Any) -> bytes:
    return msgspec.json.encode(value)


def scratch() -> Shuffle:
    return seeded(Random(1))


def counted(game: AnyGame, cards: Iterable[Any]) -> Counter[str]:
    return Counter(game.card_text(card) for card in cards)


def setups(game: AnyGame, options: Options) -> tuple[Setup, ...]:
    return tuple(game.complete_setup(options, Setup(name)) for name in NAMES[: game.seats(options)])


def seed_of(number: int) -> bytes:
    return number.to_bytes(32, "big")


@dataclass
class Sitting:
    """One match, kept as a service would keep it, with its record at the end."""

    game: AnyGame
    options: Options
    seed: bytes
    state: Any = None
    history: list[HistoryStep] = field(default_factory=list)
    rounds: list[dict[str, Any]] = field(default_factory=list)
    resigned: list[Seat] = field(default_factory=list)
    version: int = 0
    last: Step[Any] | None = None
    loaded_from: record.LoadedFrom | None = None
    match: str = "0193aaaa"
    trying: str = "the start"
    openings: dict[int, tuple[Any, list[HistoryStep], list[Seat]]] = field(default_factory=dict)
    places: DeckPlaces = field(default_factory=DeckPlaces)
    latest: ClassVar["Sitting | None"] = None  # what a failing check was at

    def __post_init__(self) -> None:
        self.setups = setups(self.game, self.options)
        self.sides = self.game.sides_of(self.options)
        self.sealed: Shuffle = Sealed(self.seed)
        Sitting.latest = self

    def where(self) -> str:
        """The match and its position, for the message of a failing check."""
        moves = [move for line in self.rounds for move in line["moves"]]
        lines = f"{self.game.name}, seed {int.from_bytes(self.seed)}, version {self.version}"
        lines += f"\nLast tried: {self.trying}\nMoves: {'; '.join(moves[-20:]) or 'none'}\n"
        return lines + (self._position() if self.state else f"{self.options}")

    def _position(self) -> str:
        try:
            return position.write(self.game, self.state)
        except TypeError:  # a state that has no text form is another check's fault
            return f"{self.state}"

    @classmethod
    def begun(cls, game: AnyGame, options: Options, number: int = 1) -> "Sitting":
        sitting = cls(game, options, seed_of(number))
        sitting.begin()
        return sitting

    def begin(self) -> None:
        noted = RecordingShuffle(self.sealed)
        step = self.game.start(self.options, self.setups, noted)
        self._open_round(1, noted, step)

    @property
    def outcome(self) -> Outcome | None:
        natural = self.game.outcome(self.state)
        if natural is None and not resigning.ends_match(self.sides, self.resigned):
            return None
        return resigning.conclude(self.sides, self.resigned, self.scores, natural)

    @property
    def scores(self) -> list[tuple[int, ...]]:
        standing = [line for line in self.rounds if not line["undone"]]
        return [line["scores"] for line in standing if line["scores"] is not None]

    @property
    def number(self) -> int:
        return int(self.rounds[-1]["number"])

    def play(self, seat: Seat, move: str, *, past: bool = False) -> Step[Any]:
        """``past``: it was made before its cards were dealt again."""
        Sitting.latest, self.trying = self, record.entry(seat, move)
        noted = RecordingShuffle(self.sealed)
        play = self.game.play_past if past else self.game.play
        step = play(self.state, seat, move, noted)
        self.version += 1
        self.rounds[-1]["moves"].append(record.entry(seat, step.move))
        if step.scores is not None:
            self.rounds[-1]["scores"] = step.scores
        if step.scores is not None and self.game.outcome(step.state) is None:
            self._open_round(self.number + 1, noted, step)
        else:
            self.rounds[-1]["decks"] += noted.decks
            self.places.dealt(len(noted.decks))
            self._keep(step, noted)
        return step

    def resign(self, seat: Seat) -> None:
        resigning.check_may_resign(self.game, self.state, self.resigned, seat)
        self.resigned.append(seat)
        self.version += 1
        self.rounds[-1]["moves"].append(record.entry(seat, resigning.RESIGN))
        self.history.append(HistoryStep(self.number, (), (Resigned(seat),)))

    def roll_back(self, number: int) -> "Sitting":
        """Goes on from the opening of this round, dealt again (FORMAT.md, Rolled back)."""
        opening, past, resigned = self.openings[number]
        redealt = rolling_back.deal_again(self.game, opening, past, self.sealed)
        self.version += 1
        self.rounds[-1]["moves"].append(record.entry(None, rolling_back.move_of(number)))
        for line in self.rounds:
            line["undone"] |= line["number"] >= number
        where, again = self.places.reopened(number, redealt.moved)
        self._list_round(number, [redealt.decks[deck] for deck in again], where)
        self.state, self.history = redealt.state, redealt.history(past)
        self.resigned = list(resigned)
        self.openings = {n: was for n, was in self.openings.items() if n < number}
        self.openings[number] = redealt.state, list(self.history), resigned
        return self

    def _open_round(self, number: int, noted: RecordingShuffle, step: Step[Any]) -> None:
        self._list_round(number, list(noted.decks))
        self.places.opened(number, len(noted.decks))
        self._keep(step, noted)
        self.openings[number] = step.state, list(self.history), list(self.resigned)

    def _list_round(self, number: int, decks: list[Any], reshuffled: Any = None) -> None:
        line = {"number": number, "decks": decks, "moves": [], "scores": None}
        self.rounds.append(line | {"undone": False, "reshuffled": reshuffled})

    def _keep(self, step: Step[Any], noted: RecordingShuffle) -> None:
        self.state, self.last = step.state, step
        decks: Any = tuple(noted.decks)
        self.history.append(HistoryStep(self.number, decks, step.events))

    def seen_by(self, seat: Seat | None) -> list[Any]:
        return [event.seen_by(seat) for past in self.history for event in past.events]

    def play_on(self, rng: Random, plies: int = 10**6) -> "Sitting":
        for _ in self.plies(rng, plies):
            pass
        return self

    def plies(self, rng: Random, plies: int = 10**6) -> Iterator[Step[Any]]:
        """Random legal moves until the end or so many plies."""
        for _ in range(plies):
            if self.outcome is not None:
                return
            seat = rng.choice(self.game.to_act(self.state))
            yield self.play(seat, rng.choice(self.game.legal_moves(self.state, seat)))

    def so_far_and(self, steps: Iterable[Step[Any]]) -> Iterator[tuple["Sitting", Step[Any]]]:
        """This sitting with its last step, then with each further one as it is played."""
        assert self.last is not None  # noqa: S101 - it has begun
        yield from ((self, step) for step in chain([self.last], steps))

    def record(self, reason: str | None = None) -> record.Record:
        """The record as it stands: finished, or aborted when the match still goes on."""
        ending = self.outcome or resigning.aborted(self.sides, self.scores)
        return record.build(
            self.game,
            match=self.match,
            options=self.options,
            seats=[
                record.RecordedSeat(name=setup.name, kind="user", side_deck=setup.side_deck)
                for setup in self.setups
            ],
            seed=self.seed,
            started_at=START,
            finished_at=START + timedelta(minutes=20),
            rounds=[
                record.RecordedRound(
                    number=line["number"],
                    shuffles=tuple(record.deck_text(self.game, deck) for deck in line["decks"]),
                    moves=tuple(line["moves"]),
                    scores=line["scores"],
                    undone=line["undone"],
                    reshuffled=_reshuffled(line["reshuffled"]),
                )
                for line in self.rounds
            ],
            outcome=msgspec.structs.replace(ending, reason=reason or ending.reason),
            loaded_from=self.loaded_from,
        )

    def loaded(
        self, number: int, seats: frozenset[Seat] | None, *, secret: bool = False
    ) -> "Sitting":
        """A match that goes on from here, its cards the same or (for ``seats``) dealt again."""
        new = Sitting(self.game, self.options, seed_of(number), match=f"0193-{number}")
        new.resigned, new.version = list(self.resigned), self.version
        new.state, new.history = self.state, list(self.history)
        reshuffled = None
        if seats is not None:
            redealt = self.game.redeal(self.state, tuple(self.history), seats, new.sealed)
            new.state = redealt.state
            new.history = redealt.history(self.history)
            reshuffled = _reshuffled(redealt.moved)
        new.places = deepcopy(self.places)
        new.rounds = _listing(self.rounds, new.history)
        new.loaded_from = record.LoadedFrom(
            match=self.match,
            version=self.version,
            cards="same" if seats is None else "reshuffled",
            seats=tuple(range(len(self.setups)) if seats is None else sorted(seats)),
            shuffles=sum(len(past.decks) for past in self.history),
            commitment=commitment(self.seed),
            seed=None if secret else self.seed.hex(),
            reshuffled=reshuffled,
            loaded_from=self.loaded_from,
        )
        return new


def _listing(rounds: list[dict[str, Any]], history: list[HistoryStep]) -> list[dict[str, Any]]:
    """The rounds so far, their decks as they now lie."""
    decks = iter([deck for past in history for deck in past.decks])
    return [
        line | {"decks": [next(decks) for _ in line["decks"]], "moves": list(line["moves"])}
        for line in rounds
    ]


def _reshuffled(moved: Any) -> tuple[record.Reshuffled, ...] | None:
    return None if moved is None else tuple(record.Reshuffled(*one) for one in moved)


def begun(game: AnyGame, luck: Luck, **fixed: Any) -> Sitting:
    """The start of a match under any options."""
    return Sitting.begun(game, any_options(game, luck, **fixed), seed(luck))


def positions(game: AnyGame, luck: Luck, plies: int) -> Iterator[tuple[Sitting, Step[Any]]]:
    """The positions of one random match under any options, from the start on."""
    sitting = begun(game, luck)
    return sitting.so_far_and(sitting.plies(Random(seed(luck)), plies * luck.reach))


def somewhere(game: AnyGame, luck: Luck, plies: int = 60) -> Sitting:
    """One position of a random match under any options."""
    sitting, number = begun(game, luck), seed(luck)
    sitting.play_on(Random(number), luck.number(0, plies))
    if sitting.outcome is None or luck.number(0, 3) == 0:
        return sitting
    earlier = luck.number(0, sitting.version - 1)  # most positions are of matches that go on
    again = Sitting.begun(game, sitting.options, int.from_bytes(sitting.seed))
    return again.play_on(Random(number), earlier)
