"""A bot: a named strategy, and the one that every game has.

A bot that grows: of a strength from 1 to 5 it makes more and more moves as a better one does.

``beginner:strength=3`` is a beginner that looks at half of its moves closely. Its mistakes stay
those of the beginner, so it plays like a person who knows the game but does not always think.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from cardroom.rules.shuffles import Stream
from cardroom.rules.state_fields import AS_WEIGHED, Reading
from cardroom.rules.values import Event, Move, View, Weighing

Choose = Callable[[Any, Sequence[Event], Random], Move]
STRENGTHS: Final = 5


@dataclass(frozen=True)
class Growth:
    """``into`` is the better bot; ``shares``, one a strength, are how many moves it makes.

    The bot that grows must need no events: it is given those of the better one.
    """

    into: "Bot[Any]"
    shares: tuple[float, ...]

    def bot(self, bot: "Bot[Any]", slug: str, strength: int) -> "Bot[Any]":
        """``bot`` of this strength, under a slug that says so; never rated."""
        return replace(
            bot,
            slug=slug,
            choose=Mixed(bot.choose, self.into.choose, self.shares[strength - 1]),
            rated=False,
            remembers=self.into.remembers,
            cost=self.into.cost,
            seconds=max(bot.seconds, self.into.seconds),
            growth=None,
        )


@dataclass(frozen=True)
class Mixed:
    """Chooses as the better one so many times in a hundred moves."""

    usual: Choose
    better: Choose
    share: float

    def __call__(self, view: Any, events: Sequence[Event], rng: Random) -> Move:
        choose = self.better if rng.random() < self.share else self.usual
        return choose(view, events, rng)


V = TypeVar("V", bound=View)


Weigh: TypeAlias = Callable[[V, Sequence[Event], Random, int], Weighing]


@dataclass(frozen=True)
class Bot(Generic[V]):
    """A named strategy: a pure choice from what its seat knows.

    ``choose(view, events, rng)`` gets the seat's view, the events so far as that seat saw them
    (as far back as ``remembers`` says: ``"nothing"``, ``"round"`` or ``"match"``) and a random
    generator; it returns one of the legal moves (or one equivalent to it).

    A bot that searches also says how (``search``); then its budget can be named with it
    (``tuned``): ``searcher@200ms`` or ``searcher:playouts=400``. A bot that grows (``growth``)
    takes a strength from 1 to 5: ``beginner:strength=3``.

    A bot that often thinks longer than a few milliseconds says that it is ``"slow"``: services
    keep its turns from holding up the others'. ``seconds`` is its budget for one move.

    A bot that is not ``suggested`` is there to be chosen and measured: it plays like no person, so
    no page proposes it by itself.
    """

    slug: str
    name: str
    summary: str
    level: int
    choose: Callable[[V, Sequence[Event], Random], Move]
    rated: bool = True
    suggested: bool = True
    remembers: str = "nothing"
    cost: Literal["quick", "slow"] = "quick"
    seconds: float = 0.5
    search: "Search[V] | None" = None
    growth: Growth | None = None


@dataclass(frozen=True)
class Search(Generic[V]):
    """The search of a bot: its choice with a number of playouts, and how many it takes by itself.

    ``playouts_a_ms`` is about how many a usual machine makes in a millisecond: a time asked for
    is turned into playouts by it, so that the same seed gives the same moves anywhere.

    The generator that ``choose`` gets is a ``Stream`` of its own (``Searching``), so a compiled
    form of the search can draw the same numbers.

    ``weigh`` says what every legal move is worth to the seat (``cardroom.rules.search.Weighing``),
    with so many playouts for each of them; for those who explain a match. ``reading``: how
    these chances come true; who shows them shows what they come to.
    """

    choose: Callable[[V, Sequence[Event], Random, int], Move]
    playouts: int
    playouts_a_ms: float
    weigh: "Weigh[V] | None" = None
    reading: Reading[V] = AS_WEIGHED

    def bot(self, **facts: Any) -> Bot[V]:
        """The bot that searches with its usual number of playouts."""
        return Bot(choose=Searching(self, self.playouts), search=self, **facts)

    def tuned(self, bot: Bot[V], slug: str, playouts: int) -> Bot[V]:
        """``bot`` with another budget, under a slug that says so; never rated."""
        milliseconds = playouts / self.playouts_a_ms
        choose = Searching(self, playouts)
        cost: Literal["quick", "slow"] = "slow" if milliseconds > QUICK else bot.cost
        seconds = max(LEAST_SECONDS, MARGIN * milliseconds / 1000)
        return replace(bot, slug=slug, choose=choose, rated=False, cost=cost, seconds=seconds)


@dataclass(frozen=True)
class Searching(Generic[V]):
    """A search with its number of playouts: what the bot's ``choose`` is."""

    search: Search[V]
    playouts: int

    def __call__(self, view: V, events: Sequence[Event], rng: Random) -> Move:
        return self.search.choose(view, events, Stream(rng.getrandbits(64)), self.playouts)


QUICK: Final = 20  # milliseconds a move: more is declared slow
LEAST_SECONDS: Final = 0.5
MARGIN: Final = 2  # of the time asked for, on a machine that is busy
MOST_MS: Final = 500  # for seats; the command line may ask for more
_STRENGTH: Final = re.compile(rf"(?P<slug>[a-z_-]+):strength=(?P<strength>[1-{STRENGTHS}])")
_BUDGET: Final = re.compile(
    r"(?P<slug>[a-z_-]+)(?:@(?P<ms>\d{1,6})ms|:playouts=(?P<playouts>\d{1,7}))"
)


def named(bots: Sequence[Bot[Any]], name: str, most_ms: float = MOST_MS) -> Bot[Any]:
    """The bot of this slug, or with what the name adds to it; ``KeyError`` if there is none.

    ``searcher@200ms`` and ``searcher:playouts=400`` are searchers of other budgets, from one
    playout up to what takes about ``most_ms``.
    """
    by_slug = {bot.slug: bot for bot in bots}
    grown = _STRENGTH.fullmatch(name)
    if grown is not None:
        return _grown(by_slug[grown["slug"]], name, int(grown["strength"]))
    budget = _BUDGET.fullmatch(name)
    if budget is None:
        return by_slug[name]
    bot = by_slug[budget["slug"]]
    search = bot.search
    if search is None:
        raise KeyError(name)
    rate = search.playouts_a_ms
    playouts = int(budget["playouts"] or int(budget["ms"]) * rate)
    if not 1 <= playouts <= most_ms * rate:
        raise KeyError(name)
    return search.tuned(bot, name, playouts)


def _grown(bot: Bot[Any], name: str, strength: int) -> Bot[Any]:
    if bot.growth is None:
        raise KeyError(name)
    return bot.growth.bot(bot, name, strength)


def levels(bots: Sequence[Bot[Any]], most_seconds: float) -> list[Bot[Any]]:
    """The suggested and rated bots that move within this time, the easiest first."""
    offered = [b for b in bots if b.rated and b.suggested and b.seconds <= most_seconds]
    return sorted(offered, key=lambda bot: bot.level)


def harder(bots: Sequence[Bot[Any]], slug: str, most_seconds: float = 1.0) -> Bot[Any] | None:
    """The bot of the level above among ``levels``, ``None`` if there is none."""
    known = {bot.slug: bot.level for bot in bots}
    level = known.get(slug)
    above = [bot for bot in levels(bots, most_seconds) if level is not None and bot.level > level]
    return next(iter(above), None)


def random_move(view: View, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    return rng.choice(view.legal_moves)


RANDOM: Bot[Any] = Bot(  # it fits every game's view
    slug="random",
    name="Random",
    summary="Plays any legal move.",
    level=1,
    choose=random_move,
    suggested=False,
)
