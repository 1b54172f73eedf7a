"""The computer players. There is one choice in this game: the order of an arbitrary collection."""

from collections.abc import Callable, Sequence
from random import Random

from cardroom.rules.bot import RANDOM, Bot
from cardroom.rules.cards import CARD
from cardroom.rules.pyanitsa.predicates import RANKED_JOKERS
from cardroom.rules.pyanitsa.view import PyanitsaView
from cardroom.rules.values import Event, Move


def automaton(view: PyanitsaView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    """The one move there is; a collection as it was laid."""
    return view.legal_moves[0]


def hoarder(view: PyanitsaView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    """High cards first, so that they come up together and soon."""
    return _rearranged(view, lambda cards: sorted(cards, key=_strength, reverse=True))


def shuffler(view: PyanitsaView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    return _rearranged(view, lambda cards: rng.sample(cards, len(cards)))


def _rearranged(view: PyanitsaView, arrange: Callable[[list[str]], list[str]]) -> Move:
    """The one move there is with its cards in another order; a `flip` names none."""
    word, *cards = view.legal_moves[0].split(" ")
    return " ".join([word, *arrange(cards)])


def _strength(code: str) -> int:
    return RANKED_JOKERS[CARD[code]]


AUTOMATON: Bot[PyanitsaView] = Bot(
    slug="automaton",
    name="Automaton",
    summary="Turns its cards up and collects them as they were laid.",
    level=1,
    choose=automaton,
)
HOARDER: Bot[PyanitsaView] = Bot(
    slug="hoarder",
    name="Hoarder",
    summary="Where it may choose, it puts the high cards away first.",
    level=1,
    choose=hoarder,
)
SHUFFLER: Bot[PyanitsaView] = Bot(
    slug="shuffler",
    name="Shuffler",
    summary="Where it may choose, it mixes what it collects.",
    level=1,
    choose=shuffler,
)
BOTS: tuple[Bot[PyanitsaView], ...] = (AUTOMATON, HOARDER, SHUFFLER, RANDOM)
