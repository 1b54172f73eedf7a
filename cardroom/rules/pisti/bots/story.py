"""What the other seats chose in this deal and the one before, as a search looks back on it."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from cardroom.rules.cards import CARD
from cardroom.rules.pisti.bots.world import (
    EMPTY,
    HAND,
    POINTS,
    RANKS_OF,
    PistiWorld,
    empty_world,
    give,
    put,
)
from cardroom.rules.pisti.events import (
    CardPlayed,
    CentreDealt,
    DealStarted,
    HandDealt,
    JackBuried,
    Redeal,
)
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.values import Event, Seat

DEALS: Final = 2  # that are looked back on, the one in play included


class Story(NamedTuple):
    """Decisions: what lay there when a seat chose a card, and what it has played from then on.

    ``open``: since the seats were last dealt cards; ``closed``: earlier, so that what was played is
    the whole hand.
    """

    open: list[PistiWorld]
    closed: list[PistiWorld]


def recent_deals(events: Sequence[Event]) -> Sequence[Event]:
    """The events of this deal and the one before: enough to tell how a seat plays."""
    starts = [at for at, event in enumerate(events) if isinstance(event, DealStarted)]
    return events[starts[-DEALS] :] if len(starts) > DEALS else events


def story_of(view: PistiView, me: Seat, events: Sequence[Event]) -> Story:
    """What the other seats chose in the deals that these events tell."""
    story, world = Story([], []), empty_world(view.options)
    for event in events:
        match event:
            case DealStarted() | Redeal():
                story = Story([], story.closed + story.open)
                world = empty_world(view.options)
            case HandDealt(seat=seat):
                give(world, seat, [EMPTY] * HAND)
                world.refused[seat] = 0
                story = _closed(story, seat)
            case CentreDealt(top=top):
                world.pile_size, world.pile_points = 4, POINTS[CARD[top]] + 1
                _turn_up(world, top)
            case JackBuried(top=top):
                _turn_up(world, top)
            case CardPlayed(seat=seat, card=code):
                _note_play(world, seat, CARD[code], story.open, me)
    return story


def _closed(story: Story, seat: Seat) -> Story:
    """The story once the seat has new cards."""
    ended = [decision for decision in story.open if decision.turn == seat]
    still = [decision for decision in story.open if decision.turn != seat]
    return Story(still, story.closed + ended)


def _turn_up(world: PistiWorld, code: str) -> None:
    world.top = RANKS_OF[CARD[code]]
    world.seen[world.top] += 1


def _note_play(
    world: PistiWorld, seat: Seat, card: int, decisions: list[PistiWorld], me: Seat
) -> None:
    """Cards of hands are unknown here; only their number counts."""
    world.turn = seat
    if seat != me and world.sizes[seat] > 1:
        decisions.append(world.copy())
    for decision in decisions:
        if decision.turn == seat:
            decision.played[decision.played_size] = card
            decision.played_size += 1
    if world.sizes[seat]:
        last = world.sizes[seat] - 1
        world.hands[seat][last] = card
        put(world, last)
