"""The page of the deck doctor: ask, watch, and the findings as pictures."""

from typing import Any, Final, NamedTuple
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardroom.arena import doctor
from cardroom.arena.doctor import Diagnosis
from cardroom.arena.request import LARGEST_SEED
from cardroom.arena.statistics import Interval
from cardroom.rules.pazaak.side_cards import CARD
from cardroom.rules.text import say
from config.refusals import Refusal
from config.words import sentences
from decks import selectors, services
from decks.models import Deck
from decks.services import SEED, BadDeck, DoctorField
from games.language import words
from games.simulations.work import diagnosis_of

RIVALS: Final = "rivals"
SCALE: Final = 300  # width of a picture of an interval
STEPS: Final = 4  # of colour, from an even match to a clear one
CLEAR: Final = 0.2  # more than half that is the last step


class DoctorForm(forms.Form):
    """The field that a deck is examined against, and the seed."""

    field = forms.ChoiceField(
        label=gettext_lazy("Against"),
        required=False,
        choices=[
            ("public", gettext_lazy("the ready-made decks")),
            ("house", gettext_lazy("what computers bring")),
            (RIVALS, gettext_lazy("rivals' decks, by their codes")),
        ],
    )
    rivals = forms.CharField(
        label=gettext_lazy("Codes of rivals' decks"),
        required=False,
        max_length=100,
        help_text=gettext_lazy("Up to eight, separated by commas."),
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        required=False,
        min_value=0,
        max_value=LARGEST_SEED,
        help_text=gettext_lazy("The same seed gives the same figures."),
    )

    @classmethod
    def of(cls, sent: QueryDict) -> "DoctorForm":
        """From a form, or from an address that names codes alone."""
        field = RIVALS if sent.get("rivals") and not sent.get("field") else sent.get("field", "")
        return cls({**sent.dict(), "field": field}, label_suffix="")

    def chosen(self) -> DoctorField:
        """Raises BadDeck for a mistyped code."""
        field, seed = self.cleaned_data["field"], self.cleaned_data["seed"]
        codes = [code for code in self.cleaned_data["rivals"].split(",") if code.strip()]
        if field == RIVALS and not codes:
            raise BadDeck([say("Name the code of a rival's deck.")])
        return services.checked_field(
            field="public" if field in ("", RIVALS) else field,
            rivals=codes if field == RIVALS else (),
            seed=SEED if seed is None else seed,
        )


class Mark(NamedTuple):
    """An interval in percent, and where that is on a scale of ``SCALE``."""

    value: float
    low: float
    high: float
    left: int
    width: int
    at: int
    kind: str  # whether it is a gain or a loss for certain


class Cell(NamedTuple):
    percent: float
    low: float
    high: float
    heat: str


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def page(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    """htmx loads the findings again while matches are being played."""
    deck = get_object_or_404(selectors.of(request.user.pk), pk=deck_id)
    form = DoctorForm.of(request.POST or request.GET)
    faults, status, shown = list[str](), 200, dict[str, Any]()
    try:
        if not form.is_valid():
            faults = [str(error) for errors in form.errors.values() for error in errors]
            status = 422
        else:
            field = form.chosen()
            if request.method == "POST":
                services.request_examination(cards=deck.cards, requester=deck.owner, field=field)
                address = reverse("deck_doctor", args=[deck_id])
                return redirect(f"{address}?{field.query}#findings")
            shown = _findings(deck, field)
    except Refusal as refusal:
        faults, status = sentences(refusal), 422
    context = {"deck": deck, "form": form, "faults": faults, **shown}
    part = "findings" if getattr(request, "htmx", False) else "doctor"
    return render(request, f"decks/{part}.html", context, status=status)


def _findings(deck: Deck, field: DoctorField) -> dict[str, Any]:
    row = services.examination(cards=deck.cards, field=field)
    simulation = row.simulation if row else None
    diagnosis = diagnosis_of(simulation) if simulation else None
    return {
        "query": field.query,
        "simulation": simulation,
        "findings": pictures(diagnosis, deck.name) if diagnosis else None,
    }


def pictures(diagnosis: Diagnosis, name: str) -> dict[str, Any]:
    """The figures of a diagnosis as a page draws them."""
    gains = [swap.gain for swap in diagnosis.swaps]
    worths = [card.worth for card in diagnosis.cards]
    best = diagnosis.swaps[0]
    names = [name, f"{name}: {words(CARD[best.out].name)} → {words(CARD[best.into].name)}"]
    names += [doctor.deck_name(deck, selectors.encode_deck(deck)) for deck in diagnosis.decks[2:]]
    weights = diagnosis.equilibrium.weights
    rows = [[_cell(share) for share in row] for row in diagnosis.matrix]
    return {
        "of": diagnosis,
        "score": 100 * diagnosis.score.value,
        "low": 100 * diagnosis.score.low,
        "high": 100 * diagnosis.score.high,
        "swaps": list(zip(diagnosis.swaps, _marks(gains), strict=True)),
        "is_sure": gains[0].low > 0,
        "cards": [
            (card, mark, [_shares(each) for each in (card.drawn, *(r.played for r in card.rounds))])
            for card, mark in zip(diagnosis.cards, _marks(worths), strict=True)
        ],
        "decks": list(zip(names, [100 * weight for weight in weights], rows, strict=True)),
        "bound": 50 + 100 * diagnosis.equilibrium.exploitability,
        "at_most": 50 + 100 * diagnosis.equilibrium.at_most,
    }


def _shares(share: doctor.CardShare) -> float | None:
    return 100 * share.won.value if share.times else None


def _marks(intervals: list[Interval]) -> list[Mark]:
    """All on one scale, with nothing in the middle."""
    widest = max(max(-each.low, each.high) for each in intervals)

    def place(share: float) -> int:
        return round(SCALE / 2 * (1 + share / widest * 0.95))

    return [
        Mark(
            100 * each.value,
            100 * each.low,
            100 * each.high,
            place(each.low),
            max(2, place(each.high) - place(each.low)),
            place(each.value),
            "is-gain" if each.low > 0 else "is-loss" if each.high < 0 else "",
        )
        for each in intervals
    ]


def _cell(share: Interval) -> Cell:
    lead = share.value - 0.5
    step = min(STEPS, round(abs(lead) / CLEAR * STEPS))
    heat = "even" if not step else f"{'ahead' if lead > 0 else 'behind'}-{step}"
    return Cell(100 * share.value, 100 * share.low, 100 * share.high, heat)
