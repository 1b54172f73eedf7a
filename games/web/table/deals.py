"""The page on which a browser checks that every deck of a match was sealed before its first card.

While the match runs it shows the seal alone. Afterwards it lists every deck, with the steps by
which each follows from the seed; the browser fetches the record and repeats them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, Final
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from cardroom.rules import record
from cardroom.rules.record import BadRecord, Record
from config.refusals import Refusal
from config.words import sentence_of
from games.language import card_text, letters
from games.matches.records import records
from games.web.parts.round_words import heading
from games.web.parts.view_facts import is_card
from games.web.table.showing import page_for

MOST_MOVES: Final = 20_000  # a longer match is not played again for a page


@dataclass(frozen=True)
class Deck:
    """A listed deck by its number in the whole record; ``cards`` as people write them."""

    number: int
    cards: list[str]


@dataclass(frozen=True)
class DeckRound:
    name: str
    undone: bool
    decks: list[Deck]


@never_cache
@require_GET
def table_deals(request: HttpRequest, match_id: UUID) -> HttpResponse:
    page = page_for(request, match_id)
    context: dict[str, Any] = {"match": page.match, "game": page.match.rules}
    try:
        match_record = records.of(page.match, page.user)
    except Refusal as refused:
        return render(request, "games/deals.html", context | {"not_yet": sentence_of(refused)})
    context |= {
        "record": match_record,
        "rounds": list(_rounds(match_record, page.match.game)),
        **_steps(match_record),
    }
    context["letters"] = msgspec.json.encode(letters()).decode()
    return render(request, "games/deals.html", context)


def _rounds(match_record: Record, game: str) -> Iterator[DeckRound]:
    number = count()
    for line in match_record.rounds:
        decks = [Deck(next(number), _readable(deck)) for deck in line.shuffles]
        yield DeckRound(heading(game, line.number), line.undone, decks)


def _readable(deck: str) -> list[str]:
    return [card_text(code) if is_card(code) else code for code in deck.split(" ")]


def _steps(match_record: Record) -> dict[str, Any]:
    """How each deck came about, for the script of the page; none where there are too many moves."""
    if sum(len(line.moves) for line in match_record.rounds) > MOST_MOVES:
        return {"too_long": True, "steps": []}
    try:
        return {"steps": msgspec.to_builtins(record.deals(match_record))}
    except BadRecord as error:
        return {"fault": str(error), "steps": []}
