"""Deals of the day: sealed the day before, played once, revealed when the day is over.

Each step is done once, whichever process does it and however often it is begun: rows are unique,
and a deal is revealed under its lock, only when none of its matches runs any more. A process that
ends on its way leaves the rest to the next beat.
"""

from collections.abc import Iterator
from datetime import date
from random import Random
from time import monotonic
from typing import Any, Final
from uuid import UUID

import msgspec
import structlog
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.locking import locked_accounts
from accounts.models import User
from accounts.social.selectors import people_seen_by
from cardroom.arena import compiled_code
from cardroom.arena.playouts import MatchInPlay, PausedMatch
from cardroom.rules import catalog
from cardroom.rules.bot import RANDOM, Bot
from cardroom.rules.game import AnyGame, DailyTerms
from cardroom.rules.shuffles import Sealed, commitment
from cardroom.rules.text import one_after_the_other, say
from cardroom.rules.values import Setup
from config.tasks import after_commit, rows
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.daily import selectors
from games.daily.models import ComputerScores, DailyDeal, Entry
from games.matches import joining
from games.matches.announcements import announce
from games.matches.models import Match, SharedDeal
from games.matches.opening import open_shared
from games.matches.selectors.access import Wanted, find_each, get_match
from games.matches.snapshot import MatchSnapshot

AT_ONCE: Final = 500  # results

log = structlog.get_logger(__name__)


def publish() -> int:
    """Makes the deals of today and tomorrow that are missing; how many.

    Where the service begins, yesterday's too: there is something to practise then.
    """
    begins = not DailyDeal.objects.exists()
    days = [selectors.today() + n * selectors.ONE_DAY for n in range(-1 if begins else 0, 2)]
    there = set(DailyDeal.objects.filter(day__in=days).values_list("day", "game"))
    missing = [
        (day, game, terms)
        for day in days
        for game, terms in selectors.games_of_the_day()
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
    over = DailyDeal.objects.filter(day__lt=selectors.today(), deal__revealed_at=None)
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
        entry.score = selectors.score_of(access.match) if access else None
        entry.has_feat = (
            selectors.has_feat(access.match)
            if access is not None and entry.score is not None
            else None
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

# Scores of the house's computers in a deal, on the person's seat, once it is revealed.
#
# Before, nobody plays it: no figure of a running day exists that could be read.
#
# A long duty, in pieces: a match pauses between two moves, and what it has come to is kept in the
# row of its computer. A search that is not compiled has as many playouts as a piece has time for,
# so no move takes longer; a computer that fails three times at a deal is set aside.

MATCHES: Final = 50  # of each computer
NAME: Final = "daily computers"
SECONDS: Final = 1.0  # of a piece: what else waits in the queue gets its turns
PLAIN_SHARE: Final = 10  # so many times fewer playouts where a search is not compiled
PLAIN_MILLISECONDS: Final = 5  # and no more of a move than compiled code makes in this time
LATELY: Final = 7 * selectors.ONE_DAY


def house_levels(game: AnyGame) -> list[Bot[Any]]:
    return [bot for bot in game.bots if bot.rated and bot is not RANDOM]


class Paused(msgspec.Struct, frozen=True):
    """The match in which a computer stopped, between two moves, with its chance as it stands."""

    match: PausedMatch
    used: int  # decks of the deal
    chance: tuple[int, tuple[int, ...], float | None]


def play_revealed(seconds: float = SECONDS) -> int:
    """Plays what is missing for about so long; how many matches came to their end."""
    until = rows.until(seconds)
    return sum(
        rows.each(
            NAME,
            list(_missing()),
            lambda one: _play(*one, until),
            key=_computers_name,
            gives_up=True,
        )
    )


def _computers_name(missing: tuple[DailyDeal, Bot[Any]]) -> str:
    return f"{missing[0].pk} {missing[1].slug}"


def _play(daily: DailyDeal, bot: Bot[Any], until: float) -> int:
    """Plays for one computer until then, one move at least; how many matches came to their end."""
    row, _ = ComputerScores.objects.get_or_create(daily=daily, bot=bot.slug)
    before, paused = len(row.scores), _decoded(row.paused)
    while len(row.scores) < MATCHES:
        played = _play_on(daily, bot, len(row.scores), until, paused)
        paused = played if isinstance(played, Paused) else None
        if not isinstance(played, Paused):
            row.scores.append(played)
        if monotonic() > until:
            rows.more()
            break
    # Only where no other process has added to it meanwhile.
    ComputerScores.objects.filter(pk=row.pk, scores__len=before).update(
        scores=row.scores, paused=msgspec.json.encode(paused) if paused else None
    )
    return len(row.scores) - before


def _decoded(data: bytes | memoryview | None) -> Paused | None:
    """None if another release wrote it in another form: the match begins again."""
    try:
        return msgspec.json.decode(bytes(data), type=Paused) if data else None
    except msgspec.ValidationError:
        return None


def _missing() -> Iterator[tuple[DailyDeal, Bot[Any]]]:
    revealed = DailyDeal.objects.filter(
        day__gte=selectors.today() - LATELY, deal__revealed_at__isnull=False
    ).select_related("deal")
    for daily in revealed:
        played = {row.bot: len(row.scores) for row in daily.computers.all()}
        for bot in house_levels(catalog.find(daily.game)):
            if played.get(bot.slug, 0) < MATCHES:
                yield daily, bot


def fast_enough(game: AnyGame, bot: Bot[Any]) -> Bot[Any]:
    """The compiled form, or one that makes a move within a piece in plain Python too."""
    quick = compiled_code.quick(game, bot)
    if quick is bot and bot.search is not None and bot.cost == "slow":
        search = bot.search
        most = min(search.playouts // PLAIN_SHARE, int(search.playouts_a_ms * PLAIN_MILLISECONDS))
        return search.tuned(bot, bot.slug, max(1, most))
    return quick


def _play_on(
    daily: DailyDeal, bot: Bot[Any], number: int, until: float, paused: Paused | None
) -> int | Paused:
    """The same deal again; only the choices of the computers differ. The score, or where it is."""
    game = catalog.find(daily.game)
    options = game.decode_options(bytes(daily.options))
    bots = [fast_enough(game, each) for each in (bot, *map(game.bot, daily.bots))]
    shuffle = Sealed(bytes(daily.deal.seed), paused.used if paused else 0)
    chance = Random(f"{daily.pk} {bot.slug} {number}")
    match = MatchInPlay(game, bots, shuffle, chance)
    if paused is None:
        setups = [game.complete_setup(options, Setup(one.name, one.slug)) for one in bots]
        match.begin(options, setups)
    else:
        chance.setstate(paused.chance)
        match.resume(paused.match)
    played = match.play(lambda: monotonic() > until)
    if played is None:
        return Paused(match.paused(), shuffle.used, chance.getstate())
    return selectors.score(game, options, played.outcome)


COMPUTERS: Final = Duty(
    name=NAME,
    kind="long",
    piece=play_revealed,
    due="""
SELECT NULL::timestamptz, d.id || ' ' || c.bot FROM daily_dailydeal d
JOIN games_shareddeal s ON s.id = d.deal_id
CROSS JOIN unnest(%(daily_games)s::text[], %(daily_bots)s::text[]) AS c(game, bot)
WHERE d.day >= (%(now)s AT TIME ZONE 'UTC')::date - 7 AND s.revealed_at IS NOT NULL
    AND d.game = c.game AND NOT EXISTS (SELECT FROM daily_computerscores x
        WHERE x.daily_id = d.id AND x.bot = c.bot AND cardinality(x.scores) >= 50)""",
)


def duty_values() -> dict[str, Any]:
    """The computers that play deals, for the condition of the duty."""
    pairs = [(game.slug, bot.slug) for game in catalog.GAMES for bot in house_levels(game)]
    return {"daily_games": [game for game, _ in pairs], "daily_bots": [bot for _, bot in pairs]}


# Proves the scores and feats of revealed deals from the matches (``manage.py recount``).

WRITTEN = ("score", "has_feat")


def recount_entries(*, mend: bool) -> Iterator[str]:
    revealed = DailyDeal.objects.filter(deal__revealed_at__isnull=False)
    for daily in revealed.order_by("day", "id").iterator():
        for several in batched(daily.entries.order_by("id")):
            stored = {one.pk: (one.score, one.has_feat) for one in several}
            right = judged(several)
            wrong = [one for one in right if stored[one.pk] != (one.score, one.has_feat)]
            if wrong and mend:
                Entry.objects.bulk_update(wrong, WRITTEN)
            for one in wrong:
                yield f"{daily} entry {one.pk}: {stored[one.pk]} is stored"


# Playing a deal of the day: once for oneself, or any revealed one for practice.

WHAT_IT_IS: Final = say(
    "Everybody plays the same sealed cards once a day. Somebody who knows them could pass them on, "
    "so new accounts practise the deal of yesterday first."
)

_SEALED: Final = """
SELECT id FROM games_shareddeal WHERE id = %s AND revealed_at IS NULL FOR KEY SHARE
"""


def play(*, user: User, game: str) -> tuple[MatchSnapshot, bool]:
    """The person's match of today, and whether it begins now; raises ``Refusal`` by cause.

    It is private and stays so until the day is over.
    """
    day = selectors.today()
    if user.is_bot:
        raise selectors.CannotCompete("The deal of the day is for people.")
    daily = next((one for one in selectors.deals_of(day) if one.game == game), None)
    if daily is None:
        raise selectors.NoSuchDeal
    with transaction.atomic(), locked_accounts(user.pk):
        begun = Entry.objects.filter(daily=daily, account=user).first()
        if begun is not None:
            return get_match(begun.match_id), False
        opens = selectors.admission(user, day)
        if not opens.is_open:
            raise selectors.CannotCompete(
                one_after_the_other([WHAT_IT_IS, opens.words]),
                opens_on=opens.opens_on.isoformat(),
                matches_left=opens.matches_left,
            )
        _keep_sealed(daily)
        match = _opened(daily, user, SharedDeal.objects.get(id=daily.deal_id))
        Entry.objects.create(daily=daily, account=user, match_id=match.id)
    return match, True


def _keep_sealed(daily: DailyDeal) -> None:
    """Until the transaction ends nobody reveals the deal; raises ``NotToday`` if it is too late.

    Several begin at once under this lock, and ``turning`` waits for all of them. The check of the
    foreign key alone would come too late: at the commit.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SEALED, [daily.deal_id])
        if cursor.fetchone() is None or daily.day != selectors.today():
            raise selectors.NotToday


def practise(*, user: User, day: date, game: str) -> MatchSnapshot:
    """A deal that everybody may know by now, as often as one likes; guests too."""
    daily = selectors.find_deal(day, game)
    deal = SharedDeal.objects.get(id=daily.deal_id)
    if deal.revealed_at is None:
        raise selectors.NotToday("This deal is not over yet; it can be practised when it is.")
    return _opened(daily, user, deal, Match.Visibility.UNLISTED)


def _opened(
    daily: DailyDeal, user: User, deal: SharedDeal, visibility: str = Match.Visibility.PRIVATE
) -> MatchSnapshot:
    game = catalog.find(daily.game)
    options = game.decode_options(bytes(daily.options))
    return open_shared(
        user=user, game=game, options=options, bots=daily.bots, deal=deal, visibility=visibility
    )
