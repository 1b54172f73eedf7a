"""The deck editor: every button is a form of its own; with htmx only the panel is swapped."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from config.refusals import Refusal
from config.words import sentence_of, sentences
from decks import selectors
from decks.draft import Command, Draft
from decks.models import Deck
from decks.services import decks
from decks.services.imports import read_code
from decks.services.legality import check
from decks.web.editor_context import editor_context
from decks.web.made_once import made_once
from games.language import words

READ_OR_SENT = require_http_methods(["GET", "HEAD", "POST"])


@READ_OR_SENT
@never_cache
def new(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request, _opened(request))
    return _save(request) if "save" in request.POST else _apply(request)


@READ_OR_SENT
@never_cache
def edit(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    deck = get_object_or_404(selectors.of(request.user.pk), pk=deck_id)
    if request.method != "POST":
        has_draft = "cards" in request.GET
        return _page(request, Draft.of(request.GET.dict()) if has_draft else _draft_of(deck), deck)
    return _save(request, deck) if "save" in request.POST else _apply(request)


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
        messages.error(request, sentence_of(refusal))
        return draft


def _apply(request: HttpRequest) -> HttpResponse:
    """The next draft under its own address; without scripts the reader goes on at the anchor."""
    sent = request.POST.dict()
    done = Draft.of(sent).apply(Command.of(sent))
    address = f"{request.path}?{done.draft.query}"
    message = words(done.message) if done.message else ""
    if getattr(request, "htmx", False):
        context = {**editor_context(done.draft), "message": message, "refused": done.refused}
        answer = render(request, "decks/editor_update.html", context)
        answer["HX-Replace-Url"] = address
        return answer
    if done.refused:
        messages.warning(request, message)
    return redirect(f"{address}#{done.anchor}")


def _save(request: HttpRequest, deck: Deck | None = None) -> HttpResponse:
    draft = Draft.of(request.POST.dict())
    try:
        check(name=draft.name, cards=draft.cards)  # before a visitor becomes a guest for it
        saved = _saved(request, draft, deck)
    except Refusal as refusal:
        return _page(request, draft, deck, refusal)
    messages.success(request, gettext("{name} is saved.").format(name=saved.name))
    return redirect("deck", saved.pk)


def _saved(request: HttpRequest, draft: Draft, deck: Deck | None) -> Deck:
    name, cards, default = draft.name, draft.cards, draft.is_default
    if deck is not None:
        here = {"owner": deck.owner_id, "deck_id": deck.pk}
        return decks.update(**here, name=name, cards=cards, is_default=default)
    return made_once(
        request,
        lambda owner: decks.create(owner=owner, name=name, cards=cards, is_default=default or None),
    )


def _page(
    request: HttpRequest, draft: Draft, deck: Deck | None = None, refusal: Refusal | None = None
) -> HttpResponse:
    faults = sentences(refusal) if refusal else []
    context = {**editor_context(draft), "deck": deck, "faults": faults}
    return render(request, "decks/editor.html", context, status=422 if refusal else 200)
