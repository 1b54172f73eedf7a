"""What a worker does for those who wait: it plans tables and opens their matches, each once.

A plan is read without a lock and may be out of date. A table locks the seeks of its people, skips
what another worker has locked, then the accounts, and looks again: who was suspended, blocked,
paired or gone meanwhile is not seated. The match and the seeks are written in one transaction, so
a seek has its match or still waits.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import partial
from random import SystemRandom
from typing import Any, Final, NamedTuple
from uuid import UUID
from zlib import crc32

import msgspec
import structlog
from django.core.cache import cache
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from accounts.services.locking import locked_accounts
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from config import club
from config.refusals import Refusal
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.lobby import seeking, selectors
from games.lobby.grouping import Table, Waiting, tables
from games.lobby.models import Seek
from games.lobby.paces import OF_CLOCKS, PACES, find_pace
from games.lobby.strength import ratings_for
from games.matches.refusals import ProgramDeclines
from games.matches.seating import opening
from games.matches.seating.programs import judge_seats
from games.matches.seating.seats import CannotSit, SeatRequest
from games.matches.snapshot import MatchSnapshot

MOST_AT_ONCE: Final = 1000
LOOKED: Final = "lobby:looked"  # when somebody last looked at who waits
STOOD_STILL: Final = 6.0  # seconds without a look: nobody could give a sign of life either
PAIRED_KEPT: Final = timedelta(days=1)
ENDED_KEPT: Final = timedelta(hours=1)
IS_LIVE: Final = Q(pace__in=[pace.slug for pace in PACES if pace.is_live]) | Q(
    pace__contains=OF_CLOCKS
)

log = structlog.get_logger(__name__)
_chance = SystemRandom()


class Pool(NamedTuple):
    """Those who want the same match."""

    game: str
    options: bytes
    pace: str
    rated: bool
    seats: int


def pair_all() -> int:
    """How many matches were opened for those who wait."""
    end_lapsed()
    if club.is_in_maintenance():
        return 0
    pools = [(pool, waiting) for pool, waiting in _pools().items() if _is_known(pool)]
    return sum(each("seeks", pools, lambda one: _pair(*one), key=lambda one: _name(one[0])))


def _name(pool: Pool) -> str:
    return f"{pool.game} {pool.pace} {crc32(pool.options):08x} {pool.rated} {pool.seats}"


def end_lapsed() -> None:
    """Ends the seeks of those who gave no sign of life.

    After a time in which the service stood still everybody has time for a sign again.
    """
    now = timezone.now()
    looked, gone = cache.get(LOOKED), now - seeking.PATIENCE
    cache.set(LOOKED, now.timestamp(), timeout=60)
    if not isinstance(looked, float) or now.timestamp() - looked > STOOD_STILL:
        seeking.sign_of_life_of_all()
        return
    seeking.end(selectors.waiting().filter(seen_at__lt=gone), Seek.Ending.LAPSED)


def forget() -> int:
    """Deletes seeks that nobody needs any more; how many."""
    now = timezone.now()
    old = Q(ended_at__lt=now - ENDED_KEPT) | Q(paired_at__lt=now - PAIRED_KEPT)
    return Seek.objects.filter(old).delete()[0]


def _pools() -> dict[Pool, list[Seek]]:
    by_pool: defaultdict[Pool, list[Seek]] = defaultdict(list)
    there = selectors.waiting().filter(seen_at__gte=timezone.now() - seeking.PATIENCE)
    for seek in there.select_related("account").order_by("created_at")[:MOST_AT_ONCE]:
        if not seek.is_known:
            continue
        pool = Pool(seek.game, bytes(seek.options), seek.pace, seek.rated, seek.seats)
        by_pool[pool].append(seek)
    return by_pool


def _is_known(pool: Pool) -> bool:
    """Whether this release understands the options; a newer one has workers for its own."""
    try:
        opening.find_terms(pool.game, msgspec.json.decode(pool.options), None)
    except (Refusal, msgspec.MsgspecError):
        return False
    return True


def _pair(pool: Pool, seeks: Sequence[Seek]) -> int:
    waiting = _waiting(pool.game, seeks)
    company = selectors.company_of([one.account for one in waiting])
    plan = tables(waiting, pool.seats, company)
    return sum(each("seeks", plan, partial(_seat, pool), key=lambda one: one.people[0].seek))


def _waiting(game: str, seeks: Sequence[Seek]) -> list[Waiting]:
    ratings, now = ratings_for(game, [seek.account_id for seek in seeks]), timezone.now()
    return [
        Waiting(
            seek=seek.id,
            account=seek.account_id,
            rating=ratings[seek.account_id],
            waited=(now - seek.created_at).total_seconds(),
            computers_after=seek.computers_after,
            is_bot=seek.account.is_bot,
        )
        for seek in seeks
    ]


def _seat(pool: Pool, table: Table) -> bool:
    """Opens the match of a table, or ends the seek of somebody who cannot sit down."""
    try:
        with transaction.atomic():
            return _opened(pool, table)
    except CannotSit as refused:
        culprit = refused.person.pk
    except Refusal:
        culprit = table.people[0].account  # the host
    log.info("seek_refused", account=str(culprit))
    seek = next(one.seek for one in table.people if one.account == culprit)
    seeking.end(selectors.waiting().filter(id=seek), Seek.Ending.REFUSED)
    return False


def _opened(pool: Pool, table: Table) -> bool:
    ids = [one.seek for one in table.people]
    free = _free(ids).select_related("account").order_by("created_at")
    seeks = list(free.select_for_update(skip_locked=True, of=("self",)))
    if len(seeks) < len(ids):
        return False
    accounts = [one.account for one in table.people]
    with locked_accounts(*accounts) as active:
        if gone := _cannot_come(seeks, active):
            ids_gone = [seek.id for seek in gone]
            seeking.end(selectors.waiting().filter(id__in=ids_gone), Seek.Ending.REFUSED)
            return False
        if selectors.blocks_among(accounts):
            return False  # the next plan knows of it
        match = _open(pool, seeks, table.computers)
        Seek.objects.filter(id__in=ids).update(match=match.id, paired_at=timezone.now())
        _end_others(pool, accounts)
    return True


def _free(ids: Iterable[UUID]) -> Any:
    there = timezone.now() - seeking.PATIENCE
    return selectors.waiting().filter(id__in=list(ids), seen_at__gte=there)


def _cannot_come(seeks: Sequence[Seek], active: frozenset[UUID]) -> list[Seek]:
    """People who may not play, or were paired elsewhere while they waited for another game."""
    live = [seek.id for seek in seeks if seek.named_pace.is_live]
    elsewhere = Seek.objects.filter(
        IS_LIVE, account=OuterRef("account"), paired_at__gte=OuterRef("created_at")
    )
    busy = set(Seek.objects.filter(Exists(elsewhere), id__in=live).values_list("id", flat=True))
    gone = [seek for seek in seeks if seek.account_id not in active or seek.id in busy]
    return gone or [seek for seek in seeks if seek.account.is_bot and _declines(seek)]


def _declines(seek: Seek) -> bool:
    """Whether a bot account plays too much by now, or is not to be paired any more."""
    row = seeking.as_match(seek.account, seek)
    try:
        judge_seats(row, [seek.account_id], by_pairing=True)
    except ProgramDeclines:
        return True
    return False


def _end_others(pool: Pool, accounts: Sequence[UUID]) -> None:
    """A person who sits at a table now waits for no other one."""
    if not find_pace(pool.pace).is_live:
        return
    others = selectors.waiting().filter(IS_LIVE, account__in=accounts)
    seeking.end(others, Seek.Ending.WITHDRAWN)


def _open(pool: Pool, seeks: Sequence[Seek], computers: int) -> MatchSnapshot:
    """Seats are drawn by lot; the host is the person who waited longest."""
    host, *others = seeks
    seats = [SeatRequest("me"), *[SeatRequest("open")] * len(others)]
    seats += [SeatRequest("bot", bot=computer_for(host.rules).slug)] * computers
    _chance.shuffle(seats)
    return opening.open_match(
        creator=host.account,
        game=pool.game,
        seats=seats,
        options=msgspec.json.decode(pool.options),
        turn_seconds=host.named_pace.turn_seconds,
        clock=host.named_pace.clock,
        together=[seek.account for seek in others],
        rated=pool.rated,
    )


def computer_for(game: AnyGame) -> Bot[Any]:
    """The computer that fills a seat: of the rated ones the middle level."""
    rated = sorted((bot for bot in game.bots if bot.rated), key=lambda bot: bot.level)
    offered = [bot for bot in rated if bot.suggested] or rated
    return offered[(len(offered) - 1) // 2]


SEEKS: Final = Duty(
    name="seeks",
    piece=pair_all,
    due="""
SELECT NULL::timestamptz, NULL FROM lobby_seek
WHERE match_id IS NULL AND ended_at IS NULL""",
    every=2,
)
FORGOTTEN: Final = Duty(name="old seeks", piece=forget, every=60)
