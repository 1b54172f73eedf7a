"""Every read of bot accounts: the public list, and what an owner has to answer."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Count, QuerySet

from accounts.models import User
from accounts.social.presence import online
from accounts.social.selectors import blocked_either_way
from games.bot_accounts.models import Program
from games.matches.models import Seat

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
    """Those that may play: an account of their own, and a person who answers for it."""
    return Program.objects.filter(
        confirmed_at__isnull=False, account__is_active=True, owner__is_active=True
    )


def bot_accounts(reader: UUID | None, game: str = "") -> list[Listed]:
    """Those of a game, or all; the ones that are there first. Nobody sees who blocked them."""
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
    """Those for which a person answers, or is to answer."""
    rows = Program.objects.filter(owner=owner).select_related("account", "owner")
    return _listed(list(rows.order_by("account__username")))


def plays_game(program: Program, game: str) -> bool:
    return not program.plays or any(one["game"] == game for one in program.plays)


def running_of(accounts: Sequence[UUID]) -> dict[UUID, int]:
    """How many matches each of them plays now."""
    seats = Seat.objects.filter(
        user__in=accounts, place=None, resigned_at=None, match__status="active"
    )
    counts = seats.order_by().values("user").annotate(n=Count("match", distinct=True))
    return dict(counts.values_list("user", "n"))


def _listed(rows: Sequence[Program]) -> list[Listed]:
    accounts = [row.account_id for row in rows]
    there, running = online(accounts), running_of(accounts)
    return [Listed(row, row.account_id in there, running.get(row.account_id, 0)) for row in rows]
