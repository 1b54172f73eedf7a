"""Reads of saved side decks and of their measurements."""

from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.side_cards import READY_MADE, reference_deck
from cardroom.rules.values import Options
from decks.models import Deck, Measurement
from decks.share_codes import encode

REFERENCE: Final = reference_deck("full")


def cards(*, owner: UUID, deck: str | None) -> tuple[str, ...] | None:
    """The cards of the owner's deck, or of the default one; ``None`` if there is no such deck."""
    own = Deck.objects.filter(owner_id=owner)
    named = own.filter(is_default=True) if deck is None else own.filter(id__in=_ids(deck))
    chosen = named.values_list("cards", flat=True).first()
    return None if chosen is None else tuple(chosen)


def for_newcomer(options: Options) -> tuple[str, ...] | None:
    """The deck of a person who has none of their own: as good as the computer's."""
    return reference_deck(options.catalogue) if isinstance(options, PazaakOptions) else None


def ready_made() -> list[tuple[str, ...]]:
    """The decks that everybody is offered, each as its cards."""
    return [deck.cards for deck in READY_MADE]


def _ids(text: str) -> list[UUID]:
    """The id that a text names, if it names one."""
    try:
        return [UUID(text)]
    except ValueError:
        return []


def of(owner: UUID | None) -> QuerySet[Deck]:
    """An owner's decks, the newest first; a visitor without an account has none."""
    return Deck.objects.filter(owner_id=owner).order_by("-id")


def measurement(code: str) -> Measurement | None:
    """The measurement of the cards of a share code by today's rules and reference deck.

    None also where it was made by an earlier release or has failed: it can be requested again.
    """
    rows = Measurement.objects.filter(code=code, **terms()).select_related("simulation")
    return next((row for row in rows if row.holds), None)


def running_measurements(*requesters: UUID) -> QuerySet[Measurement]:
    requested = {"simulation__requester__in": requesters}
    return Measurement.objects.filter(simulation__status="running", **requested)


def terms() -> dict[str, Any]:
    """The terms for which a measurement made today holds."""
    return {"against": encode(REFERENCE), "rules_version": PAZAAK.rules_version}
