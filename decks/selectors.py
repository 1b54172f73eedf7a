"""Reads of saved side decks."""

from uuid import UUID

from django.db.models import QuerySet

from decks.models import Deck


def cards(*, owner: UUID, deck: str | None) -> tuple[str, ...] | None:
    """The cards of the owner's deck, or of the default one; ``None`` if there is no such deck."""
    own = Deck.objects.filter(owner_id=owner)
    found = own.filter(is_default=True) if deck is None else own.filter(id__in=_ids(deck))
    chosen = found.values_list("cards", flat=True).first()
    return None if chosen is None else tuple(chosen)


def _ids(text: str) -> list[UUID]:
    """The id that a text names, if it names one."""
    try:
        return [UUID(text)]
    except ValueError:
        return []


def of(owner: UUID) -> QuerySet[Deck]:
    """An owner's decks, the newest first."""
    return Deck.objects.filter(owner_id=owner).order_by("-id")
