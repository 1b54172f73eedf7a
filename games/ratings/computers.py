"""Ratings of computers: their round robins and their reads.

Those of this tree were rated before they were released (``selectors``). The matches are
simulations like those of people, played in parts by the same workers and after theirs. The next
``look_after`` finds what a lost worker or message leaves behind.
"""

from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from typing import Any, Final

import msgspec
import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone

from cardroom.arena.figures import Figures
from cardroom.arena.ranking import Pairing as Pair
from cardroom.arena.ranking import pairings, ratings
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.outside import Admitted
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.ratings.models import BotRating, RoundRobin
from games.ratings.scale import ShippedRating, ShippedRatings, shipped_ratings
from games.simulations import work
from games.simulations.models import Simulation
from games.simulations.work import report_of

MATCHES: Final = 400  # of two quick bots
SLOW_MATCHES: Final = 40  # where one of them thinks long
GIVEN_UP_AFTER: Final = timedelta(days=14)
RUNNING: Final = Simulation.Status.RUNNING
log = structlog.get_logger(__name__)


def look_after() -> None:
    """Starts and finishes what is due. A duty, every few minutes."""
    start_all()
    finish_all()


def start_all() -> None:
    """Starts a round robin of each game from outside whose package has another version now.

    Where all bots have one level, chance alone decides, and there is nothing to rate.
    """
    each(
        "round robins", catalog.INSTALLED, _start_if_new, key=lambda one: one.game.slug, whole=True
    )


def _start_if_new(one: Admitted) -> None:
    bots = [bot for bot in one.game.bots if bot.rated]
    rows, version = RoundRobin.objects.filter(game=one.game.slug), one.entry.written
    if len({bot.level for bot in bots}) < 2 or rows.filter(version=version).exists():
        return
    if rows.filter(finished_at=None).exists():
        return  # that of another version: the next call after it is finished
    try:
        _start(one.game, bots, version)
    except IntegrityError:
        log.info("round_robin_runs_still", game=one.game.slug)


def finish_all() -> None:
    """Rates the bots of round robins that are played; those that never will be are given up.

    One of a game of this tree was begun by an earlier release: it is ended as it is.
    """
    running = RoundRobin.objects.filter(finished_at=None).order_by("id")
    each("round robins", running, _finish_if_played, key=lambda row: row.pk)


def _finish_if_played(round_robin: RoundRobin) -> None:
    running = round_robin.pairings.filter(simulation__status=RUNNING)
    late = round_robin.started_at < timezone.now() - GIVEN_UP_AFTER
    if late or _is_shipped(round_robin) or not running.exists():
        _finish(round_robin)


def _is_shipped(round_robin: RoundRobin) -> bool:
    return any(game.slug == round_robin.game for game in catalog.OF_THE_HOUSE)


@transaction.atomic
def _start(game: AnyGame, bots: list[Bot[Any]], version: str) -> None:
    round_robin = RoundRobin.objects.create(game=game.slug, version=version)
    seed = timezone.now().toordinal()
    by_slug = {bot.slug: bot for bot in bots}
    options = game.options()
    for one, other in pairings(list(by_slug), len(game.sides_of(options))):
        slow = "slow" in (by_slug[one].cost, by_slug[other].cost)
        simulation = work.start(
            owner=None,
            game=game.slug,
            bots=(one, other),
            games=SLOW_MATCHES if slow else MATCHES,
            seed=seed,
            swap=True,
        )
        round_robin.pairings.create(one=one, other=other, simulation=simulation)


@transaction.atomic
def _finish(round_robin: RoundRobin) -> None:
    """Reads, rates, and deletes the simulations; another worker may be doing so."""
    free = RoundRobin.objects.select_for_update(skip_locked=True).filter(finished_at=None)
    locked = free.filter(pk=round_robin.pk).first()
    if locked is None:
        return
    results = _results(locked)
    if _is_shipped(locked):
        log.info("round_robin_not_needed", game=locked.game)
    elif _is_complete(locked, results):
        _store(locked.game, results)
    else:
        log.error("round_robin_given_up", game=locked.game, pairings=len(results))
    locked.finished_at = timezone.now()
    locked.save(update_fields=["finished_at"])
    Simulation.objects.filter(pairing__round_robin=locked).delete()


def _results(round_robin: RoundRobin) -> dict[Pair, Figures]:
    results: dict[Pair, Figures] = {}
    for pairing in round_robin.pairings.select_related("simulation").order_by("id"):
        report = report_of(pairing.simulation)
        if report is not None:
            results[pairing.one, pairing.other] = report.figures
    return results


def _is_complete(round_robin: RoundRobin, results: dict[Pair, Figures]) -> bool:
    """Whether all pairings are there: the ratings of its bots would lean on the others."""
    return bool(results) and round_robin.pairings.count() == len(results)


def _store(game: str, results: dict[Pair, Figures]) -> None:
    now = timezone.now()
    matches: dict[str, int] = {}
    for pair, figures in results.items():
        for bot in pair:
            matches[bot] = matches.get(bot, 0) + figures.matches
    rows = [
        BotRating(
            game=game,
            bot=bot,
            rating=result.value,
            low=result.low,
            high=result.high,
            matches=matches[bot],
            rated_at=now,
        )
        for bot, result in ratings(results).items()
    ]
    BotRating.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["game", "bot"],
        update_fields=["rating", "low", "high", "matches", "rated_at"],
    )
    BotRating.objects.filter(game=game).exclude(bot__in=matches).delete()


ROUND_ROBINS: Final = Duty(name="round robins", kind="long", piece=look_after, every=600)

# Reads of ratings of computers: which are shipped, and which are rows.
#
# Computers of this tree change with the tree, so their ratings are shipped with it: `make
# leaderboard` writes the file beside the page of the documentation. Those of games from outside
# are measured here, once for each version of their package (``services``).


def ratings_of(game: str) -> Mapping[str, BotRating]:
    """The rated bots of a game, by their slugs."""
    if _is_of_the_house(game):
        return _shipped_rows().get(game, {})
    return {row.bot: row for row in BotRating.objects.filter(game=game)}


def all_ratings() -> Mapping[tuple[str, str], BotRating]:
    """Every rated bot, by game and slug."""
    slugs = [slug for slug in catalog.slugs() if not _is_of_the_house(slug)]
    rows = BotRating.objects.filter(game__in=slugs) if slugs else ()
    shipped = (row for of_game in _shipped_rows().values() for row in of_game.values())
    return {(row.game, row.bot): row for row in (*shipped, *rows)}


def _is_of_the_house(slug: str) -> bool:
    return any(game.slug == slug for game in catalog.OF_THE_HOUSE)


@cache
def _shipped_rows() -> Mapping[str, Mapping[str, BotRating]]:
    return {
        game: {bot: _row(game, bot, each, of_game) for bot, each in of_game.computers.items()}
        for game, of_game in shipped_ratings().items()
    }


def _row(game: str, bot: str, each: ShippedRating, of_game: ShippedRatings) -> BotRating:
    """A row that is stored nowhere."""
    figures = msgspec.structs.asdict(each)
    return BotRating(game=game, bot=bot, rated_at=of_game.rated_at, **figures)
