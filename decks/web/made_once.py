"""Decks that a form makes: the same press again shows the deck that is there already."""

from collections.abc import Callable
from uuid import UUID

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from accounts.web.presses import once
from decks import selectors
from decks.models import Deck


def made_once(request: HttpRequest, make: Callable[[UUID], Deck]) -> Deck:
    """``make`` is called with the owner's id; a visitor becomes a guest."""
    deck_id = once(request, lambda user: make(user.pk).pk)
    return get_object_or_404(selectors.of(request.user.pk), pk=deck_id)
