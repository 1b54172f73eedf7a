"""Reads of saved side decks."""

from uuid import UUID

from django.db.models import QuerySet

from decks.models import Deck


def cards(*, owner: UUID, deck: str | None) -> tuple[str, ...] | None:
    """The cards of the owner's deck, or of the default one; ``None`` if there is no such deck."""
    own = Deck.objects.filter(owner_id=owner)
    if deck is None:
        found = own.filter(is_default=True)
    else:
        found = own.filter(id__in=[id for id in [_uuid(deck)] if id])
    chosen = found.values_list("cards", flat=True).first()
    return None if chosen is None else tuple(chosen)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def of(owner: UUID) -> QuerySet[Deck]:
    """An owner's decks, the newest first."""
    return Deck.objects.filter(owner_id=owner).order_by("-id")
