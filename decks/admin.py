"""Decks for operators: look, rename what offends, delete. The cards are their owner's."""

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from decks.models import Deck, Measurement


@admin.register(Deck)
class DeckAdmin(ModelAdmin):  # type: ignore[misc]
    list_display = ("name", "owner", "card_text", "is_default", "created_at")
    list_filter = ("is_default", "created_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username", "owner__display_name")
    fields = ("id", "owner", "name", "card_text", "is_default", "created_at", "updated_at")
    readonly_fields = ("id", "owner", "card_text", "is_default", "created_at", "updated_at")

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    @admin.display(description="cards")
    def card_text(self, deck: Deck) -> str:
        return " ".join(deck.cards)


@admin.register(Measurement)
class MeasurementAdmin(ModelAdmin):  # type: ignore[misc]
    """Delete one to have it measured anew."""

    list_display = ("code", "rules_version", "played", "wanted", "won", "asked_at", "moved_at")
    fields = readonly_fields = list_display
    search_fields = ("code",)

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False
