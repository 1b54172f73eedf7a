"""The list of decks: the visitor's own, the ready-made ones, and the import of others."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardroom.rules.pazaak.side_cards import READY_MADE
from config.refusals import Refusal
from config.words import sentence_of, sentences
from decks import selectors
from decks.models import Deck
from decks.refusals import NoSuchDeck
from decks.services import decks, imports
from decks.web.made_once import made_once
from games.language import words

A_PAGE = 20


@require_safe
@never_cache
def deck_list(request: HttpRequest) -> HttpResponse:
    return _page(request)


@require_POST
def copy_ready_made(request: HttpRequest, slug: str) -> HttpResponse:
    return _saved(request, lambda owner: decks.copy_ready_made(owner=owner, slug=slug))


@require_POST
@never_cache
def import_deck(request: HttpRequest) -> HttpResponse:
    typed, name = request.POST.get("typed", ""), request.POST.get("name", "").strip()

    try:
        imports.read_either(typed)  # before a visitor becomes a guest for it
    except Refusal as refusal:
        return _page(request, status=422, faults=sentences(refusal), typed=typed, name=name)
    return _saved(
        request,
        lambda owner: imports.from_either(
            owner=owner, typed=typed, name=name, unnamed=words(imports.IMPORTED)
        ),
        typed=typed,
        name=name,
    )


def _saved(request: HttpRequest, save: Callable[[UUID], Deck], **typed: str) -> HttpResponse:
    """To the page of the saved deck, or the list again with the faults and all that was typed."""
    try:
        deck = made_once(request, save)
    except NoSuchDeck as refusal:
        raise Http404(sentence_of(refusal)) from None
    except Refusal as refusal:
        return _page(request, status=422, faults=sentences(refusal), **typed)
    messages.success(request, gettext("{name} is yours now.").format(name=deck.name))
    return redirect("deck", deck.pk)


def _page(request: HttpRequest, *, status: int = 200, **typed: Any) -> HttpResponse:
    own, older = _own(request)
    context = {"decks": own, "older": older, "ready_made": READY_MADE, **typed}
    return render(request, "decks/deck_list.html", context, status=status)


def _own(request: HttpRequest) -> tuple[list[Deck], UUID | None]:
    """A page of the visitor's decks, and where the next one begins."""
    if not request.user.is_authenticated:
        return [], None
    rows = selectors.of(request.user.pk)
    try:
        before = UUID(request.GET.get("before", ""))
    except ValueError:
        before = None
    page = list((rows.filter(pk__lt=before) if before else rows)[: A_PAGE + 1])
    return page[:A_PAGE], page[A_PAGE - 1].pk if len(page) > A_PAGE else None
