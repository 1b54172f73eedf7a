"""A match laid open: its sealed decks for a browser that checks them, its table for operators.

While the match runs it shows the seal alone. Afterwards it lists every deck, with the steps by
which each follows from the seed; the browser fetches the record and repeats them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, Final
from uuid import UUID

import msgspec
from csp.constants import SELF
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_GET

from accounts.admin_site import lacks_second_factor
from accounts.models import User
from cardroom.rules import record
from cardroom.rules.game import AnyGame
from cardroom.rules.record import BadRecord, Record
from config.refusals import Refusal
from config.words import sentence_of
from games.language import card_text, letters
from games.matches import records
from games.matches.selectors.access import Caller, find_match
from games.matches.selectors.history import match_at
from games.matches.snapshot import MatchSnapshot
from games.operations import finding
from games.web.parts.headline import heading, headline, round_said
from games.web.table.page import page_for, sheet
from games.web.table.past import PastPage
from games.web.tables import GamePage, drawn, page_of, table_context
from games.web.tables.any_game import is_card

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
        "rounds": list(_rounds(match_record, page.match.rules)),
        **_steps(match_record),
    }
    context["letters"] = msgspec.json.encode(letters()).decode()
    return render(request, "games/deals.html", context)


def _rounds(match_record: Record, game: AnyGame) -> Iterator[DeckRound]:
    number = count()
    for line in match_record.rounds:
        decks = [
            Deck(
                next(number),
                [card_text(code) if is_card(code) else code for code in deck.split(" ")],
            )
            for deck in line.shuffles
        ]
        yield DeckRound(heading(game, line.number), line.undone, decks)


def _steps(match_record: Record) -> dict[str, Any]:
    """The origin of each deck, for the script of the page; none where there are too many moves."""
    if sum(len(line.moves) for line in match_record.rounds) > MOST_MOVES:
        return {"too_long": True, "steps": []}
    try:
        return {"steps": msgspec.to_builtins(record.deals(match_record))}
    except BadRecord as error:
        return {"fault": str(error), "steps": []}


# The table as an operator looks at it, at any ply: read-only, and logged where it tells more.


@never_cache
@require_GET
@xframe_options_sameorigin
def operator_table(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match, user = _watched(request, match_id)
    version, seat = _number(request, "ply"), _number(request, "seat")
    version = match.version if version is None else min(max(version, 0), match.version)
    if seat is not None:
        _note(request, match, user, seat, version)
    then = match_at(match, version)
    page = PastPage(then, None, seat, plies_read=page_of(match.game).plies_read)
    shown = {
        "framed": "ply" in request.GET,
        "tag": "",
        "on_timeout": None,  # nothing to press
        "headline": headline(page),
        "round_said": round_said(page),
        "scores": sheet(page),
    }

    def draw(game_page: GamePage) -> HttpResponse:
        context = table_context(page, game_page) | shown
        return render(request, "games/operator_table.html", context)

    response = drawn(page_of(match.game), draw)
    response._csp_replace = {"frame-ancestors": [SELF]}  # type: ignore[attr-defined]  # noqa: SLF001
    return response


def _watched(request: HttpRequest, match_id: UUID) -> tuple[MatchSnapshot, User]:
    user = request.user
    if not isinstance(user, User) or not user.is_staff or lacks_second_factor(request):
        raise Http404
    access = find_match(match_id, Caller())
    if access is None or access.match.state_json is None:
        raise Http404
    if not finding.may_watch(access.match, user, request.session):
        raise Http404
    return access.match, user


def _note(request: HttpRequest, match: MatchSnapshot, user: User, seat: int, version: int) -> None:
    session = request.session
    if seat >= len(match.seats) or not finding.may_see_cards(match, user, session):
        raise Http404
    finding.note_look(match, user, session, seat, version)


def _number(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else None
