"""Decks as pages: the list, a deck with its charts, the editor."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.visitors import once
from cardroom.arena.statistics import Interval
from cardroom.rules.pazaak.side_cards import (
    CARD,
    CATALOGUES,
    DECK_SIZE,
    READY_MADE,
    SIDE_CARDS,
    SideCard,
    legal_catalogues,
    unknown_card,
)
from config.refusals import Refusal
from config.words import sentence_of, sentences
from decks import doctor, selectors, services
from decks.draft import Command, Draft, Total, repertoire
from decks.models import Deck
from decks.services import NoSuchDeck, check, read_code
from games.language import words
from games.simulations.work import summary_so_far

# The editor's picture of a draft: slots, counts, the catalogue by kind, where it is legal.

KINDS: Final = {
    "plus": (gettext_lazy("Plus"), gettext_lazy("Adds its number to your total.")),
    "minus": (
        gettext_lazy("Minus"),
        gettext_lazy("Takes its number off your total: the way back from a bust."),
    ),
    "plus-or-minus": (
        gettext_lazy("Plus or minus"),
        gettext_lazy("Adds or takes off its number, as you choose."),
    ),
    "plus-or-minus-1-2": (
        gettext_lazy("One or two"),
        gettext_lazy("Adds or takes off 1 or 2, as you choose."),
    ),
    "double": (gettext_lazy("Double"), gettext_lazy("Doubles the newest card on your board.")),
    "tiebreaker": (
        gettext_lazy("Tiebreaker"),
        gettext_lazy("Adds or takes off 1; as your newest card it also wins you an equal round."),
    ),
    "flip": (
        gettext_lazy("Flip"),
        gettext_lazy(
            "Turns every card of either number on your board over: plus becomes minus and back."
        ),
    ),
}
CATALOGUE_NAMES: Final = {
    "full": gettext_lazy("All side cards"),
    "kotor1": "KotOR",
    "kotor2": "KotOR II",
}


@dataclass(frozen=True)
class CardCount:
    """A card of the catalogue and how often the draft has it."""

    card: SideCard
    count: int


@dataclass(frozen=True)
class Group:
    kind: str
    heading: Any  # lazy text, as is `words`
    words: Any
    counts: tuple[CardCount, ...]


@dataclass(frozen=True)
class CatalogueFit:
    """Whether a catalogue has all the cards, and which it lacks."""

    catalogue: str
    name: Any  # lazy text
    lacks: tuple[str, ...]


def editor_context(draft: Draft) -> dict[str, Any]:
    groups = catalogue(draft.cards)
    return {
        "draft": draft,
        "size": DECK_SIZE,
        "slots": [CARD.get(code, code) for code in draft.cards],
        "empty": range(draft.missing),
        "groups": groups,
        "counts": [each for group in groups for each in group.counts],
        "fits": catalogue_fits(draft.cards),
        "unknown": [
            words(unknown_card(code)) for code in dict.fromkeys(draft.cards) if code not in CARD
        ],
        "surplus": max(0, len(draft.cards) - DECK_SIZE),
        "most_copies": max(Counter(draft.cards).values(), default=0),
    }


def catalogue(cards: Sequence[str]) -> list[Group]:
    copies = Counter(cards)
    counts = [CardCount(card, copies[card.code]) for card in SIDE_CARDS]
    return [
        Group(kind, heading, meaning, tuple(each for each in counts if each.card.kind == kind))
        for kind, (heading, meaning) in KINDS.items()
    ]


def catalogue_fits(cards: Sequence[str]) -> list[CatalogueFit]:
    codes_used = dict.fromkeys(code for code in cards if code in CARD)
    return [
        CatalogueFit(
            name,
            CATALOGUE_NAMES[name],
            tuple(words(CARD[code].name) for code in codes_used if code not in codes),
        )
        for name, codes in CATALOGUES.items()
    ]


# Figures as the coordinates of plain SVG: pages may hold no styles of their own.

STEP: Final = 40
TALLEST: Final = 80
FLOOR: Final = 100
MIDDLE_GAP: Final = 24  # where 20 is, which needs no card


@dataclass(frozen=True)
class Bar:
    total: Total
    x: int
    y: int
    height: int

    @property
    def middle(self) -> int:
        return self.x + STEP // 2

    @property
    def above(self) -> int:
        return self.y - 5


class Rate(NamedTuple):
    """In percent, and where that is on a scale of 300."""

    percent: float
    low: float
    high: float
    left: int
    width: int
    at: int


def bars(totals: Sequence[Total]) -> list[Bar]:
    most = max(1, *(total.cards for total in totals))
    return [
        Bar(total, place * STEP + MIDDLE_GAP * total.is_bust, FLOOR - height, height)
        for place, total in enumerate(totals)
        for height in [total.cards * TALLEST // most]
    ]


def rate(share: Interval) -> Rate:
    left, right = round(300 * share.low), round(300 * share.high)
    return Rate(
        percent=100 * share.value,
        low=100 * share.low,
        high=100 * share.high,
        left=left,
        width=max(2, right - left),
        at=round(300 * share.value),
    )


# Decks that a form makes: the same press again shows the deck that is there already.


def made_once(request: HttpRequest, make: Callable[[UUID], Deck]) -> Deck:
    """``make`` is called with the owner's id; a visitor becomes a guest."""
    deck_id = once(request, lambda user: make(user.pk).pk)
    return get_object_or_404(selectors.of(request.user.pk), pk=deck_id)


# The list of decks: the visitor's own, the ready-made ones, and the import of others.

A_PAGE = 20


@require_safe
@never_cache
def deck_list(request: HttpRequest) -> HttpResponse:
    return _page(request)


@require_POST
def copy_ready_made(request: HttpRequest, slug: str) -> HttpResponse:
    return _saved(request, lambda owner: services.copy_ready_made(owner=owner, slug=slug))


@require_POST
@never_cache
def import_deck(request: HttpRequest) -> HttpResponse:
    typed, name = request.POST.get("typed", ""), request.POST.get("name", "").strip()

    try:
        services.read_either(typed)  # before a visitor becomes a guest for it
    except Refusal as refusal:
        return _page(request, status=422, faults=sentences(refusal), typed=typed, name=name)
    return _saved(
        request,
        lambda owner: services.from_either(
            owner=owner, typed=typed, name=name, unnamed=words(services.IMPORTED)
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


# The page of a deck: its cards, their repertoire, how often they win, and its buttons.

REFERENCE_NAME: Final = next(deck.name for deck in READY_MADE if deck.cards == selectors.REFERENCE)


@require_safe
@never_cache
def page(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    return _deck_page_page(request, _deck_page_own(request, deck_id))


@require_POST
@never_cache
def rename(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    deck, name = _deck_page_own(request, deck_id), request.POST.get("name", "")
    try:
        renamed = services.update_deck(owner=deck.owner_id, deck_id=deck_id, name=name)
    except Refusal as refusal:
        return _deck_page_page(
            request, deck, faults=sentences(refusal), typed_name=name, status=422
        )
    messages.success(request, gettext("The deck is called {name} now.").format(name=renamed.name))
    return redirect("deck", deck_id)


@require_POST
def make_default(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    deck = _deck_page_own(request, deck_id)
    services.update_deck(owner=deck.owner_id, deck_id=deck_id, is_default=True)
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
    deck = _deck_page_own(request, deck_id)
    try:
        name = gettext("{name} copy").format(name=deck.name)
        made = made_once(
            request, lambda owner: services.copy_deck(owner=owner, deck_id=deck_id, name=name)
        )
    except Refusal as refusal:
        return _deck_page_page(request, deck, faults=sentences(refusal), status=422)
    messages.success(request, gettext("{name} is saved.").format(name=made.name))
    return redirect("deck", made.pk)


@require_POST
def delete(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    deck = _deck_page_own(request, deck_id)
    services.delete_deck(owner=deck.owner_id, deck_id=deck_id)
    code = selectors.encode_deck(deck.cards)
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
    deck = _deck_page_own(request, deck_id)
    try:
        services.request_measurement(cards=deck.cards, requester=deck.owner)
    except Refusal as refusal:
        return _deck_page_page(request, deck, faults=sentences(refusal), status=422)
    return redirect(f"{reverse('deck', args=[deck_id])}#wins")


@require_safe
@never_cache
def measured(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    """The measurement, which htmx loads again while matches are being played."""
    deck = _deck_page_own(request, deck_id)
    return render(request, "decks/measurement.html", {"deck": deck, **_measured(deck)})


@require_safe
@never_cache
def text(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    """The deck as a file: one code a line, as the import reads it."""
    lines = "".join(f"{code}\n" for code in _deck_page_own(request, deck_id).cards)
    named = {"Content-Disposition": 'attachment; filename="side-deck.txt"'}
    return HttpResponse(lines, content_type="text/plain; charset=utf-8", headers=named)


def _deck_page_own(request: HttpRequest, deck_id: UUID) -> Deck:
    return get_object_or_404(selectors.of(request.user.pk), pk=deck_id)


def _deck_page_page(
    request: HttpRequest, deck: Deck, *, status: int = 200, **more: Any
) -> HttpResponse:
    plays = repertoire(deck.cards)
    code = selectors.encode_deck(deck.cards)
    context = {
        "deck": deck,
        "cards": [CARD[each] for each in deck.cards],
        "catalogues": [str(CATALOGUE_NAMES[name]) for name in legal_catalogues(deck.cards)],
        "code": code,
        "link": request.build_absolute_uri(f"{reverse('deck_new')}?code={code}"),
        "repertoire": plays,
        "bars": bars(plays.totals),
        **_measured(deck),
        **more,
    }
    return render(request, "decks/deck.html", context, status=status)


def _measured(deck: Deck) -> dict[str, Any]:
    row = selectors.measurement(selectors.encode_deck(deck.cards))
    simulation = row.simulation if row else None
    summary = summary_so_far(simulation) if simulation else None
    result = summary.bots[0] if summary else None  # of the deck; the second is the reference deck
    return {
        "simulation": simulation,
        "result": result,
        "rate": rate(result.wins) if result else None,
        "reference": REFERENCE_NAME,
    }


# The deck editor: every button is a form of its own; with htmx only the panel is swapped.

READ_OR_SENT = require_http_methods(["GET", "HEAD", "POST"])


@READ_OR_SENT
@never_cache
def new(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _editor_page(request, _opened(request))
    return _save(request) if "save" in request.POST else _apply(request)


@READ_OR_SENT
@never_cache
def edit(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    deck = get_object_or_404(selectors.of(request.user.pk), pk=deck_id)
    if request.method != "POST":
        has_draft = "cards" in request.GET
        return _editor_page(
            request, Draft.of(request.GET.dict()) if has_draft else _draft_of(deck), deck
        )
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
        saved = _editor_saved(request, draft, deck)
    except Refusal as refusal:
        return _editor_page(request, draft, deck, refusal)
    messages.success(request, gettext("{name} is saved.").format(name=saved.name))
    return redirect("deck", saved.pk)


def _editor_saved(request: HttpRequest, draft: Draft, deck: Deck | None) -> Deck:
    name, cards, default = draft.name, draft.cards, draft.is_default
    if deck is not None:
        here = {"owner": deck.owner_id, "deck_id": deck.pk}
        return services.update_deck(**here, name=name, cards=cards, is_default=default)
    return made_once(
        request,
        lambda owner: services.create_deck(
            owner=owner, name=name, cards=cards, is_default=default or None
        ),
    )


def _editor_page(
    request: HttpRequest, draft: Draft, deck: Deck | None = None, refusal: Refusal | None = None
) -> HttpResponse:
    faults = sentences(refusal) if refusal else []
    context = {**editor_context(draft), "deck": deck, "faults": faults}
    return render(request, "decks/editor.html", context, status=422 if refusal else 200)


# Below /decks/.

urlpatterns = [
    path("", deck_list, name="decks"),
    path("new", new, name="deck_new"),
    path("import", import_deck, name="deck_import"),
    path("ready-made/<slug:slug>/copy", copy_ready_made, name="deck_copy_ready_made"),
    path("<uuid:deck_id>", page, name="deck"),
    path("<uuid:deck_id>/edit", edit, name="deck_edit"),
    path("<uuid:deck_id>/rename", rename, name="deck_rename"),
    path("<uuid:deck_id>/copy", copy, name="deck_copy"),
    path("<uuid:deck_id>/default", make_default, name="deck_make_default"),
    path("<uuid:deck_id>/delete", delete, name="deck_delete"),
    path("<uuid:deck_id>/text", text, name="deck_text"),
    path("<uuid:deck_id>/measure", measure, name="deck_measure"),
    path("<uuid:deck_id>/measured", measured, name="deck_measured"),
    path("<uuid:deck_id>/doctor", doctor.page, name="deck_doctor"),
]
