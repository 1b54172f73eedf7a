"""The crafting bench: every button is a form of its own; with htmx only the panel is swapped."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.sessions import enter_as_guest
from config.refusals import Refusal
from decks.draft import Draft
from decks.models import Deck
from decks.refusals import NoSuchDeck
from decks.services import decks
from decks.services.imports import read_code
from decks.services.legality import check
from decks.web.changes import change
from decks.web.editor_context import bench

READ_OR_SENT = require_http_methods(["GET", "HEAD", "POST"])


@READ_OR_SENT
@never_cache
def new(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request, _opened(request))
    return _save(request) if "save" in request.POST else _change(request)


@READ_OR_SENT
@never_cache
def edit(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    deck = own_deck(request, deck_id)
    if request.method != "POST":
        held = "cards" in request.GET
        return _page(request, Draft.of(request.GET.dict()) if held else _draft_of(deck), deck)
    return _save(request, deck) if "save" in request.POST else _change(request, deck)


def own_deck(request: HttpRequest, deck_id: UUID) -> Deck:
    """The deck of whoever asks; to all others it is not there."""
    if not request.user.is_authenticated:
        raise Http404
    try:
        return decks.the(owner=request.user.pk, deck_id=deck_id)
    except NoSuchDeck as refusal:
        raise Http404(str(refusal)) from None


def _draft_of(deck: Deck) -> Draft:
    return Draft(name=deck.name, cards=tuple(deck.cards), is_default=deck.is_default)


def _opened(request: HttpRequest) -> Draft:
    """An address holds a draft, or the share code of a deck to begin with."""
    draft = Draft.of(request.GET.dict())
    if "code" not in request.GET:
        return draft
    try:
        return Draft(name=draft.name, cards=read_code(request.GET["code"]))
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return draft


def _change(request: HttpRequest, deck: Deck | None = None) -> HttpResponse:
    """Another draft under another address; the reader goes on where the button was."""
    done = change(Draft.of(request.POST.dict()), request.POST.dict())
    address = f"{request.path}?{done.draft.query}"
    if getattr(request, "htmx", False):
        shown = {**bench(done.draft), "deck": deck, "said": done.said, "refused": done.refused}
        answer = render(request, "decks/bench_change.html", shown)
        answer["HX-Replace-Url"] = address
        return answer
    if done.refused:
        messages.warning(request, done.said)
    return redirect(f"{address}#{done.place}")


def _save(request: HttpRequest, deck: Deck | None = None) -> HttpResponse:
    draft = Draft.of(request.POST.dict())
    said: dict[str, Any] = {"name": draft.name, "cards": draft.cards}
    try:
        check(**said)  # before anybody becomes a guest for it
        said["owner"] = enter_as_guest(request).pk
        if deck:
            saved = decks.update(**said, deck_id=deck.pk, is_default=draft.is_default)
        else:
            saved = decks.create(**said, is_default=draft.is_default or None)
    except Refusal as refusal:
        return _page(request, draft, deck, refusal)
    messages.success(request, f"{saved.name} is saved.")
    return redirect("deck", saved.pk)


def _page(
    request: HttpRequest, draft: Draft, deck: Deck | None = None, refusal: Refusal | None = None
) -> HttpResponse:
    told = faults_of(refusal) if refusal else []
    shown = {**bench(draft), "deck": deck, "faults": told}
    return render(request, "decks/bench.html", shown, status=422 if refusal else 200)


def faults_of(refusal: Refusal) -> list[str]:
    """Everything a refusal names, a sentence each."""
    return list(refusal.extras.get("faults", [str(refusal)]))
