"""Bot accounts: how one is made, their lists, and what happens when one is silent.

The owner's word is asked for because the page of the account will name them. Until then nothing
has changed, and asking again changes what was asked.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Annotated, Any, Final, NamedTuple
from uuid import UUID

import msgspec
import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count, F, QuerySet
from django.utils import timezone

from accounts.locking import locked_accounts, refusal_of
from accounts.models import User
from accounts.names import signed
from accounts.skeleton import skeleton
from accounts.social.selectors import blocked_either_way, online, who_blocked
from cardroom.rules import catalog
from cardroom.rules.text import Words, say
from config import club
from config.refusals import NotAllowed, NotFound, Refusal
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.absent import of_installed_games
from games.bot_accounts.models import Program
from games.matches import leaving
from games.matches.folding import rename
from games.matches.models import Match, Seat
from games.matches.refusals import UnknownUser
from games.matches.seats import find_invited
from games.matches.selectors.access import snapshot_of
from games.matches.time_bank import DAY, terms_of

# Every read of bot accounts: the public list, and what an owner has to answer.

MOST: Final = 200  # of a list: those that are online come first


class Listed(NamedTuple):
    """``running`` are the matches that it plays now; ``is_free``: it is there and has room."""

    program: Program
    is_online: bool
    running: int

    @property
    def is_free(self) -> bool:
        return self.is_online and self.running < self.program.at_once


def confirmed() -> QuerySet[Program]:
    """Bot accounts that may play: each has its own account and a person who answers for it."""
    return Program.objects.filter(
        confirmed_at__isnull=False, account__is_active=True, owner__is_active=True
    )


def bot_accounts(reader: UUID | None, game: str = "") -> list[Listed]:
    """Bot accounts of a game, or all; present ones first. Nobody sees who blocked them."""
    rows = confirmed().select_related("account", "owner").order_by("account__username")
    if reader is not None:
        rows = rows.exclude(account__in=blocked_either_way(reader))
    listed = _listed([row for row in rows if not game or plays_game(row, game)])
    there = sorted(listed, key=lambda one: (not one.is_online, one.running >= one.program.at_once))
    return there[:MOST]


def program_of(account: UUID) -> Program | None:
    return Program.objects.select_related("account", "owner").filter(account=account).first()


def listed(program: Program) -> Listed:
    return _listed([program])[0]


def programs_of(owner: User) -> list[Listed]:
    """Bot accounts for which a person answers, or is to answer."""
    rows = Program.objects.filter(owner=owner).select_related("account", "owner")
    return _listed(list(rows.order_by("account__username")))


def plays_game(program: Program, game: str) -> bool:
    return not program.plays or any(one["game"] == game for one in program.plays)


def running_of(accounts: Sequence[UUID]) -> dict[UUID, int]:
    """The number of matches that each of them plays now."""
    seats = Seat.objects.filter(
        user__in=accounts, place=None, resigned_at=None, match__status="active"
    )
    counts = seats.order_by().values("user").annotate(n=Count("match", distinct=True))
    return dict(counts.values_list("user", "n"))


def _listed(rows: Sequence[Program]) -> list[Listed]:
    accounts = [row.account_id for row in rows]
    there, running = online(accounts), running_of(accounts)
    return [Listed(row, row.account_id in there, running.get(row.account_id, 0)) for row in rows]


# The games of a bot account, how much at once, and what becomes of its seat when it is gone.
#
# Its silence has an end in every match: by the clock, or after ``PATIENCE`` where there is none.
# In a match that is not rated the house's stand-in plays on, and the program may take the seat
# back; in a rated one the program loses, as a person does whose time is up.

PATIENCE: Final = timedelta(minutes=5)
AT_ONCE: Final = 200
NAME: Final = "silent bot accounts"
BLITZ_SECONDS: Final = 30
BLITZ_BANK: Final = 300

log = structlog.get_logger(__name__)


def refuses_seat(account: User, row: Match, *, by_pairing: bool = False) -> Words | None:
    """The reason why a bot account takes no seat in this match; none where it may."""
    rows = Program.objects.filter(account=account, confirmed_at__isnull=False)
    program = rows.select_related("owner").first()
    if program is None:
        return None
    if not program.owner.is_active:
        return say("Nobody answers for {name} any more.", name=account.display_name)
    if by_pairing and not program.seeks:
        return say("Its owner does not want this bot account to be paired.")
    if not _plays(program, row):
        return say("{name} does not play this.", name=account.display_name)
    if running_of([account.pk]).get(account.pk, 0) >= program.at_once:
        return say("{name} plays as many matches as it can.", name=account.display_name)
    return None


def _plays(program: Program, row: Match) -> bool:
    if not plays_game(program, row.game):
        return False
    if program.paces and pace_of(row) not in program.paces:
        return False
    presets = [one["presets"] for one in program.plays if one["game"] == row.game]
    wanted = [preset for some in presets for preset in some]
    return not wanted or any(not some for some in presets) or _preset_among(row, wanted)


def _preset_among(row: Match, presets: list[str]) -> bool:
    options = row.rules.decode_options(bytes(row.options))
    return any(row.rules.presets.get(preset) == options for preset in presets)


def pace_of(row: Match) -> str:
    """As ratings name it: a match without any limit is slow."""
    if clock := terms_of(row.clock):
        return "blitz" if clock.bank <= BLITZ_BANK else "normal"
    if row.turn_seconds is None or row.turn_seconds >= DAY:
        return "slow"
    return "blitz" if row.turn_seconds <= BLITZ_SECONDS else "normal"


def replace_silent() -> int:
    """Ends the waiting for bot accounts in matches without a clock; how many seats."""
    silent = Seat.objects.filter(
        of_installed_games("match__"),
        user__is_bot=True,
        stand_in="",
        resigned_at=None,
        match__status=Match.Status.ACTIVE,
        match__deadline_at=None,
        match__updated_at__lt=timezone.now() - PATIENCE,
        match__to_act__contains=[F("index")],
    )
    seats = list(silent.order_by("match_id").values_list("match_id", "index")[:AT_ONCE])
    return sum(
        each(NAME, seats, lambda seat: _replace(*seat), key=lambda seat: f"{seat[0]} {seat[1]}")
    )


def _replace(match_id: UUID, index: int) -> bool:
    try:
        with transaction.atomic():
            row = Match.objects.select_for_update().get(id=match_id)
            seats = list(row.seats.order_by("index"))
            if row.updated_at >= timezone.now() - PATIENCE or seats[index].stand_in:
                return False  # it has moved at the last moment
            if row.status != Match.Status.ACTIVE or index not in row.to_act:
                return False
            if not row.rated:
                stand_in = snapshot_of(row, seats).rules.stand_in
                leaving.hand_over(row, seats, index, stand_in, by_clock=True)
                return True
        leaving.resign_silent(match_id=match_id, seat=index, version=row.version)
    except Refusal:
        return False
    log.info("program_silent", match=str(match_id), seat=index)
    return True


SILENT: Final = Duty(name=NAME, piece=replace_silent, every=15, idle=60)

# Why an account becomes no bot's, or is not confirmed.


class NoSuchBotAccount(NotFound):
    """There is no such bot account, or it is not yours."""


class HasPlayedRated(Refusal, status=409):
    """This account has played rated matches as a person. Register another one for the program."""


class AlreadyABotAccount(Refusal, status=409):
    """This is a bot account already, and stays one."""


class NotAnOwner(Refusal, status=422):
    """The owner of a bot account is a person with an account of their own."""


class TooManyPrograms(Refusal, status=409, members={"limit": int}):
    """The owner has as many bot accounts as one person may have."""


class BadProgram(Refusal, status=422):
    """This is nothing that can be played here."""


Slug = Annotated[str, msgspec.Meta(max_length=64)]


class PlaysGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game; ``presets`` names the rules that are played, empty: any."""

    game: Slug
    presets: Annotated[list[Slug], msgspec.Meta(max_length=32)] = []


class Manners(msgspec.Struct, frozen=True, kw_only=True):
    """A program's statement of itself and of its games; ``seeks``: pairing may seat it."""

    description: str = ""
    plays: Sequence[PlaysGame] = ()
    paces: Sequence[str] = ()
    at_once: int = 1
    seeks: bool = False

    @property
    def columns(self) -> dict[str, Any]:
        values: dict[str, Any] = msgspec.to_builtins(self)
        return values


def ask_for_bot(*, account: User, owner: str, manners: Manners) -> Program:
    """Asks a person to be the owner; raises a refusal where the account cannot become a bot's."""
    _check_plays(manners)
    person = _owner(account, owner)
    club.check_who("programs", person)
    with locked_accounts(account.pk, person.pk) as active:
        if account.pk not in active:
            raise refusal_of(account.pk)
        _check_account(account)
        _check_room(person, account)
        row, _ = Program.objects.update_or_create(
            account=account, defaults={"owner": person, **manners.columns}
        )
    return row


def change_bot(*, account: User, **changes: Any) -> Program:
    """Changes what the program says of itself; the owner stays."""
    row = Program.objects.filter(account=account).first()
    if row is None:
        raise NoSuchBotAccount
    _check_plays(msgspec.convert(changes, Manners))
    for name, value in changes.items():
        setattr(row, name, msgspec.to_builtins(value))
    row.save(update_fields=[*changes])
    return row


def confirm_bot(*, owner: User, username: str) -> Program:
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


def refuse_bot(*, owner: User, username: str) -> None:
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
