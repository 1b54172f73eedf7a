"""What a seat knows of a match, from its view and its events, as a flat world.

Of the rival's hand and of both side decks it holds how many cards there are, except its own.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from cardroom.rules.pazaak.bots.world import (
    CLOSE,
    HONEST,
    NUMBER,
    OVER,
    PLAY,
    START,
    PazaakWorld,
    empty_world,
)
from cardroom.rules.pazaak.events import Opener
from cardroom.rules.pazaak.predicates import unseen_main
from cardroom.rules.pazaak.view import HalfView, PazaakView
from cardroom.rules.values import Event, Seat

PHASES: Final = {"turn_start": START, "turn_play": PLAY, "turn_close": CLOSE, "over": OVER}


def position_of(view: PazaakView, me: Seat) -> PazaakWorld:
    """The world as the seat sees it."""
    world = empty_world(view.options, me)
    for seat, half in enumerate(view.halves):
        _lay_out(world, seat, half)
    world.hand_size[me] = _put(world.hand[me], numbers(view.hand or ()))
    world.side_size[me] = _put(world.side[me], numbers(view.side_deck or ()))
    world.round_no, world.turn, world.phase = view.round_no, me, PHASES[view.phase]
    world.starter = world.opener = view.starter
    return world


def _lay_out(world: PazaakWorld, seat: Seat, half: HalfView) -> None:
    board = half.board
    world.board_size[seat] = _put(world.board[seat], [card.value for card in board])
    world.total[seat] = half.total
    world.newest_tie[seat] = int(bool(board) and board[-1].code == "T")
    world.ties[seat] = int(any(card.code == "T" for card in board))
    world.standing[seat] = int(half.standing)
    world.allowance[seat] = HONEST if half.allowance is None else half.allowance
    world.wins[seat] = half.wins
    world.hand_size[seat], world.side_size[seat] = half.cards_in_hand, half.cards_in_side_deck


def _put(places: list[int], values: Sequence[int]) -> int:
    """Lays these into the first places; how many they are."""
    places[: len(values)] = values
    return len(values)


def numbers(codes: Iterable[str]) -> list[int]:
    return [NUMBER[code] for code in codes]


def unseen(view: PazaakView, events: Sequence[Event]) -> tuple[list[int], list[int]]:
    """What is left of both main decks. The bottom cards shown at the opening are in those of round
    1, and are never drawn (R6)."""
    decks = (unseen_main(view.halves[0].board), unseen_main(view.halves[1].board))
    if view.round_no == 1:
        for event in events:
            if isinstance(event, Opener):
                for deck, bottom in zip(decks, event.values, strict=True):
                    deck.remove(bottom)
    return decks
