"""The turn of a day: tomorrow's deals are sealed, those of days that are over revealed.

Each step is done once, whichever process does it and however often it is begun: rows are unique,
and a deal is revealed under its lock, only when none of its matches runs any more. A process that
ends on its way leaves the rest to the next beat.
"""

from collections.abc import Iterator
from datetime import date
from typing import Final
from uuid import UUID

import msgspec
import structlog
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.social.selectors import people_seen_by
from cardroom.rules.game import AnyGame, DailyTerms
from cardroom.rules.shuffles import commitment
from config.tasks import after_commit
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.daily.models import DailyDeal, Entry
from games.daily.scores import has_feat, score_of
from games.daily.selectors import ONE_DAY, today
from games.daily.terms import games_of_the_day
from games.matches.announcements import announce
from games.matches.models import Match, SharedDeal
from games.matches.seating import joining
from games.matches.selectors.access import Wanted, find_each, get_match

AT_ONCE: Final = 500  # results

log = structlog.get_logger(__name__)


def publish() -> int:
    """Makes the deals of today and tomorrow that are missing; how many.

    Where the service begins, yesterday's too: there is something to practise then.
    """
    begins = not DailyDeal.objects.exists()
    days = [today() + n * ONE_DAY for n in range(-1 if begins else 0, 2)]
    there = set(DailyDeal.objects.filter(day__in=days).values_list("day", "game"))
    missing = [
        (day, game, terms)
        for day in days
        for game, terms in games_of_the_day()
        if (day, game.slug) not in there
    ]
    return sum(each("daily deals", missing, lambda one: _publish(*one), key=_name))


def _name(missing: tuple[date, AnyGame, DailyTerms]) -> str:
    return f"{missing[0]} {missing[1].slug}"


def _publish(day: date, game: AnyGame, terms: DailyTerms) -> bool:
    options = game.choose_options(terms.options, None)
    sealed = SharedDeal()
    sealed.commitment = commitment(bytes(sealed.seed))
    try:
        with transaction.atomic():
            sealed.save(force_insert=True)
            DailyDeal.objects.create(
                day=day,
                game=game.slug,
                options=msgspec.json.encode(options),
                bots=list(terms.bots),
                deal=sealed,
            )
    except IntegrityError:
        return False  # another process has just made it
    return True


def reveal() -> int:
    """Ends the matches of days that are over and reveals their deals; how many."""
    over = DailyDeal.objects.filter(day__lt=today(), deal__revealed_at=None)
    days = over.select_related("deal").defer("deal__seed")
    return sum(each("daily deals", days, _reveal, key=lambda daily: f"revealed {daily.pk}"))


def _reveal(daily: DailyDeal) -> bool:
    for match_id in _running(daily).values_list("id", flat=True):
        _end(match_id)
    with transaction.atomic():
        locked = SharedDeal.objects.select_for_update().defer("seed")
        deal = locked.get(id=daily.deal_id)
        if deal.revealed_at is not None or _running(daily).exists():
            return False
        _write_scores(daily)
        deal.revealed_at = timezone.now()
        deal.save(update_fields=["revealed_at"])
        _show_the_best(daily)
    log.info("deal_revealed", game=daily.game, day=str(daily.day))
    return True


def _running(daily: DailyDeal) -> QuerySet[Match]:
    """By their deal: an erased account has no entry any more, but its match may run."""
    return Match.objects.filter(status=Match.Status.ACTIVE, deal=daily.deal_id)


@transaction.atomic
def _end(match_id: UUID) -> None:
    """Calls a match off that was not played to its end in time."""
    row = Match.objects.select_for_update().get(id=match_id)
    if row.status == Match.Status.ACTIVE:
        joining.abort(row, list(row.seats.order_by("index")))


def _write_scores(daily: DailyDeal) -> None:
    for entries in batched(daily.entries.order_by("id")):
        Entry.objects.bulk_update(judged(entries), ["score", "has_feat"])


def judged(entries: list[Entry]) -> list[Entry]:
    """The same with what their matches say, not yet stored."""
    accesses = find_each([Wanted(entry.match_id) for entry in entries])
    for entry, access in zip(entries, accesses, strict=True):
        entry.score = score_of(access.match) if access else None
        entry.has_feat = (
            has_feat(access.match) if access is not None and entry.score is not None else None
        )
    return entries


def batched(rows: QuerySet[Entry], size: int = AT_ONCE) -> Iterator[list[Entry]]:
    """All rows in the order of their ids, so many at once."""
    batch = list(rows[:size])
    while batch:
        yield batch
        batch = list(rows.filter(id__gt=batch[-1].id)[:size])


def _show_the_best(daily: DailyDeal) -> None:
    """Of equal ones the first to begin; everybody may look at it from now on.

    Not that of a person who is shown to friends alone.
    """
    played = daily.entries.filter(score__isnull=False, account__in=people_seen_by(None))
    best = played.order_by("-score", "id").first()
    if best is None:
        return
    daily.best_id = best.match_id
    daily.save(update_fields=["best"])
    rows = Match.objects.filter(id=best.match_id, visibility=Match.Visibility.PRIVATE)
    rows.update(visibility=Match.Visibility.UNLISTED, updated_at=timezone.now())
    match = get_match(best.match_id)
    after_commit.when_committed(lambda: announce(match))


def turn_days() -> None:
    publish()
    reveal()


DEALS: Final = Duty(
    name="daily deals",
    piece=turn_days,
    due="""
SELECT NULL::timestamptz, NULL WHERE NOT EXISTS (
    SELECT FROM daily_dailydeal WHERE day = (%(now)s AT TIME ZONE 'UTC')::date + 1)
UNION ALL SELECT (d.day + 1)::timestamp AT TIME ZONE 'UTC', 'revealed ' || d.id
FROM daily_dailydeal d JOIN games_shareddeal s ON s.id = d.deal_id
WHERE d.day < (%(now)s AT TIME ZONE 'UTC')::date AND s.revealed_at IS NULL""",
    every=2,
)
PUBLISHED: Final = Duty(name="daily deals of new games", piece=publish, every=600)
