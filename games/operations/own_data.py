"""Everything that is kept of a person, for that person. No secret of a key is kept."""

from datetime import datetime
from typing import Any

from allauth.socialaccount.models import SocialAccount
from axes.models import AccessLog
from django.db.models import F, Q
from msgspec import json

from accounts.hours.services import data_of as hours_of
from accounts.models import User
from accounts.notifications.choices import data_of as notifications_of
from accounts.programs.services import connections_of, programs_of
from accounts.social.selectors import friendships_of, lines_of, privacy_of
from decks.models import Deck
from games.bot_accounts.models import Program
from games.calendars.calendar import address_of
from games.competitions.models import Entrant, Tournament
from games.daily.models import Entry
from games.exercises.solving import data_of as exercises_of
from games.idle.models import Nudge
from games.leagues.models import Line, Membership
from games.lobby.finding import remembered
from games.lobby.models import Challenge, Seek, SeriesMatch
from games.matches.models import Plan, Seat
from games.people.models import Meeting, Tally
from games.phrases.models import Saying
from games.ratings.models import RatedSeat
from games.ratings.scale import deviation, rating
from games.simulations.models import Simulation

ABOUT = (
    "id",
    "username",
    "display_name",
    "email",
    "language",
    "local_letters",
    "in_archive",
    "joined_from",
)
SEEK = ("game", "preset", "pace", "rated", "seats", "created_at", "match_id", "ended_at", "ending")
COUNTS = ("won", "drawn", "lost")
TIMES = ("date_joined", "registered_at", "last_login", "terms_agreed_at")


def data_of(user: User) -> dict[str, Any]:
    """As plain values. The matches are named; their records are exported apart."""
    sign_ins = AccessLog.objects.filter(
        username__iexact=user.username,
        attempt_time__gte=user.date_joined,  # somebody else may have had the name before
    )
    keys = ("name", "scopes", "created_at", "expires_at", "last_used_at")
    return {
        "account": {name: getattr(user, name) for name in ABOUT + TIMES},
        "keys": list(user.keys.filter(connection=None).values(*keys)),
        "browsers": list(user.browser_sessions.values("device", "started_at", "last_used_at")),
        "traces": list(user.traces.values("kind", "at")),
        "sign_in_elsewhere": list(
            SocialAccount.objects.filter(user=user).values("uid", "extra_data", "last_login")
        ),
        "connected_programs": _connected(user),
        "programs": [*map(_program, programs_of(user))],
        "calendar_since": _calendar_since(user),
        "decks": list(Deck.objects.filter(owner=user).values("name", "cards", "created_at")),
        "matches": [*map(_match, _seats(user))],
        "deals_of_the_day": _daily(user),
        "exercises": exercises_of(user.pk),
        "lobby_filter": remembered(user.pk).text,
        "series": _series(user),
        "plans": _plans(user),
        "seeks": list(Seek.objects.filter(account=user).values(*SEEK)),
        "challenges": _challenges(user),
        "bot_accounts": _programs(user),
        "tournaments": _tournaments(user),
        "leagues": _leagues(user),
        "notifications": notifications_of(user.pk),
        "hours": hours_of(user.pk),
        "nudges": list(Nudge.objects.filter(user=user).values("match_id", "version", "at")),
        "simulations": list(Simulation.objects.filter(owner=user).values("id", "created_at")),
        "reports_made": _reports(user),
        "sign_ins": list(sign_ins.values("attempt_time", "ip_address", "user_agent")),
        "blocks": list(user.blocks.values("created_at", username=F("blocked__username"))),
        "friends": _friends(user),
        "privacy": _privacy(user),
        "mutes": list(user.mutes.values("at", username=F("muted__username"))),
        "phrases": list(Saying.objects.filter(account=user).values("match_id", "phrase", "at")),
        "results": list(Tally.objects.filter(account=user).values("game", "bot", *COUNTS)),
        "meetings": _meetings(user),
        "ratings": _ratings(user),
        "silences": list(user.silences.values("at", "until", "reason")),
        "messages_from_operators": list(user.notices.values("at", "text", "read_at")),
        "suspensions": list(user.suspensions.values("at", "until", "reason")),
        "appeals": list(user.reports_made.filter(match=None).values("text", "at", "answer")),
        "notes_of_operators": list(user.notes.values("at", "text")),
    }


def _reports(user: User) -> list[dict[str, Any]]:
    rows = user.reports_made.filter(match__isnull=False)
    return [dict(row) for row in rows.values("match_id", "reason", "text", "at", "answer")]


def _calendar_since(user: User) -> datetime | None:
    address = address_of(user)
    return address.created_at if address else None


def _challenges(user: User) -> list[dict[str, Any]]:
    """Challenges that they sent, and those that they received."""
    rows = Challenge.objects.filter(Q(challenger=user) | Q(challenged=user)).order_by("match_id")
    values = rows.values_list("match_id", "challenger_id", "created_at")
    return [
        {"match_id": match, "sent": challenger == user.pk, "created_at": at}
        for match, challenger, at in values
    ]


def _programs(user: User) -> list[dict[str, Any]]:
    """The account itself, if a program plays with it, and those for which they answer."""
    rows = Program.objects.filter(Q(account=user) | Q(owner=user)).order_by("account")
    names = ("description", "plays", "paces", "at_once", "seeks", "asked_at", "confirmed_at")
    return list(rows.values(*names, name=F("account__username"), owner_name=F("owner__username")))


def _connected(user: User) -> list[dict[str, Any]]:
    names = ("scopes", "connected_at", "last_used_at", "expires_at")
    return [
        {"name": row.client.name} | {name: getattr(row, name) for name in names}
        for row in connections_of(user)
    ]


def _program(client: Any) -> dict[str, Any]:
    return {
        "client_id": client.pk,
        "name": client.name,
        "kind": client.type,
        "redirect_uris": client.get_redirect_uris(),
        "created_at": client.created_at,
    }


def _plans(user: User) -> list[dict[str, Any]]:
    """Moves that their seats would play next. It is their own secret, and nobody else's."""
    seats = {(seat.match_id, seat.index) for seat in Seat.objects.filter(user=user)}
    rows = Plan.objects.filter(match__in={match for match, _ in seats}).order_by("match_id", "seat")
    return [
        {
            "match_id": row.match_id,
            "seat": row.seat,
            "steps": json.decode(bytes(row.steps)),
            "dropped": row.dropped,
            "at": row.at,
        }
        for row in rows
        if (row.match_id, row.seat) in seats
    ]


def _tournaments(user: User) -> dict[str, Any]:
    """Tournaments that they held, and those that they took part in or were invited to."""
    held = Tournament.objects.filter(creator=user).order_by("id")
    part = Entrant.objects.filter(account=user).order_by("id")
    return {
        "held": list(held.values("id", "name", "created_at")),
        "taken_part": list(part.values("tournament_id", "state", "number", "rating", "joined_at")),
    }


def _leagues(user: User) -> dict[str, Any]:
    """Leagues that they play in, and where they stood each week."""
    result = ("tier", "division", "since", "rating", "points", "matches", "place", "move")
    weeks = Line.objects.filter(account=user).order_by("week__monday", "week__game")
    return {
        "joined": list(Membership.objects.filter(account=user).values("game", "joined_at")),
        "weeks": list(weeks.values(*result, game=F("week__game"), monday=F("week__monday"))),
    }


def _friends(user: User) -> list[dict[str, Any]]:
    """As the person may know it: one that was declined looks like one that waits."""
    lines = lines_of(user.pk, friendships_of(user.pk))
    return [
        {"username": line.person.username, "state": line.state, "since": line.since}
        for line in lines
    ]


def _privacy(user: User) -> dict[str, bool]:
    row = privacy_of(user.pk)
    names = ("hides_profile", "hides_presence", "hides_titles")
    return {name: getattr(row, name) for name in names}


def _meetings(user: User) -> list[dict[str, Any]]:
    rows = Meeting.objects.filter(account=user, opponent__is_active=True)
    return list(rows.values("game", *COUNTS, opponent_name=F("opponent__username")))


def _ratings(user: User) -> list[dict[str, Any]]:
    """As they are shown, with what each rated match made of them."""
    rows = RatedSeat.objects.filter(account=user).order_by("at", "rated_match")
    changes = rows.values_list("board", "at", "rated_match_id", "mean_before", "mean", "variance")
    return [
        {
            "board": board,
            "at": at,
            "match_id": match_id,
            "before": rating(before),
            "after": rating(after),
            "deviation": deviation(variance),
        }
        for board, at, match_id, before, after, variance in changes
    ]


def _daily(user: User) -> list[dict[str, Any]]:
    rows = Entry.objects.filter(account=user).order_by("id")
    names = ("day", "game", "match_id", "at", "score")
    values = rows.values_list("daily__day", "daily__game", "match_id", "at", "score")
    return [dict(zip(names, row, strict=True)) for row in values]


def _series(user: User) -> list[dict[str, Any]]:
    rows = SeriesMatch.objects.filter(match__seats__user=user).order_by("match_id")
    return [{"series": row.series, "match_id": row.match_id} for row in rows]


def _seats(user: User) -> Any:
    seats = Seat.objects.filter(user=user).select_related("match").order_by("match_id", "index")
    return seats.only("match__game", "match__created_at", "index", "name").iterator()


def _match(seat: Seat) -> dict[str, Any]:
    return {
        "id": seat.match_id,
        "game": seat.match.game,
        "seat": seat.index,
        "name": seat.name,
        "created_at": seat.match.created_at,
    }
