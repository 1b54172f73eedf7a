"""A mutant, and the small game that most of them are made of: High Card with all facts."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from cardroom.rules.bot import RANDOM, Bot
from cardroom.rules.cards import CARD, pack, texts
from cardroom.rules.encoding import Feature, Layout, numbered
from cardroom.rules.game import AnyGame
from cardroom.rules.text import card_names, say
from cardroom.rules.values import Event, Move
from tests.fifth_game import GAME as HIGH_CARD
from tests.fifth_game.events import CardLaid, Dealt, TrickTaken
from tests.fifth_game.options import HighCardOptions
from tests.fifth_game.state import HighCardState
from tests.fifth_game.view import HighCardView

LAYOUT = Layout(
    Feature("hand", 54, "1 for every card in the hand"),
    Feature("laid", 54, "1 for every card of the trick"),
    Feature("tricks", 5, "tricks by seat", most=3),
)


@dataclass(frozen=True)
class Mutant:
    """A game that is wrong in one thing, the check that must say so, and what it must say."""

    name: str
    game: AnyGame
    killer: str
    message: str  # a regular expression
    times: float = 1  # as many times the examples of a known game


def mutated(game: AnyGame, **facts: Any) -> AnyGame:
    """The game with other facts; what it derives follows them."""
    again = {name: None for name in game._derived if name not in facts}
    return replace(game, **again, **facts)


def observe(view: HighCardView) -> "array[int]":
    out = LAYOUT.blank()
    for card in view.hand:
        out[LAYOUT.starts["hand"] + CARD[card]] = 1
    for card in view.laid:
        out[LAYOUT.starts["laid"] + CARD[card]] = 1
    for seat, tricks in enumerate(view.tricks):
        out[LAYOUT.starts["tricks"] + seat] = tricks
    return out


def narrate(event: Event, names: Sequence[str]) -> Any:
    match event:
        case Dealt(hands=hands):
            own = [card for hand in hands for card in hand or ()]
            return say("Dealt: {cards}.", cards=card_names(own))
        case CardLaid(seat=seat, card=card):
            return say("{seat} lays {card}.", seat=names[seat], card=card_names([card]))
        case TrickTaken(seat=seat):
            return say("{seat} takes the trick.", seat=names[seat])
    return say("Something happened.")


def imagine(view: HighCardView, rng: Random, events: Sequence[Event] = ()) -> HighCardState:
    """The own hand as it was told at the deal, less what was laid."""
    gone = {*view.laid, *view.gone}
    own = view.hand
    for event in events:
        if isinstance(event, Dealt) and view.seat is not None:
            own = tuple(card for card in event.hands[view.seat] or () if card not in gone)
    unseen = [CARD[c] for c in map(texts_of, pack(36)) if c not in gone and c not in own]
    rng.shuffle(unseen)
    hands = []
    for seat, size in enumerate(view.hand_sizes):
        mine = seat == view.seat
        hands.append(tuple(CARD[c] for c in own) if mine else tuple(unseen[:size]))
        unseen = unseen if mine else unseen[size:]
    return HighCardState(
        options=HighCardOptions(players=len(hands)),
        hands=tuple(hands),
        stock=tuple(unseen),
        leader=view.leader,
        tricks=view.tricks,
        laid=tuple(CARD[c] for c in view.laid),
        gone=tuple(CARD[c] for c in view.gone),
    )


def texts_of(card: int) -> str:
    return texts((card,))[0]


def highest(view: HighCardView, events: Sequence[Event], rng: Random) -> Move:
    return max(view.legal_moves, key=CARD.__getitem__)


HIGHEST: Bot[Any] = Bot(
    slug="highest", name="Highest", summary="Lays its highest card.", level=2, choose=highest
)

GAME = mutated(
    HIGH_CARD,
    presets={"five": HighCardOptions(players=5)},
    bots=(RANDOM, HIGHEST),
    narrate=narrate,
    imagine=imagine,
    actions=numbered(texts(pack(36))),
    observation=LAYOUT,
    observe=observe,
)


def fields(view: Any) -> dict[str, Any]:
    return {name: getattr(view, name) for name in view.__struct_fields__}
