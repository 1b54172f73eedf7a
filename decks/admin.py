"""Decks for operators: look, rename what offends, delete. The cards are their owner's."""

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from decks import selectors
from decks.models import Deck, Measurement
from decks.refusals import DeckNameTaken
from decks.services import measurement
from decks.services.legality import name_faults, shown_name


class DeckForm(ModelForm[Deck]):
    def clean_name(self) -> str:
        """By the rules of every deck's name; unique among its owner's, whom no operator changes."""
        name = shown_name(self.cleaned_data["name"])
        others = selectors.of(self.instance.owner_id).exclude(pk=self.instance.pk)
        taken = others.filter(name__iexact=name).exists()
        faults = [*name_faults(name), *([str(DeckNameTaken())] if taken else [])]
        if faults:
            raise ValidationError(faults)
        return name


@admin.register(Deck)
class DeckAdmin(ModelAdmin):  # type: ignore[misc]
    form = DeckForm
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
    """Delete one to have it measured again."""

    list_display = ("code", "against", "rules_version", "simulation", "status", "asked_at")
    list_select_related = ("simulation",)
    fields = readonly_fields = list_display
    search_fields = ("code",)

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    @admin.display(ordering="simulation__status")
    def status(self, found: Measurement) -> str:
        return found.simulation.status if found.simulation else "of an earlier release"

    def delete_model(self, _request: HttpRequest, found: Measurement) -> None:
        measurement.forget(Measurement.objects.filter(pk=found.pk))

    def delete_queryset(self, _request: HttpRequest, chosen: QuerySet[Measurement]) -> None:
        measurement.forget(chosen)
