"""Finding matches for operators, by indexes that no move changes.

A person is found first, by the beginning of a name, then the newest matches of this person. Ids are
UUIDv7: their beginning is a time, so a time is a range of the primary key. Nothing counts rows, and
only a part from the middle or the end of an id is looked for row by row.
"""

from datetime import datetime
from typing import Final, TypeVar, cast
from uuid import UUID

from django.db.models import F, Model, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Replace, Upper
from django.utils import timezone

from accounts.models import User
from games.absent import is_absent, of_installed_games
from games.idle.selectors import ABSENT_AFTER, idle_for
from games.matches.models import Match, Seat
from games.operations.watching.problems import BOT_IS_LATE, STALLED

PEOPLE: Final = 20
MATCHES: Final = 1000
_Row = TypeVar("_Row", bound=Model)
_HEX: Final = frozenset("0123456789abcdef-")


def search(matches: QuerySet[Match], term: str) -> QuerySet[Match]:
    """The matches with this id, part of an id, commitment, or beginning of a player's name."""
    term = term.strip()
    digits = term.lower().replace("-", "")
    if len(digits) == 64 and set(digits) <= _HEX:
        return matches.filter(commitment=digits)
    if is_part_of_id(term):
        return of_id(matches, term)
    return matches.filter(id__in=_matches_of(term))


def is_part_of_id(term: str) -> bool:
    """Whether so many digits of an id can be looked for; fewer are rather a name."""
    digits = term.strip().lower().replace("-", "")
    return 8 <= len(digits) <= 32 and set(digits) <= _HEX


def of_id(rows: QuerySet[_Row], term: str) -> QuerySet[_Row]:
    """Rows whose id begins so, by its index; or, where none does, that have it anywhere."""
    digits = term.strip().lower().replace("-", "")
    first, last = UUID(digits.ljust(32, "0")), UUID(digits.ljust(32, "f"))
    beginning = rows.filter(pk__range=(first, last))
    if beginning.exists():
        return beginning
    text = Replace(Cast("pk", TextField()), Value("-"), Value(""), output_field=TextField())
    return cast("QuerySet[_Row]", rows.alias(digits=text).filter(digits__contains=digits))


def people_named(term: str) -> QuerySet[User]:
    """The people whose username or display name begins so, in whatever case."""
    begins = Q(upper_name__startswith=term.upper()) | Q(upper_shown__startswith=term.upper())
    names = User.objects.annotate(
        upper_name=Upper("username"), upper_shown=Upper("display_name")
    ).filter(begins)
    return names.order_by()[:PEOPLE]


def _matches_of(term: str) -> list[UUID]:
    """The newest matches of the people so called, and of the guests at their devices."""
    people = list(people_named(term).values_list("pk", flat=True))
    seated = Seat.objects.filter(user__in=people).order_by("-match_id")
    local = Seat.objects.annotate(upper_name=Upper("name")).filter(
        kind="local", upper_name__startswith=term.upper()
    )
    ids = set(seated.values_list("match_id", flat=True)[:MATCHES])
    return sorted(ids | set(local.order_by().values_list("match_id", flat=True)[:MATCHES]))


def since(matches: QuerySet[Match], at: datetime) -> QuerySet[Match]:
    """The matches created since then, by their ids."""
    return matches.filter(id__gte=UUID(int=int(at.timestamp() * 1000) << 80))


PROBLEMS: Final = {
    "stalled": "Nobody moves",
    "idle": "Somebody is absent for three days",
    "owes_bot": "A bot's turn is overdue",
    "late": "Past its deadline",
    "handed": "A bot stands in",
    "absent": "Its game is not installed",
    "reported": "Reported",
}


def with_problem(matches: QuerySet[Match], problem: str) -> QuerySet[Match]:
    """Running matches with one of ``PROBLEMS``; ``reported`` also when they are over."""
    now, active = timezone.now(), matches.filter(status=Match.Status.ACTIVE)
    playable = active.filter(of_installed_games())
    match problem:
        case "stalled":
            return playable.filter(updated_at__lt=now - STALLED)
        case "idle":
            return matches.filter(id__in=idle_for(ABSENT_AFTER).order_by().values("id"))
        case "owes_bot":
            return playable.filter(bot_due_at__lt=now - BOT_IS_LATE)
        case "late":
            return playable.filter(deadline_at__lt=now)
        case "handed":
            handed = Seat.objects.filter(~Q(stand_in="")).order_by()
            return active.filter(id__in=handed.values("match_id"))
        case "absent":
            return active.exclude(of_installed_games())
        case "reported":
            return matches.filter(reports__resolved_at=None, reports__isnull=False).distinct()
    return matches


def open_problems(match: Match, now: datetime) -> list[str]:
    """The troubles that show in the row alone, without its state."""
    if match.status != Match.Status.ACTIVE:
        return []
    if is_absent(match.rules):
        return [PROBLEMS["absent"]]
    due = match.bot_due_at is not None and now - match.bot_due_at > BOT_IS_LATE
    late = match.deadline_at is not None and match.deadline_at < now
    troubles = {
        "owes_bot": due,
        "late": late,
        "stalled": not match.bot_due_at and now - match.updated_at > STALLED,
        "handed": any(seat.stand_in for seat in match.seats.all()),
    }
    return [PROBLEMS[problem] for problem, is_so in troubles.items() if is_so]


def oldest_due_bot_turn() -> datetime | None:
    """Since when the bot turn that has waited longest is due."""
    due = Match.objects.filter(
        of_installed_games(), status=Match.Status.ACTIVE, bot_due_at__lt=timezone.now()
    )
    return due.order_by(F("bot_due_at").asc()).values_list("bot_due_at", flat=True).first()
