"""Decks for operators: list, rename offending names, delete. The cards are their owner's.

No page shows them: operators play here too, and a deck may be played with tomorrow. Decks that were
played with stand in the record of the match.
"""

from typing import Any, cast

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms import CharField, ModelForm
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminTextInputWidget

from accounts.audit import log
from accounts.audit.log import REASON_LENGTH, SHORTEST_REASON, Actor
from accounts.models import User
from accounts.staff_pages import StaffPages
from decks import selectors, services
from decks.models import Deck, Measurement
from decks.services import DeckNameTaken, name_faults, shown_name


class DeckForm(ModelForm[Deck]):
    reason = CharField(
        min_length=SHORTEST_REASON,
        max_length=REASON_LENGTH,
        widget=UnfoldAdminTextInputWidget(),
        help_text="For the audit log. The owner does not read it.",
    )

    def clean_name(self) -> str:
        """By the rules of every deck's name; unique among its owner's, whom no operator changes."""
        name = shown_name(self.cleaned_data["name"])
        others = selectors.of(self.instance.owner_id).exclude(pk=self.instance.pk)
        taken = others.filter(name__iexact=name).exists()
        faults = [*map(str, name_faults(name)), *([str(DeckNameTaken())] if taken else [])]
        if faults:
            raise ValidationError(faults)
        return name


@admin.register(Deck)
class DeckAdmin(StaffPages):
    form = DeckForm
    list_display = ("name", "owner", "is_default", "created_at")
    list_filter = ("is_default", "created_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username", "owner__display_name")
    fields = (
        "id",
        "owner",
        "name",
        "reason",
        "is_default",
        "created_at",
        "updated_at",
    )
    readonly_fields = ("id", "owner", "is_default", "created_at", "updated_at")

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def get_fieldsets(self, request: HttpRequest, obj: Deck | None = None) -> Any:
        """A person who may only look is not asked for a reason."""
        if self.has_change_permission(request, obj):
            return super().get_fieldsets(request, obj)
        return [(None, {"fields": [name for name in self.fields if name != "reason"]})]

    def save_model(self, request: HttpRequest, deck: Deck, form: DeckForm, _: bool) -> None:  # noqa: FBT001
        by = Actor.of(cast("User", request.user), form.cleaned_data["reason"])
        if "name" not in form.changed_data:  # another operator may have given it the same before
            return
        deck.save()
        was = form.initial.get("name", "")
        log.record(by, "rename_deck", "deck", deck.pk, deck.name, was=was)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> None:
        """The entry has the reason and stands already (`save_model`)."""

    def details_of_deletion(self, deck: Deck) -> dict[str, Any]:
        return {"owner": str(deck.owner_id)}


@admin.register(Measurement)
class MeasurementAdmin(StaffPages):
    """Delete one to have it measured again."""

    list_display = ("code", "against", "rules_version", "simulation", "status", "asked_at")
    list_select_related = ("simulation",)
    fields = readonly_fields = list_display
    search_fields = ("code",)

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    @admin.display(ordering="simulation__status")
    def status(self, row: Measurement) -> str:
        return row.simulation.status if row.simulation else "of an earlier release"

    def delete_model(self, _request: HttpRequest, row: Measurement) -> None:
        services.forget_measurements(Measurement.objects.filter(pk=row.pk))

    def delete_queryset(self, _request: HttpRequest, chosen: QuerySet[Measurement]) -> None:
        services.forget_measurements(chosen)
