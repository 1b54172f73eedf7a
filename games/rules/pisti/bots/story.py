"""What the other seats chose in this deal and the one before, as a search looks back on it."""

from collections.abc import Sequence
from typing import Final, NamedTuple

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

DEALS: Final = 2  # that are looked back on, the one in play included


class Decision(NamedTuple):
    """A card that another seat chose: what lay there, and what it has played from then on."""

    before: World
    seat: Seat
    played: list[int]


class Story(NamedTuple):
    """``open``: since the seats were last dealt cards; ``closed``: earlier, so that what was played
    is the whole hand.
    """

    open: list[Decision]
    closed: list[Decision]


def recent_deals(events: Sequence[Event]) -> Sequence[Event]:
    """The events of this deal and the one before: enough to tell how a seat plays."""
    starts = [at for at, event in enumerate(events) if isinstance(event, DealStarted)]
    return events[starts[-DEALS] :] if len(starts) > DEALS else events


def story_of(view: PistiView, me: Seat, events: Sequence[Event]) -> Story:
    """What the other seats chose in the deals that these events tell."""
    story, world = Story([], []), World(view.options)
    for event in events:
        match event:
            case DealStarted() | Redeal():
                story, world = Story([], story.closed + story.open), World(view.options)
            case HandDealt(seat=seat):
                world.hands[seat], world.refused[seat] = [EMPTY] * 4, 0
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
    ended = [decision for decision in story.open if decision.seat == seat]
    still = [decision for decision in story.open if decision.seat != seat]
    return Story(still, story.closed + ended)


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
