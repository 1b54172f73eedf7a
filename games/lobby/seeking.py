"""Seeking a match, giving up, and the signs of life of those who wait.

A seek is locked before its account: pairing takes the locks in the same order.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from random import SystemRandom
from typing import Annotated, Any, Final, NamedTuple
from uuid import UUID
from zlib import crc32

import msgspec
import structlog
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from msgspec import Meta

from accounts.locking import locked_accounts, refusal_of
from accounts.models import User
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options
from config import club
from config.clock import now_in_milliseconds
from config.postgres.connections import ReadOnly
from config.refusals import Refusal
from config.tasks import after_commit, duties
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.lobby import selectors
from games.lobby.finding import ratings_for
from games.lobby.models import MOST_SEATS, Seek
from games.matches import opening
from games.matches import seats as programs
from games.matches.models import Match, Seat
from games.matches.rating import has_limit, who_stays_away
from games.matches.refusals import BadSeats, ProgramDeclines
from games.matches.seats import (
    CannotSit,
    SeatRequest,
    assign_side_deck,
    check_seats,
    offered_bots,
)
from games.matches.snapshot import MatchSnapshot
from games.matches.time_bank import OF_CLOCKS, PACES, ClockTerms, PaceName, clock_pace, find_pace

LONGEST_WAIT: Final = 24 * 3600  # seconds, until computers take free seats
PATIENCE: Final = timedelta(seconds=15)  # without a sign of life
_TRIES: Final = 5
_TERMS: Final = ("game", "options", "pace", "rated", "seats", "computers_after")


class NewSeek(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match with anybody. Without ``seats`` as many people as the preset, or the game, has.

    ``pace``: 20 s a move, 60 s, or 1, 3 or 7 days. A ``clock`` takes its place: those who want the
    same one are paired. ``computers_after``: so many seconds later
    computers may take the seats that are left; null for people only.
    """

    game: Annotated[str, Meta(max_length=32)]
    pace: PaceName = "normal"
    preset: Annotated[str, Meta(max_length=64)] | None = None
    rated: bool = True
    seats: Annotated[int, Meta(ge=2, le=MOST_SEATS)] | None = None
    computers_after: Annotated[int, Meta(ge=0, le=LONGEST_WAIT)] | None = None
    clock: ClockTerms | None = None


def seek(*, account: User, wish: NewSeek, key: str | None = None) -> Seek:
    """The account's seek, which waits for others. Raises a refusal where it could not play.

    The same wish again is the same seek; another one of the same game takes its place. The same
    ``key`` again gives the seek that it made, whatever has become of it.
    """
    begun, made = timezone.now(), _new_seek(account, wish, key)
    for _ in range(_TRIES):
        try:
            with transaction.atomic():
                earlier = _written(account, made, begun)
                after_commit.when_committed(lambda: duties.announce("seeks"))
        except IntegrityError:
            continue  # another request of the same account was quicker
        return earlier
    raise selectors.AlreadyPaired("Your seeks change too quickly. Try again.")


def _written(account: User, made: Seek, begun: datetime) -> Seek:
    before = _answered(account, made)
    if before is not None:
        return before
    mine = selectors.waiting().filter(account=account, game=made.game)
    waits = mine.select_for_update().first()
    if waits is None and (paired := _paired_since(begun, account, made)):
        return paired
    with locked_accounts(account.pk) as active:
        if account.pk not in active:
            raise refusal_of(account.pk)
        if waits is not None and _is_same(waits, made):
            _touch(mine)
            return waits
        club.check_new_matches(made.game)
        _judge_limits(account, made)
        if waits is not None:
            mine.filter(id=waits.id).update(**_ended(Seek.Ending.WITHDRAWN))
        made.created_at = made.seen_at = now_in_milliseconds()
        made.save(force_insert=True)
    return made


def _answered(account: User, made: Seek) -> Seek | None:
    """The seek that the same key made before."""
    if made.key is None:
        return None
    before = Seek.objects.filter(account=account, key=made.key).first()
    if before is not None and not _is_same(before, made):
        raise selectors.KeyOfAnotherSeek
    return before


def _paired_since(begun: datetime, account: User, made: Seek) -> Seek | None:
    """The same wish, come true while this request waited for its row."""
    earlier = Seek.objects.filter(account=account, game=made.game, paired_at__gte=begun)
    return next((one for one in earlier if _is_same(one, made)), None)


def _is_same(one: Seek, other: Seek) -> bool:
    """Of the same terms."""
    return _terms(one) == _terms(other)


def _terms(one: Seek) -> tuple[object, ...]:
    earlier = [getattr(one, name) for name in _TERMS]
    return tuple(bytes(each) if isinstance(each, memoryview) else each for each in earlier)


def _new_seek(account: User, wish: NewSeek, key: str | None) -> Seek:
    game, options = _rules(wish)
    return Seek(
        account=account,
        game=game.slug,
        preset=wish.preset or "",
        options=msgspec.json.encode(options),
        pace=clock_pace(wish.clock).slug if wish.clock else wish.pace,
        rated=wish.rated,
        seats=game.seats(options),
        computers_after=wish.computers_after,
        key=key,
    )


def _rules(wish: NewSeek) -> tuple[AnyGame, Options]:
    """Raises UnknownGame, BadOptions or BadSeats."""
    values: Mapping[str, int] = {} if wish.seats is None else {"players": wish.seats}
    game, options = opening.find_terms(wish.game, None, wish.preset, wish.clock)
    if "players" in game.options.__struct_fields__:
        game, options = opening.find_terms(wish.game, values, wish.preset)
    seats = game.seats(options)
    if wish.seats not in (None, seats):
        raise BadSeats("This game is not played by as many.")
    if seats > MOST_SEATS:
        raise BadSeats("At most eight people are paired at one table.")
    return game, options


def _judge_limits(account: User, made: Seek) -> None:
    """Refuses who could not sit down: for a side deck, or for too many running matches."""
    options = made.rules.decode_options(bytes(made.options))
    seat = Seat(index=0, kind=Seat.Kind.USER, user=account, name=account.display_name)
    assign_side_deck(made.rules, options, seat, account, None)
    row = as_match(account, made)
    opening.check_active_limit(row, [seat])
    if made.rated and has_limit(row) and who_stays_away([account.pk]):
        raise selectors.StaysAway
    programs.check_seats(row, [account.pk] if account.is_bot else [], by_pairing=True)


def as_match(account: User, made: Seek) -> Match:
    """The match that it would become, as far as its terms say."""
    pace = made.named_pace
    return Match(
        creator_id=account.pk,
        game=made.game,
        rules_version=made.rules.rules_version,
        options=made.options,
        turn_seconds=pace.turn_seconds,
        clock=pace.clock.encode() if pace.clock else None,
    )


def withdraw(*, account: User, seek_id: UUID) -> Seek:
    """Ends a seek that waits; again is no error. Raises NoSuchSeek or AlreadyPaired."""
    mine = Seek.objects.filter(id=seek_id, account=account)
    changed = mine.filter(match__isnull=True, ended_at__isnull=True)
    changed.update(**_ended(Seek.Ending.WITHDRAWN))
    earlier = mine.first()
    if earlier is None:
        raise selectors.NoSuchSeek
    if earlier.match_id is not None:
        raise selectors.AlreadyPaired(match_id=str(earlier.match_id))
    return earlier


def end_all_of(account: UUID) -> int:
    """Ends all that an account waits for, which may not play any more."""
    return selectors.waiting().filter(account=account).update(**_ended(Seek.Ending.REFUSED))


def end(seeks: QuerySet[Seek], ending: Seek.Ending) -> None:
    """Ends those of these waiting seeks that nobody else changes at this moment."""
    with transaction.atomic():
        if ids := _locked(seeks):
            Seek.objects.filter(id__in=ids).update(**_ended(ending))


def sign_of_life(accounts: Collection[UUID]) -> None:
    """These people are there; called for each request, and now and then for all who listen.

    A database that only reads takes no sign, and ends nobody's wait either.
    """
    if not accounts:
        return
    with suppress(ReadOnly):
        _touch(selectors.waiting().filter(account__in=accounts))


def sign_of_life_of_all() -> None:
    """Nobody could give one, so everybody has time for it again."""
    _touch(selectors.waiting())


def _touch(seeks: QuerySet[Seek]) -> None:
    """Seeks that are being paired at this moment need no sign any more."""
    with transaction.atomic():
        if ids := _locked(seeks):
            Seek.objects.filter(id__in=ids).update(seen_at=timezone.now())


def _locked(seeks: QuerySet[Seek]) -> list[UUID]:
    return list(seeks.select_for_update(skip_locked=True).values_list("id", flat=True))


def _ended(ending: Seek.Ending) -> dict[str, datetime | str]:
    return {"ended_at": timezone.now(), "ending": ending.value}


# The work for people who wait: a worker plans tables and opens their matches, each once.
#
# A plan is read without a lock and may be out of date. A table locks the seeks of its people,
# skips what another worker has locked, then the accounts, and looks again: who was suspended,
# blocked, paired or gone meanwhile is not seated. The match and the seeks are written in one
# transaction, so a seek has its match or still waits.

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
    """Seeks for the same match."""

    game: str
    options: bytes
    pace: str
    rated: bool
    seats: int


def pair_all() -> int:
    """The number of matches opened for waiting people."""
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
    looked, gone = cache.get(LOOKED), now - PATIENCE
    cache.set(LOOKED, now.timestamp(), timeout=60)
    if not isinstance(looked, float) or now.timestamp() - looked > STOOD_STILL:
        sign_of_life_of_all()
        return
    end(selectors.waiting().filter(seen_at__lt=gone), Seek.Ending.LAPSED)


def forget_seeks() -> int:
    """Deletes seeks that nobody needs any more; how many."""
    now = timezone.now()
    old = Q(ended_at__lt=now - ENDED_KEPT) | Q(paired_at__lt=now - PAIRED_KEPT)
    return Seek.objects.filter(old).delete()[0]


def _pools() -> dict[Pool, list[Seek]]:
    by_pool: defaultdict[Pool, list[Seek]] = defaultdict(list)
    there = selectors.waiting().filter(seen_at__gte=timezone.now() - PATIENCE)
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
    plan = selectors.tables(waiting, pool.seats, company)
    return sum(each("seeks", plan, partial(_seat, pool), key=lambda one: one.people[0].seek))


def _waiting(game: str, seeks: Sequence[Seek]) -> list[selectors.Waiting]:
    ratings, now = ratings_for(game, [seek.account_id for seek in seeks]), timezone.now()
    return [
        selectors.Waiting(
            seek=seek.id,
            account=seek.account_id,
            rating=ratings[seek.account_id],
            waited=(now - seek.created_at).total_seconds(),
            computers_after=seek.computers_after,
            is_bot=seek.account.is_bot,
        )
        for seek in seeks
    ]


def _seat(pool: Pool, table: selectors.Table) -> bool:
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
    end(selectors.waiting().filter(id=seek), Seek.Ending.REFUSED)
    return False


def _opened(pool: Pool, table: selectors.Table) -> bool:
    ids = [one.seek for one in table.people]
    free = _free(ids).select_related("account").order_by("created_at")
    seeks = list(free.select_for_update(skip_locked=True, of=("self",)))
    if len(seeks) < len(ids):
        return False
    accounts = [one.account for one in table.people]
    with locked_accounts(*accounts) as active:
        if gone := _cannot_come(seeks, active):
            ids_gone = [seek.id for seek in gone]
            end(selectors.waiting().filter(id__in=ids_gone), Seek.Ending.REFUSED)
            return False
        if selectors.blocks_among(accounts):
            return False  # the next plan knows of it
        match = _open(pool, seeks, table.computers)
        Seek.objects.filter(id__in=ids).update(match=match.id, paired_at=timezone.now())
        _end_others(pool, accounts)
    return True


def _free(ids: Iterable[UUID]) -> Any:
    there = timezone.now() - PATIENCE
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
    row = as_match(seek.account, seek)
    try:
        check_seats(row, [seek.account_id], by_pairing=True)
    except ProgramDeclines:
        return True
    return False


def _end_others(pool: Pool, accounts: Sequence[UUID]) -> None:
    """A person who sits at a table now waits for no other one."""
    if not find_pace(pool.pace).is_live:
        return
    others = selectors.waiting().filter(IS_LIVE, account__in=accounts)
    end(others, Seek.Ending.WITHDRAWN)


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
    rated = sorted((bot for bot in offered_bots(game) if bot.rated), key=lambda bot: bot.level)
    offered = [bot for bot in rated if bot.suggested] or rated or [game.bot(game.stand_in)]
    return offered[(len(offered) - 1) // 2]


SEEKS: Final = Duty(
    name="seeks",
    piece=pair_all,
    due="""
SELECT NULL::timestamptz, NULL FROM lobby_seek
WHERE match_id IS NULL AND ended_at IS NULL""",
    every=2,
)
FORGOTTEN: Final = Duty(name="old seeks", piece=forget_seeks, every=60)
