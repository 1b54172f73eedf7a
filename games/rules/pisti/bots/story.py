"""What the other seats chose since they were last dealt cards, as a search looks back on it."""

from collections.abc import Sequence
from typing import NamedTuple

from games.rules.cards import CARD
from games.rules.pisti.bots.world import EMPTY, POINTS, RANKS_OF, World
from games.rules.pisti.events import (
    CardPlayed,
    CentreDealt,
    DealStarted,
    HandDealt,
    JackBuried,
    Redeal,
)
from games.rules.pisti.view import PistiView
from games.rules.values import Event, Seat


class Decision(NamedTuple):
    """A card that another seat chose: what lay there, and what it has played from then on."""

    before: World
    seat: Seat
    played: list[int]


def decisions(view: PistiView, me: Seat, events: Sequence[Event]) -> list[Decision]:
    """What the other seats chose since they were last dealt cards."""
    told: list[Decision] = []
    world = _undealt(view)
    for event in events:
        match event:
            case DealStarted() | Redeal():
                world, told = _undealt(view), []
            case HandDealt(seat=seat):
                world.hands[seat], world.refused[seat] = [EMPTY] * 4, 0
                told = [decision for decision in told if decision.seat != seat]
            case CentreDealt(top=top):
                world.pile_size, world.pile_points = 4, POINTS[CARD[top]] + 1
                _turn_up(world, top)
            case JackBuried(top=top):
                _turn_up(world, top)
            case CardPlayed(seat=seat, card=code):
                _note_play(world, seat, CARD[code], told, me)
    return told


def _undealt(view: PistiView) -> World:
    return World(view.options)


def _turn_up(world: World, code: str) -> None:
    world.top = RANKS_OF[CARD[code]]
    world.seen[world.top] += 1


def _note_play(world: World, seat: Seat, card: int, told: list[Decision], me: Seat) -> None:
    """Cards of hands are unknown here; only their number counts."""
    world.turn = seat
    for decision in told:
        if decision.seat == seat:
            decision.played.append(card)
    if seat != me and len(world.hands[seat]) > 1:
        told.append(Decision(world.copy(), seat, [card]))
    if world.hands[seat]:
        world.hands[seat][-1] = card
        world.put(card)
