"""Seeking a match, giving up, and the signs of life of those who wait.

A seek is locked before its account: pairing takes the locks in the same order.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.services.locking import locked_accounts
from accounts.suspensions import refusal_of
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options
from config import club
from config.clock import now_in_milliseconds
from config.postgres.connections import ReadOnly
from config.tasks import after_commit, duties
from games.lobby import selectors
from games.lobby.models import Seek
from games.lobby.paces import clock_pace
from games.lobby.refusals import AlreadyPaired, KeyOfAnotherSeek, NoSuchSeek, StaysAway
from games.matches.models import Match, Seat
from games.matches.refusals import BadSeats
from games.matches.seating import limits, opening, programs
from games.matches.seating.first_moves import has_limit, who_stays_away
from games.matches.seating.seats import assign_side_deck
from games.matches.time_bank import Clock

MOST_SEATS: Final = 8
PATIENCE: Final = timedelta(seconds=15)  # without a sign of life
_TRIES: Final = 5
_TERMS: Final = ("game", "options", "pace", "rated", "seats", "computers_after")


@dataclass(frozen=True)
class Wish:
    """What somebody wants to play. Without ``seats`` as many as the preset has.

    A ``clock`` takes the place of the ``pace``.
    """

    game: str
    pace: str
    preset: str | None = None
    rated: bool = True
    seats: int | None = None
    computers_after: int | None = None
    clock: Clock | None = None


def seek(*, account: User, wish: Wish, key: str | None = None) -> Seek:
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
    raise AlreadyPaired("Your seeks change too quickly. Try again.")


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
        raise KeyOfAnotherSeek
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


def _new_seek(account: User, wish: Wish, key: str | None) -> Seek:
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


def _rules(wish: Wish) -> tuple[AnyGame, Options]:
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
    limits.judge_active(row, [seat])
    if made.rated and has_limit(row) and who_stays_away([account.pk]):
        raise StaysAway
    programs.judge_seats(row, [account.pk] if account.is_bot else [], by_pairing=True)


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
        raise NoSuchSeek
    if earlier.match_id is not None:
        raise AlreadyPaired(match_id=str(earlier.match_id))
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
    """Those that are being paired at this moment need no sign any more."""
    with transaction.atomic():
        if ids := _locked(seeks):
            Seek.objects.filter(id__in=ids).update(seen_at=timezone.now())


def _locked(seeks: QuerySet[Seek]) -> list[UUID]:
    return list(seeks.select_for_update(skip_locked=True).values_list("id", flat=True))


def _ended(ending: Seek.Ending) -> dict[str, datetime | str]:
    return {"ended_at": timezone.now(), "ending": ending.value}
