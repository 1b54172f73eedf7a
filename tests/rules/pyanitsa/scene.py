"""Positions and tricks of Pyanitsa in text, for the tests to read like the rules' vectors."""

from collections.abc import Callable, Sequence
from typing import Any

from cardroom.rules.cards import parse, texts
from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.pyanitsa.events import CardLaid, TrickTaken
from cardroom.rules.pyanitsa.rules import turn_order
from cardroom.rules.pyanitsa.state import PyanitsaState
from cardroom.rules.shuffles import Shuffle, Stacked
from cardroom.rules.values import Event, Step


def scene(
    *piles: str, won: Sequence[str] = (), led_by: int = 0, trick_no: int = 1, **options: Any
) -> PyanitsaState:
    """The start of a trick; piles as ``next … last``, won piles empty unless given."""
    chosen = PYANITSA.choose_options({"players": len(piles), **options})
    won = [*won, *[""] * (len(piles) - len(won))]
    draw = tuple(parse(pile) for pile in piles)
    out_in = tuple(0 if pile or others else 1 for pile, others in zip(piles, won, strict=True))
    return PyanitsaState(
        options=chosen,
        draw=draw,
        won=tuple(map(parse, won)),
        aside=(),
        leader=led_by,
        trick_no=trick_no,
        out_in=out_in,
        to_lay=turn_order(led_by, out_in),
    )


def toy_match(deck: str, **options: Any) -> Step[PyanitsaState]:
    """A match with this deck, however small, dealt as R4 says."""
    return PYANITSA.start(PYANITSA.choose_options(options), (), lambda _: list(parse(deck)))


def stacked(*decks: str) -> Stacked:
    """Hands out these decks, and refuses any other shuffle."""
    return Stacked([deck.split() for deck in decks], PYANITSA.card_text)


def flip(state: PyanitsaState, shuffle: Shuffle | None = None) -> Step[PyanitsaState]:
    """The seat to act turns up the next card."""
    (seat,) = PYANITSA.to_act(state)
    return PYANITSA.play(state, seat, "flip", shuffle or stacked())


def until(
    state: PyanitsaState, stop: Callable[[Sequence[Event]], bool], shuffle: Shuffle | None = None
) -> tuple[PyanitsaState, list[Event]]:
    """Flips until the events of one flip satisfy ``stop``; all events since."""
    shuffle = shuffle or stacked()
    events: list[Event] = []
    while True:
        step = flip(state, shuffle)
        state = step.state
        events.extend(step.events)
        if stop(step.events):
            return state, events


def trick(
    state: PyanitsaState, shuffle: Shuffle | None = None
) -> tuple[PyanitsaState, list[Event]]:
    """Plays until somebody takes the table."""
    return until(state, _is_taken, shuffle)


def _is_taken(events: Sequence[Event]) -> bool:
    return any(isinstance(event, TrickTaken) for event in events)


def taken(events: Sequence[Event]) -> TrickTaken:
    """The one taking among the events."""
    (found,) = [event for event in events if isinstance(event, TrickTaken)]
    return found


def laid(events: Sequence[Event]) -> list[str | None]:
    """The cards laid, ``None`` for those face down."""
    return [event.card for event in events if isinstance(event, CardLaid)]


def draws(state: PyanitsaState) -> list[str]:
    return [" ".join(texts(pile)) for pile in state.draw]


def wons(state: PyanitsaState) -> list[str]:
    return [" ".join(texts(pile)) for pile in state.won]
