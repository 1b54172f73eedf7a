"""Exercises for operators: where they come from, how hard they are; withdrawing and collecting.

What is best in a position is not shown here: an operator may solve it, too. Own mistakes of people
are theirs alone.
"""

from typing import Final, cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.models import User
from accounts.staff_pages import LongLists
from config.pages.admin_pages import ReadOnly
from games.exercises.collecting import choosing, storing
from games.exercises.models import Attempt, Exercise, Scan
from games.exercises.rating import shown_rating

AT_ONCE: Final = 10  # matches that an operator has looked through with one press


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
    readonly_fields = fields

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
        self._act(request, chosen, "withdraw_exercise", withdrawn=True)

    @admin.action(description="Show again", permissions=["withdraw"])
    def show_again(self, request: HttpRequest, chosen: QuerySet[Exercise]) -> None:
        self._act(request, chosen, "show_exercise", withdrawn=False)

    def _act(
        self, request: HttpRequest, chosen: QuerySet[Exercise], act: str, *, withdrawn: bool
    ) -> None:
        by = Actor.of(cast("User", request.user), "Chosen in the admin.")
        changed = [row for row in chosen if storing.withdraw(row.pk, withdrawn=withdrawn)]
        for row in changed:
            log.record(by, act, "exercise", row.pk, str(row))
        self.message_user(request, f"{len(changed)} changed.")

    @admin.action(description="Look through public matches now", permissions=["withdraw"])
    def collect(self, request: HttpRequest, chosen: QuerySet[Exercise]) -> None:
        """Some that ended last, of the games of the chosen exercises."""
        games = sorted(set(chosen.order_by().values_list("game", flat=True)))
        begun = choosing.collect(AT_ONCE, games)
        by = Actor.of(cast("User", request.user), "Begun in the admin.")
        log.record(by, "collect_exercises", "exercise", ", ".join(games), f"{begun} matches")
        self.message_user(request, f"{begun} matches are looked through.")


@admin.register(Scan)
class ScanAdmin(ReadOnly, LongLists):
    """Matches that are looked through, for everybody or for the mistakes of their players."""

    list_display = ("match_id", "kind", "status", "reached", "made", "seconds", "created_at")
    list_filter = ("kind", "status")
    fields = (
        *("match_id", "kind", "status", "reached", "made", "seconds", "given_at", "created_at"),
    )
    readonly_fields = fields


@admin.register(Attempt)
class AttemptAdmin(ReadOnly, LongLists):
    """First answers, which make the ratings; of exercises that everybody may solve."""

    list_display = ("id", "game", "account", "exercise_id", "is_solved", "is_rated", "at")
    list_filter = ("game", "is_rated", "is_solved")
    list_select_related = ("account",)
    search_fields = ("account__username__istartswith",)
    search_help_text = "The beginning of a username"
    fields = ("id", "game", "account", "exercise_id", "is_solved", "is_rated", "at")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Attempt]:
        rows: QuerySet[Attempt] = super().get_queryset(request)
        return rows.filter(exercise__owner=None)
