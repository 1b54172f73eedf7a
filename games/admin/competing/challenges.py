"""Challenges: who asked whom for a match, and what became of it."""

from django.contrib import admin
from unfold.paginator import InfinitePaginator

from accounts.staff_pages import StaffPages
from config.pages.admin_pages import ReadOnly
from games.lobby.models import Challenge


@admin.register(Challenge)
class ChallengeAdmin(ReadOnly, StaffPages):
    """It tells nothing of the cards of its match."""

    list_display = ("match", "challenger", "challenged", "game", "status", "answer_by", "lapsed")
    list_select_related = ("match", "challenger", "challenged")
    search_fields = ("challenger__username__istartswith", "challenged__username__istartswith")
    search_help_text = "The beginning of the username of either"
    ordering = ("-match_id",)
    paginator = InfinitePaginator
    show_full_result_count = False
    list_per_page = 50
    fields = ("match", "challenger", "challenged", "created_at", "answer_by", "lapsed")
    readonly_fields = fields

    @admin.display(description="Game")
    def game(self, row: Challenge) -> str:
        return row.match.game

    @admin.display(description="Status of the match")
    def status(self, row: Challenge) -> str:
        return row.match.status

    @admin.display(description="Waits until")
    def answer_by(self, row: Challenge) -> str:
        return f"{row.match.answer_by:%Y-%m-%d %H:%M}" if row.match.answer_by else "-"
