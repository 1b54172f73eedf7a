"""The page of a deck: its cards, their repertoire, how often they win, and its buttons."""

from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardroom.rules.pazaak.side_cards import CARD, READY_MADE, legal_catalogues
from config.refusals import Refusal
from config.words import sentences
from decks import selectors, share_codes
from decks.models import Deck
from decks.repertoire import repertoire
from decks.services import decks, measurement
from decks.web import charts
from decks.web.editor_context import CATALOGUE_NAMES
from decks.web.made_once import made_once
from games.simulations.selectors import summary_so_far

REFERENCE_NAME: Final = next(deck.name for deck in READY_MADE if deck.cards == selectors.REFERENCE)


@require_safe
@never_cache
def page(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    return _page(request, _own(request, deck_id))


@require_POST
@never_cache
def rename(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    deck, name = _own(request, deck_id), request.POST.get("name", "")
    try:
        renamed = decks.update(owner=deck.owner_id, deck_id=deck_id, name=name)
    except Refusal as refusal:
        return _page(request, deck, faults=sentences(refusal), typed_name=name, status=422)
    messages.success(request, gettext("The deck is called {name} now.").format(name=renamed.name))
    return redirect("deck", deck_id)


@require_POST
def make_default(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    deck = _own(request, deck_id)
    decks.update(owner=deck.owner_id, deck_id=deck_id, is_default=True)
    messages.success(
        request,
        gettext(
            "{name} is your default deck now: you play with it unless you choose another."
        ).format(name=deck.name),
    )
    return redirect("deck", deck_id)


@require_POST
@never_cache
def copy(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    deck = _own(request, deck_id)
    try:
        name = gettext("{name} copy").format(name=deck.name)
        made = made_once(request, lambda owner: decks.copy(owner=owner, deck_id=deck_id, name=name))
    except Refusal as refusal:
        return _page(request, deck, faults=sentences(refusal), status=422)
    messages.success(request, gettext("{name} is saved.").format(name=made.name))
    return redirect("deck", made.pk)


@require_POST
def delete(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    deck = _own(request, deck_id)
    decks.delete(owner=deck.owner_id, deck_id=deck_id)
    code = share_codes.encode(deck.cards)
    messages.success(
        request,
        gettext("{name} is deleted. Its code is {code}, if you want it back.").format(
            name=deck.name, code=code
        ),
    )
    return redirect("decks")


@require_POST
@never_cache
def measure(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    deck = _own(request, deck_id)
    try:
        measurement.request_measurement(cards=deck.cards, requester=deck.owner)
    except Refusal as refusal:
        return _page(request, deck, faults=sentences(refusal), status=422)
    return redirect(f"{reverse('deck', args=[deck_id])}#wins")


@require_safe
@never_cache
def measured(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    """The measurement, which htmx loads again while matches are being played."""
    deck = _own(request, deck_id)
    return render(request, "decks/measurement.html", {"deck": deck, **_measured(deck)})


@require_safe
@never_cache
def text(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    """The deck as a file: one code a line, as the import reads it."""
    lines = "".join(f"{code}\n" for code in _own(request, deck_id).cards)
    named = {"Content-Disposition": 'attachment; filename="side-deck.txt"'}
    return HttpResponse(lines, content_type="text/plain; charset=utf-8", headers=named)


def _own(request: HttpRequest, deck_id: UUID) -> Deck:
    return get_object_or_404(selectors.of(request.user.pk), pk=deck_id)


def _page(request: HttpRequest, deck: Deck, *, status: int = 200, **more: Any) -> HttpResponse:
    plays = repertoire(deck.cards)
    code = share_codes.encode(deck.cards)
    context = {
        "deck": deck,
        "cards": [CARD[each] for each in deck.cards],
        "catalogues": [str(CATALOGUE_NAMES[name]) for name in legal_catalogues(deck.cards)],
        "code": code,
        "link": request.build_absolute_uri(f"{reverse('deck_new')}?code={code}"),
        "repertoire": plays,
        "bars": charts.bars(plays.totals),
        **_measured(deck),
        **more,
    }
    return render(request, "decks/deck.html", context, status=status)


def _measured(deck: Deck) -> dict[str, Any]:
    row = selectors.measurement(share_codes.encode(deck.cards))
    simulation = row.simulation if row else None
    summary = summary_so_far(simulation) if simulation else None
    result = summary.bots[0] if summary else None  # of the deck; the second is the reference deck
    return {
        "simulation": simulation,
        "result": result,
        "rate": charts.rate(result.wins) if result else None,
        "reference": REFERENCE_NAME,
    }
