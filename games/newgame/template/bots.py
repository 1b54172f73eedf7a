"""The computer players. They see a view and never a state."""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import RANDOM, Bot
from cardroom.rules.cards import CARD, RANK, pack
from cardroom.rules.values import Event, Move
from games.newgame.template.view import NewGameView

PACK: Final = pack(36)


def beginner(view: NewGameView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    """Its highest card, while it can still take the trick; else its lowest."""
    cheap, dear = _by_rank(view)[0], _by_rank(view)[-1]
    return dear if _rank(dear) > _best(view) else cheap


def careful(view: NewGameView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    """Takes a trick as cheaply as it surely can; else it throws its lowest card away."""
    hand = _by_rank(view)
    last = len(view.laid) == view.options.players - 1
    takes = [card for card in hand if _rank(card) > _best(view)]
    sure = takes if last else [card for card in takes if _rank(card) >= _highest_unseen(view)]
    return sure[0] if sure else hand[0]


def _by_rank(view: NewGameView) -> list[Move]:
    return sorted(view.legal_moves, key=_rank)


def _rank(code: str) -> int:
    return RANK[CARD[code]]


def _best(view: NewGameView) -> int:
    """The rank that takes the trick so far; -1 for who leads."""
    return max((_rank(code) for code in view.laid), default=-1)


def _highest_unseen(view: NewGameView) -> int:
    """Of the cards that others may hold: neither in the own hand nor laid before."""
    seen = {CARD[code] for code in (*view.hand, *view.laid, *view.gone)}
    return max((RANK[card] for card in PACK if card not in seen), default=-1)


BEGINNER: Final[Bot[NewGameView]] = Bot(
    slug="beginner",
    name="Beginner",
    summary="Plays high while that takes the trick.",
    level=2,
    choose=beginner,
)
CAREFUL: Final[Bot[NewGameView]] = Bot(
    slug="careful",
    name="Careful",
    summary="Remembers the cards and takes tricks that nobody can take back.",
    level=3,
    choose=careful,
)
BOTS: Final[tuple[Bot[NewGameView], ...]] = (CAREFUL, BEGINNER, RANDOM)
