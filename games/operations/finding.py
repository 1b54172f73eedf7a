"""Finding matches for operators, by indexes that no move changes.

A person is found first, by the beginning of a name, then the newest matches of this person. Ids are
UUIDv7: their beginning is a time, so a time is a range of the primary key. Nothing counts rows, and
only a part from the middle or the end of an id is looked for row by row.
"""

from collections.abc import Iterator, MutableMapping
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar, cast
from uuid import UUID

import msgspec
from django.db.models import F, Model, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Replace, Upper
from django.utils import timezone

from accounts.audit.log import Actor
from accounts.models import User
from config.refusals import NotAllowed
from games.absent import GameNotInstalled, is_absent, of_installed_games
from games.idle.ending import ABSENT_AFTER, absent_seats, idle_for
from games.matches.models import Match, Seat
from games.matches.selectors.access import get_match
from games.matches.selectors.secrecy import (
    Family,
    is_sealed,
    may_tell_all,
    plays_among,
    plays_with_same_cards,
    relatives,
)
from games.matches.snapshot import MatchSnapshot
from games.operations import refereeing
from games.operations.refereeing import bots_not_installed, seats_to_give_back

# The troubles of a running match, in sentences for operators.

BOT_IS_LATE = timedelta(seconds=10)
STALLED = timedelta(days=1)


class Trouble(msgspec.Struct, frozen=True):
    """``act`` is the slug of the act that may repair it."""

    sentence: str
    act: str = ""
    is_grave: bool = False


def troubles_of(match: MatchSnapshot, now: datetime) -> Iterator[Trouble]:
    if match.status != "active":
        return
    if not match.is_playable:
        yield Trouble(f"{GameNotInstalled.sentence()} Install it, or abort the match.")
        return
    people = ", ".join(match.names[seat] for seat in match.people_to_act)
    late = f"The time of {people}" if people else "The time"
    quiet = now - match.updated_at
    yield from _of_computers(match, now)
    if match.deadline_at is not None and match.deadline_at < now:
        since = span(now - match.deadline_at)
        yield Trouble(f"{late} ended {since} ago.", "change-deadline", True)
    if people and quiet > STALLED:
        yield Trouble(f"Nobody has moved for {span(quiet)}; {people} is to act.", "hand-to-bot")
    if absent := absent_seats(match, now):
        names = ", ".join(match.names[seat] for seat in absent)
        yield Trouble(f"{names} may be counted as gone: the others may claim or call off.")
    for seat in seats_to_give_back(match):
        sentence = f"{match.seats[seat].stand_in} plays {match.names[seat]}'s seat."
        yield Trouble(sentence, "give-back")


def _of_computers(match: MatchSnapshot, now: datetime) -> Iterator[Trouble]:
    """One that is not installed cannot move before it is, or is replaced."""
    gone = bots_not_installed(match)
    for seat, slug in gone.items():
        sentence = f"The computer {slug!r} of seat {seat} is not installed here."
        yield Trouble(sentence, "hand-to-bot", is_grave=True)
    if gone:
        return
    if match.bot_due_at is not None and now - match.bot_due_at > BOT_IS_LATE:
        bots = [match.names[s] for s in match.to_act if s not in match.people_to_act]
        since = span(now - match.bot_due_at)
        yield Trouble(f"{', '.join(bots)} should have moved {since} ago.", "pay-bot-turn", True)
    elif match.awaits_bot and match.bot_due_at is None:
        yield Trouble("A bot is to act and no turn is scheduled for it.", "pay-bot-turn", True)


def span(time: timedelta) -> str:
    """A time in the one or two largest units: ``3 d 4 h``, ``12 s``."""
    seconds = max(0, int(time.total_seconds()))
    parts = []
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min"), (1, "s")):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2]) or "0 s"


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


def due_bot_turns() -> QuerySet[Match]:
    """Matches with a bot turn that is due, the one that has waited longest first."""
    due = Match.objects.filter(
        of_installed_games(), status=Match.Status.ACTIVE, bot_due_at__lt=timezone.now()
    )
    return due.order_by(F("bot_due_at").asc())


# How an operator may look at a table: as a spectator, or more after a look was opened and logged.
#
# A look is opened with a reason, ends by itself, and is kept in the operator's session. A player
# of the match, or of one with the same cards, gets none.

LOOK_LASTS: Final = timedelta(minutes=15)
PRIVATE, CARDS = "games.watch_private_match", "games.see_hidden_cards"

Session = MutableMapping[str, Any]


def open_look(*, match_id: UUID, user: User, reason: str, session: Session, cards: bool) -> None:
    """Opens a look at a private table, or at every seat's cards; raises ``Refusal`` by cause."""
    match, by = get_match(match_id), Actor.of(user, reason)
    if not user.has_perm(CARDS if cards else PRIVATE):
        raise NotAllowed("Your role does not include this look.")
    if plays_with_same_cards(match_id, user.pk):
        raise NotAllowed("You play in this match, or in one with the same cards.")
    if is_sealed(match):
        raise NotAllowed("Others are dealt these cards too. It opens when all of them are done.")
    refereeing.looked(match=match, by=by, action="ask_for_cards" if cards else "watch_private")
    until = (timezone.now() + LOOK_LASTS).isoformat()
    session[_key(match_id)] = {"until": until, "reason": by.reason, "cards": cards}


def _key(match_id: UUID | str) -> str:
    return f"look:{match_id}"


def _granted(match_id: UUID | str, session: Session) -> dict[str, Any] | None:
    granted: dict[str, Any] | None = session.get(_key(match_id))
    if granted is None or datetime.fromisoformat(granted["until"]) < timezone.now():
        return None
    return granted


def may_watch(match: MatchSnapshot, user: User, session: Session) -> bool:
    """Whether they may see the public view; of a private match only after a look was opened."""
    if not user.has_perm("games.view_match"):
        return False
    if match.visibility != "private":
        return True
    granted = _granted(match.id, session)
    return granted is not None and (user.has_perm(PRIVATE) or user.has_perm(CARDS))


def open_to(user: User, session: Session, match: str) -> Q:
    """A filter of rows by their match (column ``match``): those whose moves ``user`` may read."""
    private = Q(**{f"{match}__visibility": Match.Visibility.PRIVATE})
    if not (user.has_perm(PRIVATE) or user.has_perm(CARDS)):
        return ~private
    return ~private | Q(**{f"{match}_id__in": list(_opened(session))})


def _opened(session: Session) -> Iterator[UUID]:
    """The matches with an open look."""
    for key in session.keys():  # noqa: SIM118 - a session is no mapping to iterate over
        match_id = key.removeprefix(_key(""))
        if match_id != key and _granted(match_id, session) is not None:
            yield UUID(match_id)


def may_see_cards(
    match: MatchSnapshot, user: User, session: Session, family: Family | None = None
) -> bool:
    """Whether they may see every seat's view: as everybody may, or after a look was opened.

    A person who plays with these cards sees none by a look.
    """
    family = family or relatives(match)
    if match.is_over and may_tell_all(match, None, family):
        return True
    granted = _granted(match.id, session)
    is_open = granted is not None and granted["cards"] and user.has_perm(CARDS)
    return is_open and not plays_among(family, match.id, user.pk)


def note_look(match: MatchSnapshot, user: User, session: Session, seat: int, version: int) -> None:
    """Logs each look at a seat's cards of a running match as an entry of its own."""
    granted = _granted(match.id, session)
    if granted is None:
        return
    by = Actor.of(user, granted["reason"])
    refereeing.looked(match=match, by=by, action="see_hidden_cards", seat=seat, ply=version)
