"""The page of a match: what is wrong, what can be done, and every ply in words and as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from django.contrib import messages
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone

from accounts.audit.models import Entry
from accounts.models import User
from accounts.staff_pages import OwnPage, entries_about
from config.postgres import together
from config.refusals import Refusal
from games.admin.refereeing import allowed_acts, page_of
from games.guests import name_for
from games.idle.models import Nudge
from games.matches import time_bank
from games.matches.models import Match, Notice
from games.matches.selectors.access import get_match
from games.matches.selectors.history import choices_at
from games.matches.selectors.lineage import rounds_of_match
from games.matches.selectors.log import (
    LogEntry,
    entries_between,
    plies_with_requests,
    timeline_of,
)
from games.matches.selectors.secrecy import may_tell_all, plays_among, relatives
from games.matches.snapshot import MatchSnapshot, SeatSnapshot
from games.operations import finding, undoing
from games.operations.finding import span, troubles_of
from games.operations.models import PlayerReport

PLIES_AROUND: Final = 12
PACE_PLIES: Final = 20
ENTRIES_SHOWN: Final = 12


@dataclass(frozen=True)
class SeatLine:
    """A seat of the match: who sits there, who moves, and since when it is to act."""

    seat: SeatSnapshot
    name: str
    username: str
    mover: str
    since: datetime | None
    bank: str = ""


@dataclass(frozen=True)
class Player:
    """The ply that is shown, and the seat whose view of it (``None``: the public one)."""

    ply: int
    last: int
    seat: int | None

    @property
    def steps(self) -> list[tuple[str, str, int, bool]]:
        """Icon, title, ply and whether it is there."""
        return [
            ("first_page", "The deal", 0, self.ply > 0),
            ("chevron_left", "One move back", self.ply - 1, self.ply > 0),
            ("chevron_right", "One move on", self.ply + 1, self.ply < self.last),
            ("last_page", "The newest ply", self.last, self.ply < self.last),
        ]

    @property
    def table(self) -> str:
        query: dict[str, int] = {"ply": self.ply}
        if self.seat is not None:
            query["seat"] = self.seat
        return urlencode(query)


class MatchPage(OwnPage):
    """The page of a match, and the form that asks for a look at what is hidden."""

    admin_site: Any

    def get_urls(self) -> list[Any]:
        look = self.admin_site.admin_view(self.look_page)
        own = path("<uuid:match_id>/look", look, name="games_match_look")
        return [own, *super().get_urls()]  # type: ignore[misc]

    def row_of_page(self, _: HttpRequest, object_id: str) -> MatchSnapshot | None:
        try:
            return get_match(UUID(object_id))
        except (ValueError, Match.DoesNotExist):
            return None

    def own_page(self, request: HttpRequest, match: MatchSnapshot) -> HttpResponse:
        context = self.admin_site.each_context(request) | _context(request, match)
        return TemplateResponse(request, "admin/operators/match.html", context)

    def look_page(self, request: HttpRequest, match_id: UUID) -> HttpResponse:
        if request.method == "POST":
            sent = request.POST
            try:
                finding.open_look(
                    match_id=match_id,
                    user=cast("User", request.user),
                    reason=sent.get("reason", ""),
                    session=request.session,
                    cards=sent.get("what") == "cards",
                )
            except Match.DoesNotExist:
                raise Http404 from None
            except Refusal as refused:
                messages.error(request, str(refused))
        return redirect(page_of(match_id))


def _context(request: HttpRequest, match: MatchSnapshot) -> dict[str, Any]:
    user, now = cast("User", request.user), timezone.now()
    family = relatives(match)
    plays = plays_among(family, match.id, user.pk)
    tells_all = match.is_over and may_tell_all(match, None, family)
    may_watch = finding.may_watch(match, user, request.session)
    sees_cards = may_watch and finding.may_see_cards(match, user, request.session, family)
    player = _player(request.GET, match, sees_cards=sees_cards)
    first, last = player.ply - PLIES_AROUND, player.ply + PLIES_AROUND
    entries = Entry.objects.filter(subject_type="match", subject_id=str(match.id))
    reports = PlayerReport.objects.filter(match_id=match.id, resolved_at=None)
    seated, nudges, undoable, newest, verified, open_reports, notices, plies = together.read(
        User.objects.filter(pk__in={match.creator_id, *family[match.id].holders}).only("username"),
        Nudge.objects.filter(match=match.id).annotate(by=F("user__username"))[:ENTRIES_SHOWN],
        undoing.standing(match.id)[:1],
        entries[:ENTRIES_SHOWN],
        entries.filter(action="verify")[:1],  # the last replay that an operator started
        reports.exclude(reported=user),
        Notice.objects.filter(match_id=match.id).order_by("-id")[:ENTRIES_SHOWN],
        plies_with_requests(match, first, last),
    )
    people = {person.pk: person for person in seated}
    around, latest = _log(match, first, last)
    return {
        "title": f"{match.rules.name}: {', '.join(_names(match))}",
        "match": match,
        "players": ", ".join(_names(match)),
        "creator": people[match.creator_id],
        "seat_lines": list(_seat_lines(match, people)),
        "problems": list(troubles_of(match, now)),
        "quiet": span(now - match.updated_at),
        "take_back": match.take_back,
        "nudges": nudges,
        "pace": _pace(match, latest),
        "options": _options(match),
        "rounds": rounds_of_match(match, with_cards=False) if may_watch else [],
        "plays": plays,
        "undoable": [row for row in undoable if not plays and undoing.may_undo(user, row)],
        "acts": [] if plays else [act for act in allowed_acts(request) if act.applies(match)],
        "seed": match.seed.hex() if tells_all else "",
        "has_plies": match.state_json is not None,
        "may_watch": may_watch,
        "sees_cards": sees_cards,
        "may_ask": user.has_perm(finding.CARDS) and not sees_cards,
        "may_ask_private": user.has_perm(finding.PRIVATE) and not may_watch,
        "player": player,
        "timeline": timeline_of(match, around, plies, first, player.seat)[::-1]
        if may_watch
        else [],
        "entries": newest,
        "verified": verified[0] if verified else None,
        "all_entries": entries_about("match", match.id),
        "reports": open_reports,
        "notices": notices,
        "plies": f"{reverse('admin:games_ply_changelist')}?match__id__exact={match.id}",
    }


def _names(match: MatchSnapshot) -> list[str]:
    named = zip(match.seats, match.names, strict=True)
    return [name_for(seat, name or "open seat", match.seats, None) for seat, name in named]


def _player(query: QueryDict, match: MatchSnapshot, *, sees_cards: bool) -> Player:
    ply, seat = query.get("ply", ""), query.get("seat", "")
    number = int(ply) if ply.isdecimal() and len(ply) < 10 else match.version
    chosen = int(seat) if seat.isdecimal() and len(seat) < 3 else None
    known = sees_cards and chosen is not None and chosen < len(match.seats)
    return Player(min(number, match.version), match.version, chosen if known else None)


def _log(match: MatchSnapshot, first: int, last: int) -> tuple[list[LogEntry], list[LogEntry]]:
    """The plies around the one that is shown and, while the match runs, the last ones."""
    if match.state_json is None:
        return [], []
    spans = [(match, first - 2, last)]
    if not match.is_over:
        spans.append((match, max(-1, match.version - PACE_PLIES), match.version))
    around, *latest = entries_between(spans)
    return around, latest[0] if latest else []


def _seat_lines(match: MatchSnapshot, people: Mapping[UUID, User]) -> Any:
    choices = (
        choices_at(match, match.version) if match.status == "active" and match.is_playable else {}
    )
    for seat in match.seats:
        user = people.get(seat.user_id) if seat.user_id else None
        bot = match.bot_in_control(seat.index) if match.state_json else seat.bot or None
        since = choices[seat.index].since if seat.index in choices else None
        mover = f"bot {bot}" if bot else "person" if user else "nobody yet"
        name = name_for(seat, match.names[seat.index] or "open", match.seats, None)
        bank = match.banks.seconds_left(seat.index, timezone.now()) if match.banks else None
        left = "" if bank is None else time_bank.shown(bank)
        yield SeatLine(seat, name, user.username if user else "", mover, since, left)


def _pace(match: MatchSnapshot, latest: Sequence[LogEntry]) -> str:
    """The mean time between the last plies; of a match that is over, between all."""
    if len(latest) > 1:
        mean = (latest[-1].at - latest[0].at) / (len(latest) - 1)
    elif match.is_over and match.started_at and match.finished_at and match.version:
        mean = (match.finished_at - match.started_at) / match.version
    else:
        return "–"
    return f"{mean.total_seconds():.1f} s a ply" if mean.total_seconds() < 60 else f"{span(mean)}"


def _options(match: MatchSnapshot) -> list[tuple[str, str]]:
    values = msgspec.to_builtins(match.options)
    return [(name.replace("_", " "), _in_words(value)) for name, value in values.items()]


def _in_words(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")
