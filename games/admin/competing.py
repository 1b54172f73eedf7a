"""Tournaments, leagues, ratings, challenges and seeks, for operators."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, cast
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from accounts import gate
from accounts.audit.log import Actor
from accounts.audit.models import Entry
from accounts.models import User
from accounts.staff_pages import LongLists, OwnPage, ReadOnly, StaffPages
from config.postgres import together
from config.refusals import NotFound, Refusal
from games.admin.refereeing import UNTIL_OVER, allowed, run_page
from games.bot_accounts.models import Program
from games.competitions import advancing, selectors
from games.competitions.models import Tournament
from games.competitions.selectors import plain_name
from games.daily.models import DailyDeal
from games.leagues import divisions
from games.leagues.models import Line, Membership, Week
from games.leagues.selectors import played_in
from games.lobby.models import Challenge, Seek, SeriesMatch
from games.mirrored.models import MirroredSet
from games.mirrored.results import SetResult, legs_of, result_of
from games.operations import acts, undoing
from games.operations.acts import ACTS
from games.ratings import collusion
from games.ratings.collusion import suspicions
from games.ratings.models import PersonRating, RatedMatch
from games.ratings.people import standing_of

ENTRIES_SHOWN: Final = 20
BOARDS_SHOWN: Final = 40
RESULTS: Final = (("first", "the first wins"), ("draw", "a draw"), ("second", "the second wins"))


@admin.register(Tournament)
class TournamentAdmin(OwnPage, ReadOnly, LongLists):
    """It tells no cards: boards link to the pages of matches, which have rights of their own."""

    list_display = ("name", "form", "game", "pace", "status", "round", "starts_at", "creator")
    list_filter = ("status", "form", "game", "visibility")
    search_fields = ("name__icontains", "creator__username__istartswith")
    search_help_text = "A part of the name, or the beginning of its creator's username"
    ordering = ("-id",)

    def get_urls(self) -> list[Any]:
        act = self.admin_site.admin_view(self.act_page)
        own = path("<uuid:tournament_id>/<slug:what>/do", act, name="competitions_tournament_act")
        return [own, *super().get_urls()]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        rows: QuerySet[Tournament] = super().get_queryset(request)
        return rows.select_related("creator")

    def own_page(self, request: HttpRequest, tournament: Tournament) -> HttpResponse:
        context = self.admin_site.each_context(request) | _context(request, tournament)
        return TemplateResponse(request, "admin/operators/tournament.html", context)

    def act_page(self, request: HttpRequest, tournament_id: UUID, what: str) -> HttpResponse:
        if what not in _ACTS or not Tournament.objects.filter(id=tournament_id).exists():
            raise Http404
        if not request.user.has_perm(selectors.RIGHT):
            raise PermissionDenied
        if request.method == "POST":
            _act(request, tournament_id, what)
        return redirect("admin:competitions_tournament_change", tournament_id)


def _act(request: HttpRequest, tournament_id: UUID, what: str) -> None:
    try:
        by = Actor.of(cast("User", request.user), request.POST.get("reason", ""))
        messages.success(request, _ACTS[what](request, tournament_id, by))
    except Refusal as refused:
        messages.error(request, str(refused))


def _remove(request: HttpRequest, tournament_id: UUID, by: Actor) -> str:
    entrant = _number(request, "entrant")
    return advancing.remove(tournament_id=tournament_id, entrant_id=entrant, by=by)


def _number(request: HttpRequest, name: str) -> int:
    given = request.POST.get(name, "")
    return int(given) if given.isdecimal() and len(given) < 18 else 0


def _correct(request: HttpRequest, tournament_id: UUID, by: Actor) -> str:
    board, result = _number(request, "board"), request.POST.get("result", "")
    return advancing.correct_board(
        tournament_id=tournament_id, board_id=board, result=result, by=by
    )


def _move(request: HttpRequest, tournament_id: UUID, by: Actor) -> str:
    try:
        at = datetime.fromisoformat(request.POST.get("at", "")).replace(tzinfo=UTC)
    except ValueError:
        raise advancing.CannotCorrect("Write the time as 2030-12-31T20:00.") from None
    return advancing.move_date(tournament_id=tournament_id, at=at, by=by)


def _replace(request: HttpRequest, tournament_id: UUID, by: Actor) -> str:
    return advancing.replace(
        tournament_id=tournament_id,
        entrant_id=_number(request, "entrant"),
        username=request.POST.get("username", ""),
        by=by,
    )


_ACTS: Final[dict[str, Callable[[HttpRequest, UUID, Actor], str]]] = {
    "begin": lambda _, one, by: advancing.begin_now(tournament_id=one, by=by),
    "pause": lambda _, one, by: advancing.pause(tournament_id=one, by=by),
    "resume": lambda _, one, by: advancing.resume(tournament_id=one, by=by),
    "abort": lambda _, one, by: undoing.abort_tournament(tournament_id=one, by=by),
    "pay": lambda _, one, by: advancing.advance_now(tournament_id=one, by=by),
    "remove": _remove,
    "correct": _correct,
    "move": _move,
    "replace": _replace,
    "rename": lambda request, one, by: advancing.rename(
        tournament_id=one, name=request.POST.get("name", ""), by=by
    ),
}


def _context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    sheet, user = selectors.sheet_of(tournament), cast("User", request.user)
    points = {line.entrant: line for line in sheet.lines}
    undoable, entries = together.read(
        undoing.standing(tournament.id)[:1],
        Entry.objects.filter(subject_type="tournament", subject_id=str(tournament.id))[
            :ENTRIES_SHOWN
        ],
    )
    return {
        "title": tournament.name,
        "tournament": tournament,
        "entrants": [
            (one, plain_name(tournament, one), points.get(one.number or 0))
            for one in sheet.entrants
        ],
        "undoable": [row for row in undoable if tournament.is_over and undoing.may_undo(user, row)],
        "undecided": [_board(sheet, board) for board in sheet.undecided],
        "decided": [
            _names(sheet, board)
            for board in sheet.boards[::-1]
            if len(board.places.all()) > 1 and board.result
        ][:BOARDS_SHOWN],
        "results": [
            (what, words)
            for what, words in RESULTS
            if what != "draw" or tournament.form != Tournament.Form.KNOCKOUT
        ],
        "may": request.user.has_perm(selectors.RIGHT),
        "stages": sheet.stages,
        "acts": _offered(tournament) if request.user.has_perm(selectors.RIGHT) else [],
        "entries": entries,
        "page": reverse("tournament", args=[tournament.id]),
    }


def _names(sheet: selectors.Sheet, board: Any) -> tuple[Any, str, str]:
    """A board, who met at it, and their points."""
    places = board.places.all()
    entrants = [sheet.by_id[place.entrant_id] for place in places]
    names = " – ".join(plain_name(sheet.tournament, one) for one in entrants)
    return board, names, " : ".join(f"{(place.points or 0) / 2:g}" for place in places)


def _board(sheet: selectors.Sheet, board: Any) -> tuple[Any, str, list[Any]]:
    return board, _names(sheet, board)[1], [one.match for one in board.matches.all()]


def _offered(tournament: Tournament) -> list[tuple[str, str]]:
    if tournament.is_over:
        return []
    pausing = ("resume", "Go on") if tournament.paused_at else ("pause", "Pause")
    begin = [("begin", "Begin now")] if tournament.begun_at is None else []
    return [*begin, pausing, ("pay", "Do what is due"), ("abort", "Call it off")]


# Leagues: their weeks, and where each player stood in one.


@admin.register(Week)
class WeekAdmin(OwnPage, ReadOnly, StaffPages):
    takes_posts = True
    list_display = ("monday", "game", "players", "opened_at", "closed_at")
    list_filter = ("game",)
    date_hierarchy = "monday"
    list_per_page = 50

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        counted: QuerySet[Any] = rows.annotate(count=Count("lines"))
        return counted

    @admin.display(description="Players", ordering="count")
    def players(self, row: Any) -> int:
        return int(row.count)

    def own_page(self, request: HttpRequest, week: Any) -> HttpResponse:
        """Annuls matches of a player by a bulk run, and judges a closed week again."""
        may, user, moved = allowed(request, ANNUL), cast("User", request.user), None
        what, sent = request.POST.get("what"), request.POST
        if request.method == "POST" and not may:
            raise PermissionDenied
        try:
            if what == "annul":
                matches = _matches_in(week, sent.get("username", ""))
                return redirect(
                    run_page(acts.draft(act=ANNUL.slug, match_ids=matches, user=user).pk)
                )
            if what == "judge":
                by = Actor.of(user, sent.get("reason", ""))
                count = len(divisions.judge_again(week_id=week.pk, by=by))
                messages.success(request, f"Judged again. Lines changed: {count}.")
                return redirect(request.path)
            if what == "look":
                moved = divisions.judge_again(week_id=week.pk, by=None)
        except Refusal as refused:
            messages.error(request, str(refused))
            return redirect(request.path)
        more = {"title": str(week), "week": week, "players": week.count, "may": may, "moved": moved}
        context = self.admin_site.each_context(request) | more
        return TemplateResponse(request, "admin/operators/week.html", context)


def _matches_in(week: Week, username: str) -> list[UUID]:
    """The matches of a player that count in a week."""
    line = week.lines.filter(account__username__iexact=username.strip()).first()
    if line is None:
        raise NotFound("This person does not play in this week.")
    if not (matches := [one.match for one in played_in(week, {line.account_id})]):
        raise NotFound("No match of this person counts in this week.")
    return matches


@admin.register(Line)
class LineAdmin(ReadOnly, LongLists):
    """The result stands once the week is closed; ``manage.py recount`` proves it."""

    asked_by = ("week__id",)
    list_display = ("week", "tier", "division", "place", "account", "points", "matches", "move")
    list_select_related = ("week", "account")
    search_fields = ("account__username__istartswith",)
    search_help_text = "The beginning of a username"
    ordering = ("-week_id", "tier", "division", "slot")
    fields = (*list_display, "slot", "since", "rating", "earlier")


@admin.register(Membership)
class MembershipAdmin(ReadOnly, LongLists):
    list_display = ("game", "account", "joined_at")
    list_select_related = ("account",)
    search_fields = ("account__username__istartswith",)
    search_help_text = "The beginning of a username"
    fields = list_display


# Deals of the day: what is sealed, how many have tried it, when it was revealed.


@admin.register(DailyDeal)
class DailyDealAdmin(ReadOnly, StaffPages):
    """No seed is read here: an operator may play, too. The page of the day shows it when it may."""

    list_display = ("day", "game", "commitment", "tries", "published_at", "revealed_at")
    list_filter = ("game",)
    date_hierarchy = "day"
    list_per_page = 50
    fields = ("day", "game", "bots", "commitment", "tries", "published_at", "revealed_at", "best")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        counted = rows.annotate(tried=Count("entries"))
        shown: QuerySet[Any] = counted.select_related("deal").defer("deal__seed", "options")
        return shown

    @admin.display(description="Commitment")
    def commitment(self, row: DailyDeal) -> str:
        return row.deal.commitment

    @admin.display(description="Tries", ordering="tried")
    def tries(self, row: Any) -> int:
        return int(row.tried)

    @admin.display(description="Revealed at")
    def revealed_at(self, row: DailyDeal) -> Any:
        return row.deal.revealed_at


# Series: which matches the same people played one after the other.


@admin.register(SeriesMatch)
class SeriesMatchAdmin(ReadOnly, LongLists):
    """The score is counted from the matches; a line tells nothing of their cards."""

    list_display = ("match", "series", "turned", "game", "status")
    list_select_related = ("match",)
    search_fields = ("series__exact", "match__id__exact")
    search_help_text = "The id of a match, or of the first one of a series"
    ordering = ("-match_id",)
    fields = ("match", "series", "turned")

    @admin.display(description="Game")
    def game(self, row: SeriesMatch) -> str:
        return row.match.game

    @admin.display(description="Status")
    def status(self, row: SeriesMatch) -> str:
        return row.match.status


# Mirrored sets: how far they are, and once all of one is over which matches were dealt alike.


@admin.register(MirroredSet)
class MirroredSetAdmin(ReadOnly, LongLists):
    """No pair is read before all matches are over: an operator may play, too."""

    list_display = ("id", "form", "begun", "created_at", "over_at")
    list_filter = ("form",)
    ordering = ("-id",)
    fields = ("form", "visibility", "created_at", "over_at", "matches", "pairs", "won")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        counted: QuerySet[Any] = rows.annotate(
            have_begun=Count("legs__match"), in_all=Count("legs")
        )
        return counted

    @admin.display(description="Matches")
    def begun(self, row: Any) -> str:
        return f"{row.have_begun} of {row.in_all}"

    @admin.display(description="Matches in their order")
    def matches(self, row: MirroredSet) -> SafeString:
        begun = [leg.match_id for leg in legs_of([row.id]) if leg.match_id is not None]
        links = [(reverse("admin:games_match_change", args=[one]), one) for one in begun]
        return format_html_join(", ", '<a href="{}">{}</a>', links)

    @admin.display(description="Dealt alike: margins of the first side, skill, luck")
    def pairs(self, row: MirroredSet) -> str:
        result = _result(row)
        if result is None:
            return UNTIL_OVER
        lines = [
            f"{pair.one.match_id} {pair.one.margin:+}, {pair.swapped.match_id} "
            f"{pair.swapped.margin:+}: {pair.skill:+}, {abs(pair.luck)}"
            for pair in result.pairs
        ]
        return "; ".join(lines) or "-"

    @admin.display(description="Pairs won by each side")
    def won(self, row: MirroredSet) -> str:
        result = _result(row)
        return UNTIL_OVER if result is None else "{} : {}".format(*result.won)


def _result(row: MirroredSet) -> SetResult | None:
    return None if row.over_at is None else result_of(legs_of([row.id]))


# Ratings of people and the matches that they come from; who may have them from a farm.

ANNUL = ACTS["annul-rating"]


class PairsPage:
    """Beside the list of ratings."""

    admin_site: Any

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.pairs_page)
        return [path("pairs", page, name="ratings_personrating_pairs"), *super().get_urls()]  # type: ignore[misc]

    def pairs_page(self, request: HttpRequest) -> HttpResponse:
        """Drafts a bulk run for the matches of a pair, which says what will happen."""
        if not request.user.has_perm("ratings.view_personrating"):
            raise PermissionDenied
        suspected, may = suspicions(), allowed(request, ANNUL)
        if request.method == "POST":
            if not may:
                raise PermissionDenied
            matches = _chosen(request, suspected)
            user = cast("User", request.user)
            return redirect(run_page(acts.draft(act=ANNUL.slug, match_ids=matches, user=user).pk))
        doubles = gate.doubles() if request.user.has_perm("operations.view_person") else []
        each: list[Any] = [*suspected.pairs, *doubles]
        ids = {person for pair in each for person in (pair.one, pair.other)}
        people = User.objects.in_bulk(list(ids | {farm.account for farm in suspected.farms}))
        context = self.admin_site.each_context(request) | {
            "title": "Suspicious ratings",
            "pairs": [
                (pair, people.get(pair.one), people.get(pair.other)) for pair in suspected.pairs
            ],
            "farms": [(farm, people.get(farm.account)) for farm in suspected.farms],
            "doubles": [(one, people.get(one.one), people.get(one.other)) for one in doubles],
            "may": may,
            "days": collusion.SINCE.days,
        }
        return TemplateResponse(request, "admin/operators/pairs.html", context)


def _chosen(request: HttpRequest, suspected: collusion.Suspicions) -> list[UUID]:
    """Of a pair in a game, or of a farm, which has no other person."""
    sent = tuple(request.POST.get(name, "") for name in ("one", "other", "game"))
    listed = {(str(pair.one), str(pair.other), pair.game): pair.matches for pair in suspected.pairs}
    listed |= {(str(farm.account), "", ""): farm.matches for farm in suspected.farms}
    if sent not in listed:
        raise Http404("This is not listed any more.")
    return list(listed[sent])


@admin.register(PersonRating)
class PersonRatingAdmin(PairsPage, ReadOnly, LongLists):
    list_display = ("account", "board", "rating", "deviation", "matches", "at")
    list_select_related = ("account",)
    search_fields = ("account__username__istartswith",)
    search_help_text = "The beginning of a username"
    fields = ("account", "board", "rating", "deviation", "matches", "at", "settled_until")

    @admin.display(description="Rating")
    def rating(self, row: PersonRating) -> str:
        return f"{standing_of(row, row.at).rating:.0f}"

    @admin.display(description="Deviation")
    def deviation(self, row: PersonRating) -> str:
        return f"{standing_of(row, row.at).deviation:.0f}"


@admin.register(RatedMatch)
class RatedMatchAdmin(ReadOnly, LongLists):
    list_display = ("match", "board", "at", "annulled_at", "is_settled")
    list_select_related = ("match",)
    search_fields = ("match__id__exact",)
    search_help_text = "The id of a match"
    ordering = ("-match_id",)
    fields = ("match", "board", "at", "annulled_at", "is_settled")


# Challenges: who asked whom for a match, and what became of it.


@admin.register(Challenge)
class ChallengeAdmin(ReadOnly, LongLists):
    """It tells nothing of the cards of its match."""

    list_display = ("match", "challenger", "challenged", "game", "status", "answer_by", "lapsed")
    list_select_related = ("match", "challenger", "challenged")
    search_fields = ("challenger__username__istartswith", "challenged__username__istartswith")
    search_help_text = "The beginning of the username of either"
    ordering = ("-match_id",)
    fields = ("match", "challenger", "challenged", "created_at", "answer_by", "lapsed")

    @admin.display(description="Game")
    def game(self, row: Challenge) -> str:
        return row.match.game

    @admin.display(description="Status of the match")
    def status(self, row: Challenge) -> str:
        return row.match.status

    @admin.display(description="Waits until")
    def answer_by(self, row: Challenge) -> str:
        return f"{row.match.answer_by:%Y-%m-%d %H:%M}" if row.match.answer_by else "-"


# Seeks: people who want to play anybody, who were paired, and whose seek ended.


@admin.register(Seek)
class SeekAdmin(ReadOnly, LongLists):
    """A seek tells nothing of the cards of its match."""

    list_display = ("account", "game", "pace", "rated", "seats", "state", "created_at", "seen_at")
    list_filter = ("game", "pace", "rated", "ending")
    list_select_related = ("account",)
    search_fields = ("account__username__istartswith",)
    search_help_text = "The beginning of a username"
    fields = (
        *("id", "account", "game", "preset", "pace", "rated", "seats", "computers_after"),
        *("created_at", "seen_at", "match", "paired_at", "ended_at", "ending"),
    )

    @admin.display(description="State")
    def state(self, seek: Seek) -> str:
        return seek.status


# Bot accounts: who answers for them, and what they play.


@admin.register(Program)
class ProgramAdmin(ReadOnly, LongLists):
    """A bot account is suspended on the page of its person, as any account."""

    list_display = ("account", "owner", "at_once", "seeks", "asked_at", "confirmed_at")
    list_select_related = ("account", "owner")
    search_fields = ("account__username__istartswith", "owner__username__istartswith")
    search_help_text = "The beginning of the username of the account or its owner"
    fields = (
        *("account", "owner", "description", "plays", "paces", "at_once", "seeks"),
        *("asked_at", "confirmed_at"),
    )


# People against people: seeks, challenges, series, ratings, deals, tournaments, leagues.
