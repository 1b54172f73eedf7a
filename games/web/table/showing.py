"""What a request is shown of a match: its page, or the table panel alone."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from games.absent import check_installed
from games.competitions.selectors import tournament_for
from games.house_names import HIDDEN
from games.matches.seating.first_moves import note_came
from games.matches.selectors.access import Caller, find_match
from games.matches.selectors.history import as_watched
from games.matches.selectors.withheld import named_for
from games.matches.snapshot import MatchSnapshot
from games.web.front.agreements import Agreements
from games.web.front.planning import Planning
from games.web.parts.headline import headline, round_said, turns
from games.web.parts.match_shape import shape_words
from games.web.parts.options_form import chosen
from games.web.parts.side_decks import decks_for
from games.web.parts.table_page import TablePage, table_page
from games.web.parts.terms import invitation
from games.web.parts.visitor import user_id
from games.web.table import score_sheet
from games.web.table.coach import CoachAtTable, coach_line
from games.web.table.endings.ending import MatchEnding, round_ending
from games.web.table.endings.mirrored import mirrored_panel
from games.web.table.endings.once_more import OnceMore, series_score
from games.web.table.endings.rating import rating_changes
from games.web.table.first_deal import shows_the_opening
from games.web.table.happened import MOST_PLIES, motions_of
from games.web.table.past.replay import may_look_back
from games.web.table.preview import preview
from games.web.table.saves import save_groups
from games.web.table.talking import talk
from games.web.tables import GamePage, drawn, page_of

NO_HINTS: Final = "no_hints"  # in the session
MOST_BRIEF_PLIES: Final = 400  # twenty tricks of eight with some disputes


def panel(request: HttpRequest, page: TablePage) -> HttpResponse:
    """The table panel alone; it replaces the one that the page shows."""
    return draw_page(request, page, lambda own: own.template)


def draw_page(
    request: HttpRequest,
    page: TablePage,
    template: Callable[[GamePage], str],
    more: Mapping[str, Any] = MappingProxyType({}),
) -> HttpResponse:
    """By the game's own page; what fails of a game from outside is drawn by the plain one."""

    def draw(game_page: GamePage) -> HttpResponse:
        return render(request, template(game_page), {**_context(page, game_page), **more})

    return _at_its_version(drawn(page_of(page.match.game), draw), page)


def _at_its_version(response: HttpResponse, page: TablePage) -> HttpResponse:
    """Says which state of the match this is, so that no older one is shown after it."""
    response["Table-Version"] = f"{page.match.version}-{page.changed}"
    return response


def tag(page: TablePage) -> str:
    """Identifies what the page shows; the kinds of seats are in it, as joining is no move."""
    kinds = "".join(seat.kind[0] for seat in page.match.seats)
    wish = OnceMore(page).tag
    shows = page.match.version, page.match.status, kinds, page.seat, int(page.hidden), wish
    return "-".join(map(str, [*shows, f"{page.changed:x}"]))


def visible_match(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """With the names that the reader may know."""
    return named_for(found_match(request, match_id), user_id(request), gettext(HIDDEN))


def found_match(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    user = user_id(request)
    access = find_match(match_id, Caller(user=user))
    if access is None or not access.match.is_visible_to(user):
        raise Http404("There is no such match, or it is not yours to see.")
    note_came(access.match, user)
    return access.match


def page_for(request: HttpRequest, match_id: UUID) -> TablePage:
    """Raises ``GameNotInstalled``."""
    match = found_match(request, match_id)
    check_installed(match.rules)
    match = as_watched(match, user_id(request), gettext(HIDDEN))
    present_seat = request.session.get(presence_key(match_id))
    game_page = page_of(match.game)
    return table_page(
        match,
        user_id(request),
        present_seat=present_seat,
        plies_read=game_page.plies_read,
        wants_hints=NO_HINTS not in request.session,
        unseen=min(_unseen(request, match), _most_shown(game_page)),
    )


def _unseen(request: HttpRequest, match: MatchSnapshot) -> int:
    """How many plies the asking page does not show; of a whole page all while the match opens."""
    if shows_the_opening(request, match):
        return match.version + 1
    shown = request.GET.get("shown", "").partition("-")[0] or request.POST.get("version", "")
    after = int(shown) if shown.isdecimal() and len(shown) < 9 else match.version
    return max(0, match.version - after)


def _most_shown(game_page: GamePage) -> int:
    return MOST_BRIEF_PLIES if game_page.brief_motions else MOST_PLIES


def _context(page: TablePage, game_page: GamePage) -> dict[str, Any]:
    motions, match_ending = motions_of(page, game_page), MatchEnding(page, game_page)
    return {
        "page": page,
        "match": page.match,
        "game": page.match.rules,
        "view": page.view,
        "tag": tag(page),
        "on_timeout": page.on_timeout,
        "agreements": Agreements(page),
        "planning": Planning(page),
        "headline": headline(page),
        "round_said": round_said(page),
        "motions": motions,
        "turns": turns(page) if motions else (),
        "round_ending": round_ending(page, game_page) if page.view else None,
        "invitation": invitation(page),
        "once_more": OnceMore(page),
        "series": series_score(page),
        "tournament": tournament_for(page.match, page.user),
        "match_ending": match_ending,
        "mirrored": mirrored_panel(page.match, page.user),
        "ratings": rating_changes(page.match, page.user),
        "read_aloud": _read_aloud(page, match_ending),
        "scores": score_sheet.sheet(page),
        "preview": preview(page),
        "shape": shape_words(page),
        "coach": coach_line(page, game_page),
        "coach_at_table": CoachAtTable(page),
        "chosen_options": chosen(page.match.rules, page.match.options),
        "game_page": game_page,
        "scene": game_page.scene(page) if page.view else None,
        "decks": decks_for(page.user, page.match.rules),
        "may_look_back": may_look_back(page),
        "saves": save_groups(page),
        "talk": talk(page),
    }


def _read_aloud(page: TablePage, match_ending: MatchEnding) -> str:
    """What mattered last, and at the end how it ended."""
    ending = match_ending.read_aloud if page.match.is_over else ""
    return " ".join(filter(None, (page.read_aloud, ending)))


def presence_key(match_id: UUID) -> str:
    """Where the session keeps which seat's player said that they hold the device."""
    return f"there:{match_id}"
