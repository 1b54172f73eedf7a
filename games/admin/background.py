"""Work in the background, for operators: simulations, exercises, analyses, audits, exports."""

from typing import Any, Final, cast

import msgspec
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.models import User
from accounts.staff_pages import LongLists, ReadOnly, StaffPages
from games.admin.refereeing import SearchById
from games.coaching.models import Analysis
from games.exercises import collecting
from games.exercises.models import Attempt, Exercise, Scan
from games.exercises.solving import shown_rating
from games.exports.models import RecordFile
from games.operations.models import Backup, CleanUp, ReplayAudit
from games.simulations import work
from games.simulations.models import Simulation, SimulationPart


@admin.register(Simulation)
class SimulationAdmin(SearchById, ReadOnly, StaffPages):
    named_by = "id"
    list_display = ("id", "game", "owner", "progress", "status", "created_at", "finished_at")
    list_filter = ("game", "status", ("created_at", admin.DateFieldListFilter))
    list_select_related = ("owner",)
    list_per_page = 50
    search_fields = ("owner__username", "owner__display_name")
    search_help_text = "A simulation's id, its owner's name"
    show_full_result_count = False
    actions = ("cancel",)
    fields = (
        "id",
        "owner",
        "game",
        "status",
        "progress",
        "claimed",
        "shown_request",
        "fault",
        "created_at",
        "finished_at",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Simulation]:
        rows: QuerySet[Simulation] = super().get_queryset(request)
        return rows.defer("report", "request")

    @admin.display(description="Played", ordering="played")
    def progress(self, simulation: Simulation) -> str:
        played, games = simulation.played, simulation.games
        return f"{played:,} of {games:,} ({100 * played // games} %)"

    @admin.display(description="Request")
    def shown_request(self, simulation: Simulation) -> str:
        """As it is stored, without the side decks: their owner plays with them."""
        request = msgspec.json.decode(bytes(simulation.request))
        for name in {"side_decks", "deck", "field"} & set(request):
            request[name] = f"{len(request[name])}, not shown"
        return msgspec.json.encode(request).decode()

    def has_cancel_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_simulation")

    @admin.action(description="Cancel", permissions=["cancel"])
    def cancel(self, request: HttpRequest, chosen: QuerySet[Simulation]) -> None:
        """Cancels those that still run."""
        running = [each for each in chosen if each.status == Simulation.Status.RUNNING]
        for simulation in running:
            work.cancel(simulation_id=simulation.id, owner=simulation.owner)
            by = Actor.of(cast("User", request.user), "Cancelled in the admin.")
            log.record(by, "cancel_simulation", "simulation", simulation.id, str(simulation))
        self.message_user(request, f"Cancelled: {len(running)}.")


@admin.register(SimulationPart)
class SimulationPartAdmin(SearchById, ReadOnly, StaffPages):
    """The parts of running simulations; they are deleted when their simulation is over."""

    named_by = "simulation_id"
    list_display = ("simulation", "first", "games", "has_come", "given_at")
    list_filter = ("simulation__game",)
    search_fields = ("=simulation__id",)
    search_help_text = "A simulation's whole id"
    ordering = ("-simulation_id", "first")
    show_full_result_count = False
    fields = ("simulation", "first", "games", "has_come", "given_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[SimulationPart]:
        rows: QuerySet[SimulationPart] = super().get_queryset(request)
        parts = rows.select_related("simulation").annotate(came=Q(figures__isnull=False))
        return parts.defer("figures", "simulation__report", "simulation__request")

    @admin.display(description="Answered", boolean=True)
    def has_come(self, part: SimulationPart) -> bool:
        came: bool = part.came  # type: ignore[attr-defined]
        return came


# Exercises for operators: where they come from, how hard they are; withdrawing and collecting.
#
# The best move of a position is not shown here: an operator may solve it, too. Own mistakes of
# people are theirs alone.

MATCHES_SCANNED: Final = 10  # matches that an operator has looked through with one press


@admin.register(Exercise)
class ExerciseAdmin(ReadOnly, LongLists):
    list_display = (
        *("id", "game", "theme", "hardness", "attempts", "solved", "origin", "withdrawn_at"),
    )
    list_filter = ("game", "theme", ("withdrawn_at", admin.EmptyFieldListFilter))
    actions = ("withdraw", "show_again", "collect")
    fields = (
        *("id", "game", "theme", "hardness", "attempts", "solved", "match_id", "version", "seat"),
        *("withdrawn_at", "created_at"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Exercise]:
        rows: QuerySet[Exercise] = super().get_queryset(request)
        return rows.filter(owner=None).defer("position")

    @admin.display(description="Rating", ordering="mean")
    def hardness(self, row: Exercise) -> int:
        return shown_rating(row.mean)

    @admin.display(description="From")
    def origin(self, row: Exercise) -> str:
        return "shipped" if row.is_shipped else str(row.match_id)

    def has_withdraw_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("exercises.withdraw_exercise")

    @admin.action(description="Withdraw", permissions=["withdraw"])
    def withdraw(self, request: HttpRequest, chosen: QuerySet[Exercise]) -> None:
        """Nobody is shown them any more; what was answered stays."""
        self._act(request, chosen, "withdraw_exercise", "Withdrawn", withdrawn=True)

    @admin.action(description="Show again", permissions=["withdraw"])
    def show_again(self, request: HttpRequest, chosen: QuerySet[Exercise]) -> None:
        self._act(request, chosen, "show_exercise", "Shown again", withdrawn=False)

    def _act(
        self, request: HttpRequest, chosen: Any, act: str, done: str, *, withdrawn: bool
    ) -> None:
        by = Actor.of(cast("User", request.user), "Chosen in the admin.")
        changed = [row for row in chosen if collecting.withdraw(row.pk, withdrawn=withdrawn)]
        for row in changed:
            log.record(by, act, "exercise", row.pk, str(row))
        self.message_user(request, f"{done}: {len(changed)}.")

    @admin.action(description="Look through public matches now", permissions=["withdraw"])
    def collect(self, request: HttpRequest, chosen: QuerySet[Exercise]) -> None:
        """Some that ended last, of the games of the chosen exercises."""
        games = sorted(set(chosen.order_by().values_list("game", flat=True)))
        begun = collecting.collect(MATCHES_SCANNED, games)
        by = Actor.of(cast("User", request.user), "Begun in the admin.")
        log.record(by, "collect_exercises", "exercise", ", ".join(games), f"{begun} matches")
        self.message_user(request, f"Matches that are looked through: {begun}.")


@admin.register(Scan)
class ScanAdmin(ReadOnly, LongLists):
    """Matches that are looked through, for everybody or for the mistakes of their players."""

    list_display = ("match_id", "kind", "status", "reached", "made", "seconds", "created_at")
    list_filter = ("kind", "status")
    fields = (
        *("match_id", "kind", "status", "reached", "made", "seconds", "given_at", "created_at"),
    )


@admin.register(Attempt)
class AttemptAdmin(ReadOnly, LongLists):
    """First answers, which make the ratings; of exercises that everybody may solve."""

    list_display = ("id", "game", "account", "exercise_id", "is_solved", "is_rated", "at")
    list_filter = ("game", "is_rated", "is_solved")
    list_select_related = ("account",)
    search_fields = ("account__username__istartswith",)
    search_help_text = "The beginning of a username"
    fields = ("id", "game", "account", "exercise_id", "is_solved", "is_rated", "at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Attempt]:
        rows: QuerySet[Attempt] = super().get_queryset(request)
        return rows.filter(exercise__owner=None)


# Analyses of matches: how far they are; what they say of hands stays on the players' pages.


@admin.register(Analysis)
class AnalysisAdmin(ReadOnly, LongLists):
    """A failed analysis begins again when somebody asks for it."""

    list_display = ("match_id", "requester", "status", "reached", "decisions", "created_at")
    list_filter = ("status",)
    list_select_related = ("requester",)
    search_fields = ("requester__username__istartswith",)
    search_help_text = "The beginning of a username"
    fields = (
        *("id", "match_id", "version", "requester", "status", "reached", "decisions"),
        *("seconds", "given_at", "created_at", "finished_at"),
    )


# Replay audits and clean-ups, which run at night.


@admin.register(ReplayAudit)
class ReplayAuditAdmin(ReadOnly, StaffPages):
    list_display = ("until", "checked", "total", "faulty", "finished_at")
    list_per_page = 50
    show_full_result_count = False
    fields = ("since", "until", "checked", "total", "faulty", "faulty_matches", "finished_at")

    @admin.display(description="Matches that do not follow")
    def faulty_matches(self, audit: ReplayAudit) -> SafeString:
        rows = (
            (
                reverse("admin:games_match_change", args=[match]),
                match,
                f"{fault} (known since {known[0]})" if known else fault,
            )
            for match, fault, *known in audit.faults
        )
        return format_html_join("", '<p><a href="{}">{}</a>: {}</p>', rows)


@admin.register(CleanUp)
class CleanUpAdmin(ReadOnly, StaffPages):
    list_display = ("at", "__str__")
    list_per_page = 50
    show_full_result_count = False


@admin.register(Backup)
class BackupAdmin(ReadOnly, StaffPages):
    list_display = ("at", "name", "megabytes", "took", "tried", "is_elsewhere", "fault")
    list_per_page = 50
    show_full_result_count = False

    @admin.display(description="MB")
    def megabytes(self, backup: Backup) -> str:
        return f"{backup.size / 1e6:,.1f}"

    @admin.display(description="Took")
    def took(self, backup: Backup) -> str:
        return f"{backup.seconds:.1f} s"

    @admin.display(description="Restored on trial")
    def tried(self, backup: Backup) -> str:
        seconds = backup.trial_seconds
        return "no" if seconds is None else f"in {seconds:.1f} s"


# Files of records: exports of accounts and archives of days, how far written, when deleted.


@admin.register(RecordFile)
class RecordFileAdmin(ReadOnly, LongLists):
    """The records themselves are for their owner; an archive is for everybody."""

    list_display = ("__str__", "owner", "game", "records", "size", "state", "expires_at")
    list_filter = ("game", "finished_at")
    list_select_related = ("owner",)
    search_fields = ("owner__username__istartswith",)
    search_help_text = "The beginning of a username"
    fields = (
        *("id", "owner", "day", "game", "since", "records", "size", "sha256"),
        *("created_at", "worked_at", "finished_at", "expires_at"),
    )

    @admin.display(description="State")
    def state(self, file: RecordFile) -> str:
        return "finished" if file.is_finished else f"written until {file.worked_at:%Y-%m-%d %H:%M}"
