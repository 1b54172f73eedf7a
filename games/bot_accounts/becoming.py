"""An account becomes a bot's: it asks, its owner confirms. There is no way back.

The owner's word is asked for because the page of the account will name them. Until then nothing
has changed, and asking again changes what was asked.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from accounts.names.bot_sign import signed
from accounts.services.locking import locked_accounts
from accounts.skeleton import skeleton
from accounts.social.selectors import who_blocked
from accounts.suspensions import refusal_of
from cardroom.rules import catalog
from cardroom.rules.text import say
from config.refusals import NotAllowed
from games.bot_accounts.models import Program
from games.bot_accounts.refusals import (
    AlreadyABotAccount,
    BadProgram,
    HasPlayedRated,
    NoSuchBotAccount,
    NotAnOwner,
    TooManyPrograms,
)
from games.matches.history.renaming import rename
from games.matches.models import Seat
from games.matches.refusals import UnknownUser
from games.matches.seating.seats import find_invited


class Plays(msgspec.Struct, frozen=True):
    """A game that a program plays; without ``presets`` by any rules."""

    game: str
    presets: tuple[str, ...] = ()


class Manners(msgspec.Struct, frozen=True, kw_only=True):
    """What a program says of itself and of what it plays; ``seeks``: pairing may seat it."""

    description: str = ""
    plays: tuple[Plays, ...] = ()
    paces: tuple[str, ...] = ()
    at_once: int = 1
    seeks: bool = False

    @property
    def columns(self) -> dict[str, Any]:
        values: dict[str, Any] = msgspec.to_builtins(self)
        return values


def ask(*, account: User, owner: str, manners: Manners) -> Program:
    """Asks a person to be the owner; raises a refusal where the account cannot become a bot's."""
    _check_plays(manners)
    person = _owner(account, owner)
    with locked_accounts(account.pk, person.pk) as active:
        if account.pk not in active:
            raise refusal_of(account.pk)
        _check_account(account)
        _check_room(person, account)
        row, _ = Program.objects.update_or_create(
            account=account, defaults={"owner": person, **manners.columns}
        )
    return row


def change(*, account: User, **changes: Any) -> Program:
    """Changes what the program says of itself; the owner stays."""
    row = Program.objects.filter(account=account).first()
    if row is None:
        raise NoSuchBotAccount
    _check_plays(msgspec.convert(changes, Manners))
    for name, value in changes.items():
        setattr(row, name, msgspec.to_builtins(value))
    row.save(update_fields=[*changes])
    return row


def confirm(*, owner: User, username: str) -> Program:
    """The owner answers for the program: from now on the account is a bot's. Again is no error."""
    waiting = _request(owner, username)
    with locked_accounts(owner.pk, waiting.account_id) as active:
        row = _request(owner, username)
        if row.confirmed_at is None:
            if {owner.pk, waiting.account_id} - active:
                raise refusal_of(owner.pk if owner.pk not in active else waiting.account_id)
            _check_account(row.account)
            _sign(row.account)
            row.confirmed_at = timezone.now()
            row.save(update_fields=["confirmed_at"])
    rename(row.account, row.account.display_name)
    return row


def refuse(*, owner: User, username: str) -> None:
    """The owner does not know the program; what is confirmed stays."""
    row = _request(owner, username)
    if row.confirmed_at is not None:
        raise AlreadyABotAccount
    Program.objects.filter(account=row.account_id, confirmed_at=None).delete()


def _request(owner: User, username: str) -> Program:
    rows = Program.objects.filter(owner=owner, account__username__iexact=username)
    row = rows.select_related("account").first()
    if row is None:
        raise NoSuchBotAccount
    return row


def _owner(account: User, username: str) -> User:
    """As with an invitation: who hides or has blocked the account is nobody to it."""
    if username.strip().lower() == account.username.lower():
        raise NotAnOwner
    person = find_invited(account, username)
    if who_blocked(account.pk, [person.pk]):
        raise UnknownUser(say("There is no player called {name}.", name=repr(username)))
    if person.is_guest or person.is_bot:
        raise NotAnOwner
    return person


def _check_account(account: User) -> None:
    if account.is_bot:
        raise AlreadyABotAccount
    if account.is_guest or account.is_staff:
        raise NotAllowed("Register an account of its own for the program first.")
    if has_played_rated(account.pk):
        raise HasPlayedRated
    if Program.objects.filter(owner=account).exists():
        raise NotAllowed("This account answers for programs itself.")


def has_played_rated(account: UUID) -> bool:
    """Whether it sat, or sits, in a rated match that began."""
    seats = Seat.objects.filter(user=account, match__rated=True, match__started_at__isnull=False)
    return seats.exists()


def _check_room(owner: User, account: User) -> None:
    most: int = settings.LIMITS["programs"]
    if Program.objects.filter(owner=owner).exclude(account=account).count() >= most:
        raise TooManyPrograms(limit=most)


def _check_plays(manners: Manners) -> None:
    most: int = settings.LIMITS["program_matches"]
    if manners.at_once > most:
        raise BadProgram(say("A bot account plays at most {n} matches at once.", n=most))
    known: Mapping[str, Sequence[str]] = {game.slug: [*game.presets] for game in catalog.GAMES}
    for one in manners.plays:
        if one.game not in known:
            raise BadProgram(say("There is no game {name}.", name=repr(one.game)))
        for preset in one.presets:
            if preset not in known[one.game]:
                raise BadProgram(say("There are no rules {name}.", name=repr(preset)))


def _sign(account: User) -> None:
    """Gives the account the sign of bots, of which there may be one of that name."""
    account.is_bot, account.display_name = True, signed(account.display_name)
    account.name_skeleton = skeleton(account.display_name)
    try:
        with transaction.atomic():
            account.save(update_fields=["is_bot", "display_name", "name_skeleton"])
    except IntegrityError:
        raise BadProgram("There is a bot of this name. Give the account another name.") from None
