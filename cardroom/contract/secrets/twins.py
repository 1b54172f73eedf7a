"""Twins: two matches that differ only in cards that one seat was never told of.

The cards whose codes no view and no event named to the seat, in this round up to its last step,
change places among themselves in every state of the round. Then the seat, and a spectator, must be
told the same: by views, events, sentences, labels, moves and numbers. Neither ``seen_by`` nor
``redeal`` is asked what is secret. A card that is public afterwards does not change places.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, TypeAlias

import msgspec

from cardroom.contract.playing.luck import Luck, seed
from cardroom.contract.playing.sitting import Sitting, begun, scratch, somewhere
from cardroom.contract.playing.telling import account, texts_in
from cardroom.contract.reporting.check import check, same
from cardroom.rules.cards_in_state import exchange
from cardroom.rules.errors import MoveRefused
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import Stacked, UnexpectedShuffle, seeded
from cardroom.rules.values import Event, HistoryStep, Move, Seat, Step, View

Tell: TypeAlias = Callable[[AnyGame, View, Seat | None, Sequence[Event]], Any]


class Taken(NamedTuple):
    """A step of a match: who moved how (nobody at the start), what came of it, what it dealt."""

    seat: Seat | None
    move: Move
    opens: bool  # a round
    state: Any
    events: tuple[Event, ...]
    decks: tuple[tuple[Any, ...], ...]
    history: tuple[HistoryStep, ...]


def taken_by(sitting: Sitting, rng: Random, plies: int) -> Iterator[Taken]:
    """The steps of so many random plies, the start first, up to the end of the match."""
    yield _taken(sitting, None)
    for _ in range(plies):
        seat = rng.choice(sitting.game.to_act(sitting.state))
        sitting.play(seat, rng.choice(sitting.game.legal_moves(sitting.state, seat)))
        if sitting.outcome is not None:
            return
        yield _taken(sitting, seat)


def _taken(sitting: Sitting, seat: Seat | None) -> Taken:
    assert sitting.last is not None  # noqa: S101 - it has begun
    last, history = sitting.last, tuple(sitting.history)
    opens = seat is None or last.scores is not None
    decks = history[-1].decks
    return Taken(seat, last.move, opens, last.state, last.events, decks, history)


def exchanged(
    game: AnyGame, steps: Sequence[Taken], seat: Seat | None, rng: Random
) -> dict[Any, Any]:
    """Each card that the seat was never told of, and the one that lies there in the twin."""
    known = named_to(game, steps, seat) | set(pinned_cards(game, steps[0]))
    unseen = [card for card in game.cards(steps[0].state) if game.card_text(card) not in known]
    return dict(zip(unseen, seeded(rng)(unseen), strict=True))


def named_to(game: AnyGame, steps: Sequence[Taken], seat: Seat | None) -> set[str]:
    """Every text that the seat was told in these steps."""
    named: set[str] = set()
    for taken in steps:
        named.update(game.public_move(taken.move).split(" "))
        named.update(texts_in(msgspec.to_builtins(game.view(taken.state, seat))))
        for event in taken.events:
            named.update(texts_in(msgspec.to_builtins(event.seen_by(seat))))
    return named


def pinned_cards(game: AnyGame, opening: Taken) -> Iterator[str]:
    decks = [deck for step in opening.history for deck in step.decks]
    for pin in game.pinned(opening.state, opening.history):
        for deck, at in pin.places():
            yield game.card_text(decks[deck][at])


@check("Who cannot see a difference is told none, by no view, event, sentence, label or number.",
       examples=12, applies=lambda game: game.distinct_cards)  # fmt: skip
def twins_are_told_alike(game: AnyGame, luck: Luck) -> None:
    compare_twins(game, luck, account)


def compare_twins(game: AnyGame, luck: Luck, tell: Tell) -> None:
    """Fails where what ``tell`` makes of a view and events differs between twins."""
    sitting = begun(game, luck)
    steps = list(taken_by(sitting, Random(seed(luck)), luck.number(0, 40 * luck.reach)))
    opened = max(at for at, one in enumerate(steps) if one.opens)
    seat = luck.one_of((*range(len(sitting.setups)), None))
    became = exchanged(game, steps[opened:], seat, Random(seed(luck)))
    before = steps[opened - 1] if opened else None
    for reader in {seat, None}:
        who = f"told to {_name(reader)} though it never saw the difference"
        pairs = _side_by_side(game, sitting, before, steps[opened:], became, reader, tell)
        for ours, theirs, at in pairs:
            same(theirs, ours, f"{at}, {who}")


def _side_by_side(
    game: AnyGame,
    sitting: Sitting,
    last: Taken | None,
    steps: Sequence[Taken],
    became: dict[Any, Any],
    reader: Seat | None,
    tell: Tell,
) -> Iterator[tuple[Any, Any, str]]:
    """What the reader is told at each step of both matches, from the deal of the round on."""
    for before, taken in zip((last, *steps), steps, strict=False):
        here: Any = before and before.state
        there = here if taken.opens else game.arrange(exchange(here, became))
        mine = _played(game, sitting, here, taken, {})
        if mine is None:
            return
        ours = tell(game, game.view(mine.state, reader), reader, mine.events)
        step = _played(game, sitting, there, taken, became)
        if step is None:
            return  # in the twin's hands this move cannot be made
        if decided_by_hidden_cards(game, step.state, mine.state):
            continue
        theirs = tell(game, game.view(step.state, reader), reader, step.events)
        yield ours, theirs, f"after {taken.seat} {taken.move}" if taken.move else "at the start"


def decided_by_hidden_cards(game: AnyGame, state: Any, other: Any) -> bool:
    """Whether hidden cards choose who acts (the lowest one leads); ``play_past`` admits that."""
    return game.play_past is not game.play and game.to_act(state) != game.to_act(other)


def _played(
    game: AnyGame, sitting: Sitting, state: Any, taken: Taken, became: Mapping[Any, Any]
) -> Step[Any] | None:
    decks = [[game.card_text(became.get(card, card)) for card in deck] for deck in taken.decks]
    if taken.seat is None:
        return game.start(sitting.options, sitting.setups, Stacked(decks, game.card_text))
    for play in (game.play, game.play_past):
        try:
            return play(state, taken.seat, taken.move, Stacked(decks, game.card_text))
        except (MoveRefused, UnexpectedShuffle):
            continue
    return None


def _name(reader: Seat | None) -> str:
    return "a spectator" if reader is None else f"seat {reader}"


@check("Who cannot see a difference at a position is told none there, nor by the next move.",
       examples=25)  # fmt: skip
def a_re_deal_is_told_to_nobody(game: AnyGame, luck: Luck) -> None:
    compare_with_a_re_deal(game, luck, account)


def compare_with_a_re_deal(game: AnyGame, luck: Luck, tell: Tell) -> None:
    """The twin is the re-deal's own, so equal cards may be in play."""
    sitting = somewhere(game, luck)
    seat = luck.one_of(range(len(sitting.setups)))
    shuffle = seeded(Random(seed(luck)))
    state = sitting.state
    twin = game.redeal(state, tuple(sitting.history), frozenset({seat}), shuffle).state
    same(game.to_act(twin), game.to_act(state), "who is to act")
    for reader in (seat, None):
        ours = tell(game, game.view(state, reader), reader, ())
        same(tell(game, game.view(twin, reader), reader, ()), ours, f"told to {_name(reader)}")
    for actor in game.to_act(state):
        both = set(game.legal_moves(state, actor)) & set(game.legal_moves(twin, actor))
        for move in sorted(both)[:3]:
            one = game.play(state, actor, move, scratch())
            other = game.play(twin, actor, move, scratch())
            _told_alike(one.events, other.events, seat)


def _told_alike(ours: tuple[Event, ...], theirs: tuple[Event, ...], seat: Seat) -> None:
    """Alike up to what the move turned up; only what the seat sees whole may turn anything up."""
    for one, other in zip(ours, theirs, strict=False):
        if one.seen_by(seat) != other.seen_by(seat):
            whole = one.seen_by(seat) == one
            same(one if whole else other.seen_by(seat), one.seen_by(seat), type(one).__name__)
            return
