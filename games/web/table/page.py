"""A match as a request is shown it: its page, or the table panel alone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardroom.rules.game import AnyGame
from cardroom.rules.values import Event
from config.clock import now_in_milliseconds
from games.absent import check_installed
from games.competitions.selectors import tournament_for
from games.language import words
from games.matches.models import Round
from games.matches.party import guests_at, known_code
from games.matches.rating import note_came
from games.matches.selectors.history import as_watched
from games.matches.selectors.secrecy import named_for
from games.matches.snapshot import MatchSnapshot
from games.phrases import speaking
from games.phrases.speaking import Offered, find, offered_at
from games.web.parts.headline import (
    RoundWords,
    headline,
    joined,
    round_said,
    shape_words,
    turns,
    words_for,
)
from games.web.parts.motions import Motion, hands_together
from games.web.parts.options_form import chosen, decks_for, invitation
from games.web.parts.table_page import SeatPanel, TablePage, table_page
from games.web.parts.visitor import match_or_404, user_id
from games.web.table.aftermath import OnceMore, mirrored_panel, rating_changes, series_score
from games.web.table.agreements import Agreements, Planning
from games.web.table.coach import CoachAtTable, coach_line
from games.web.table.ending import MatchEnding, round_ending
from games.web.table.past import may_look_back, save_groups
from games.web.tables import GamePage, MotionsOfPly, drawn, page_of, table_context

# The preview of a link to a match where it is shown elsewhere: a public match that is finished.


@dataclass(frozen=True)
class Preview:
    """``words``: *Ada won, 154 : 120. Ada, Greedy.* ``picture``: the address on this site."""

    words: str
    picture: str


def preview(page: TablePage) -> Preview | None:
    """``None`` where a link says nothing of its match."""
    match = page.match
    if match.status != "finished" or match.visibility != "public" or match.outcome is None:
        return None
    points = " : ".join(map(str, match.outcome.points))
    ending = headline(page) if match.rules.points_are_places else f"{headline(page)}, {points}"
    names = ", ".join(panel.name for panel in page.seat_panels)
    picture = f"{reverse('share_png', args=[match.id])}?lang={get_language()}"
    return Preview(f"{ending}. {names}.", picture)


# Whether a page shows the first deal: it opens, or waited for players, as a match begins.

OPENING_SECONDS: Final = 20  # a page that is opened later shows the table as it is
OPENING_PLIES: Final = 12  # computers that play first may have made some


def shows_the_opening(request: HttpRequest, match: MatchSnapshot) -> bool:
    """A page that shows the running match has seen the deal, or came too late for it."""
    if match.status != "active" or match.parent_id or match.version > OPENING_PLIES:
        return False
    if match.started_at is None or request.method != "GET":
        return False
    shown = request.GET.get("shown", "").split("-")
    is_new = match.started_at > now_in_milliseconds() - timedelta(seconds=OPENING_SECONDS)
    return is_new and (shown == [""] or shown[1:2] == ["open"])


# The motions of the plies that the reader has not seen, for the script that plays them.

MOST_PLIES_MOVED: Final = 24

Ply = tuple[int, Sequence[Event]]  # a version and what happened in its ply


def motions_of(page: TablePage, game_page: GamePage) -> list[Motion]:
    """Oldest first; none where the game has none or nothing is dealt."""
    if game_page.motions is None or page.view is None or not page.unseen:
        return []
    unseen = page.recent_plies[-page.unseen :]
    if game_page.brief_motions and _repeats(unseen, game_page.repeats):
        return _played(unseen, game_page.brief_motions)
    return _played(unseen[-MOST_PLIES_MOVED:], game_page.motions)


def _repeats(plies: Iterable[Ply], turn: type[Event]) -> bool:
    """Whether several turns were played."""
    return sum(isinstance(event, turn) for _, events in plies for event in events) > 1


def _played(plies: Iterable[Ply], motions: MotionsOfPly) -> list[Motion]:
    return [
        replace(motion, version=version)
        for version, events in plies
        for motion in hands_together(motions(events))
    ]


# The score sheet of a match: a column for each side, a row for each round, which is a save.

MOST_COLUMNS: Final = 2


@dataclass(frozen=True)
class ScoreRow:
    """``scores`` is ``None`` while the round is being played."""

    number: int
    scores: list[int] | None
    is_running: bool


@dataclass(frozen=True)
class SideRow:
    """A side of the sheet; ``last`` is what it made of the last round that is over.

    ``total`` is ``None`` while nobody has a place yet.
    """

    name: str
    panels: list[SeatPanel]
    total: int | None
    last: int | None


@dataclass(frozen=True)
class Sheet:
    """``can_load``: the viewer played; ``can_load_same``: and no other person did."""

    side_rows: list[SideRow]
    rows: list[ScoreRow]
    words: RoundWords
    points_are_places: bool
    can_load: bool
    can_load_same: bool

    @property
    def sides(self) -> list[str]:
        return [side.name for side in self.side_rows]

    @property
    def totals(self) -> list[int | None]:
        return [side.total for side in self.side_rows]

    @property
    def newest_first(self) -> list[ScoreRow]:
        return self.rows[::-1]

    @property
    def closed(self) -> list[ScoreRow]:
        """The rounds that are over, newest first."""
        return [row for row in self.newest_first if row.scores]

    @property
    def round_name(self) -> str:
        return str(self.words.name)

    @property
    def every_round(self) -> str:
        return str(self.words.every)

    @property
    def total_name(self) -> str:
        """The heading of the sums: points, or places, of which few are good."""
        return _("Places") if self.points_are_places else _("Total")

    @property
    def is_wide(self) -> bool:
        """Each side gets a row instead of a column."""
        return len(self.side_rows) > MOST_COLUMNS or self.points_are_places

    @property
    def has_rounds(self) -> bool:
        """A match may have more than one round."""
        return bool(self.words.numbered)


def _row(page: TablePage, round_: Round) -> ScoreRow:
    """A round as it stood at the page's version: it may be closed by now."""
    is_running = round_.number == page.match.round and not page.match.is_over
    return ScoreRow(round_.number, None if is_running else round_.scores, is_running)


def sheet(page: TablePage) -> Sheet:
    match = page.match
    rows = [_row(page, round_) for round_ in sorted(page.rounds, key=attrgetter("number"))]
    places = match.rules.points_are_places
    last: list[int] | None = next((row.scores for row in rows[::-1] if row.scores), None)
    return Sheet(
        side_rows=[
            SideRow(
                name=joined([page.seat_panels[seat].name for seat in side]),
                panels=[page.seat_panels[seat] for seat in side],
                total=match.seats[side[0]].points or (None if places else 0),
                last=last[at] if last else None,
            )
            for at, side in enumerate(match.sides)
        ],
        rows=rows,
        words=words_for(match.rules),
        points_are_places=places,
        can_load=bool(page.own_seats) and bool(rows),
        can_load_same=bool(page.own_seats) and page.is_solo,
    )


# The talk at a table: the phrases to choose from, whom one reads, what bubbles show.


@dataclass(frozen=True)
class Talk:
    """``people``: the others, each with whether the reader has muted them.

    A sentence or sign is what is sent for it, and its words.
    """

    sentences: list[tuple[str, str]]
    signs: list[tuple[str, str]]
    people: list[tuple[SeatPanel, bool]]
    reads_nobody: bool


def talk(page: TablePage) -> Talk | None:
    """None where nobody is there to talk to, as for people at one device."""
    if page.user is None or not speaking.may_speak(page.match, page.user):
        return None
    sentences, signs = _offered(
        page.match.rules, tuple(settings.CLUB["phrases_off"]), get_language()
    )
    others = {one.seat.user_id: one for one in page.others if one.seat.kind == "user"}
    nobody, muted = speaking.mutes_of(page.user, [each for each in others if each])
    return Talk(
        sentences=sentences,
        signs=signs,
        people=[(panel, account in muted) for account, panel in others.items()],
        reads_nobody=nobody,
    )


@cache
def _offered(
    game: AnyGame, _off: tuple[str, ...], _language: str
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The sentences and the signs of a game, for readers of a language."""
    offered = offered_at(game)
    return (
        [(one.slug, words(one.words)) for one in offered if not one.picture],
        [(one.slug, words(one.words)) for one in offered if one.picture],
    )


def bubbles(match: MatchSnapshot, reader: UUID | None) -> dict[int, Offered]:
    """The bubbles of this moment, by seat: for a page without scripts."""
    if [seat.kind for seat in match.seats].count("user") < 2:
        return {}
    rows = speaking.phrases_since([speaking.Wanted(match.id, reader, 0)])[0]
    shown = {row.seat: find(match.rules, row.phrase) for row in rows}
    return {seat: offered for seat, offered in shown.items() if offered}


NO_HINTS: Final = "no_hints"  # in the session
BY_CODE: Final = "by_code"  # in the session: the hosts by whose codes this browser sat down
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
        hosts = request.session.get(BY_CODE, [])
        context = _context(page, game_page) | {"has_screen": str(page.match.creator_id) in hosts}
        return render(request, template(game_page), {**context, **more})

    return _at_its_version(drawn(page_of(page.match.game), draw), page)


def _at_its_version(response: HttpResponse, page: TablePage) -> HttpResponse:
    """Says which state of the match this is, so that no older one is shown after it."""
    response["Table-Version"] = f"{page.match.version}-{page.changed}"
    return response


def tag(page: TablePage) -> str:
    """Identifies what the page shows; the kinds of seats are in it, as joining is no move."""
    kinds = "".join([seat.kind[0] for seat in page.match.seats])
    wish = OnceMore(page).tag if page.match.is_over else ""
    shows = page.match.version, page.match.status, kinds, page.seat, int(page.hidden), wish
    return "-".join(map(str, [*shows, f"{page.changed:x}"]))


def visible_match(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """With the names that the reader may know."""
    return named_for(found_match(request, match_id), user_id(request), gettext)


def found_match(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    match = match_or_404(request, match_id)
    note_came(match, user_id(request))
    return match


def page_for(request: HttpRequest, match_id: UUID) -> TablePage:
    """Raises ``GameNotInstalled``."""
    match, reader = found_match(request, match_id), user_id(request)
    check_installed(match.rules)
    return page_of_match(request, as_watched(match, reader, gettext), reader)


def page_of_match(request: HttpRequest, match: MatchSnapshot, reader: UUID | None) -> TablePage:
    game_page = page_of(match.game)
    return table_page(
        match,
        reader,
        present_seat=request.session.get(presence_key(match.id)),
        plies_read=game_page.plies_read,
        wants_hints=NO_HINTS not in request.session,
        unseen=min(
            _unseen(request, match),
            MOST_BRIEF_PLIES if game_page.brief_motions else MOST_PLIES_MOVED,
        ),
    )


def _unseen(request: HttpRequest, match: MatchSnapshot) -> int:
    """The number of plies that the asking page lacks; of a whole page all while the match opens."""
    if shows_the_opening(request, match):
        return match.version + 1
    shown = request.GET.get("shown", "").partition("-")[0] or request.POST.get("version", "")
    after = int(shown) if shown.isdecimal() and len(shown) < 9 else match.version
    return max(0, match.version - after)


def _context(page: TablePage, game_page: GamePage) -> dict[str, Any]:
    """Head, felt and what stands beside it of every match, and one section by its status."""
    match page.match.status:
        case "open":
            section = _waiting(page)
        case "active":
            section = _running(page)
        case _:
            section = _over(page, game_page)
    return _head(page) | _felt(page, game_page) | _beside(page) | section


def _head(page: TablePage) -> dict[str, Any]:
    match = page.match
    return {
        "tag": tag(page),
        "headline": headline(page),
        "round_said": round_said(page),
        "on_timeout": page.on_timeout,
        "read_aloud": page.read_aloud,
        "mirrored": mirrored_panel(match, page.user) if match.is_mirrored else None,
        "series": series_score(page) if match.previous_id or match.is_over else None,
    }


def _felt(page: TablePage, game_page: GamePage) -> dict[str, Any]:
    motions = motions_of(page, game_page)
    return table_context(page, game_page) | {
        "motions": motions,
        "turns": turns(page) if motions else (),
        "round_ending": round_ending(page, game_page) if page.view else None,
        "coach": coach_line(page, game_page),
        "coach_at_table": CoachAtTable(page),
    }


def _beside(page: TablePage) -> dict[str, Any]:
    return {
        "scores": sheet(page),
        "shape": shape_words(page),
        "saves": save_groups(page),
        "may_look_back": may_look_back(page),
        "talk": talk(page),
        "chosen_options": chosen(page.match.rules, page.match.options),
    }


def _waiting(page: TablePage) -> dict[str, Any]:
    """People come: the invitation, a side deck to bring, the code of a party."""
    return {
        "invitation": invitation(page),
        "decks": decks_for(page.user, page.match.rules),
        "code": known_code(page.match) if page.own_seats else "",
    }


def _running(page: TablePage) -> dict[str, Any]:
    """People play: their agreements and plans, the phones that their host may replace."""
    guests = guests_at(page.match) if page.is_host else ()
    return {
        "agreements": Agreements(page),
        "planning": Planning(page),
        "party_guests": [page.seat_panels[seat] for seat in guests],
    }


def _over(page: TablePage, game_page: GamePage) -> dict[str, Any]:
    """The result, for screen readers as well, and what may come next."""
    ending = MatchEnding(page, game_page)
    return {
        "match_ending": ending,
        "read_aloud": " ".join(filter(None, (page.read_aloud, ending.read_aloud))),
        "ratings": rating_changes(page.match, page.user),
        "once_more": OnceMore(page),
        "tournament": tournament_for(page.match, page.user),
        "preview": preview(page),
    }


def presence_key(match_id: UUID) -> str:
    """The key of the session for the seat whose player said that they hold the device."""
    return f"there:{match_id}"


# The part of a finished table that waits for the next match of a mirrored set, or its result.


@require_safe
@never_cache
def mirrored_part(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = visible_match(request, match_id)
    if not match.is_mirrored:
        raise Http404("This match is not mirrored.")
    context = {"mirrored": mirrored_panel(match, user_id(request)), "match": match}
    return render(request, "games/parts/mirrored.html", context)


# The part of a finished table that waits for the change of the ratings.


@require_safe
@never_cache
def rating_part(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = visible_match(request, match_id)
    context = {"ratings": rating_changes(match, user_id(request))}
    return render(request, "games/parts/rating_changes.html", context)
