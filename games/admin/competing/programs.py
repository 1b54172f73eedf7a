"""Bot accounts: who answers for them, and what they play."""

from django.contrib import admin
from unfold.paginator import InfinitePaginator

from accounts.staff_pages import StaffPages
from config.pages.admin_pages import ReadOnly
from games.bot_accounts.models import Program


@admin.register(Program)
class ProgramAdmin(ReadOnly, StaffPages):
    """A bot account is suspended on the page of its person, as any account."""

    list_display = ("account", "owner", "at_once", "seeks", "asked_at", "confirmed_at")
    list_select_related = ("account", "owner")
    search_fields = ("account__username__istartswith", "owner__username__istartswith")
    search_help_text = "The beginning of the username of the account or its owner"
    paginator = InfinitePaginator
    show_full_result_count = False
    list_per_page = 50
    fields = (
        *("account", "owner", "description", "plays", "paces", "at_once", "seeks"),
        *("asked_at", "confirmed_at"),
    )
    readonly_fields = fields
