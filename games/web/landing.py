"""The first pages of a newcomer: landing page, quick matches, rules, lessons."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from html import unescape
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.translation import gettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from cardroom.rules import catalog
from cardroom.rules.bot import Bot, levels
from cardroom.rules.cards import CARD
from cardroom.rules.game import AnyGame
from cardroom.rules.lesson import LEARNER, Lesson, LessonPosition, LessonStep, lesson_positions
from cardroom.rules.values import Move
from config.postgres.replicas import a_second_old
from games.coaching import analyses
from games.exercises.searching import Position, raw, without_names
from games.language import is_english, words
from games.lobby.finding import watchers_of
from games.matches import opening
from games.matches.models import Match
from games.matches.seats import SeatRequest, offered_bots
from games.matches.selectors.access import SERVICE, find_match
from games.matches.selectors.history import as_watched
from games.matches.selectors.lists import (
    Result,
    Sought,
    newest_for,
    own_unfinished,
    results_against_bots,
)
from games.matches.snapshot import MatchSnapshot
from games.outside import or_else
from games.ratings.computers import ratings_of
from games.web.exercises import NOBODY, table_of
from games.web.lobby import own_lines, panel
from games.web.parts.headline import headline, round_said
from games.web.parts.match_list import records_of
from games.web.parts.options_form import option_fields, preset_name
from games.web.parts.table_page import TablePage, table_page
from games.web.parts.visitor import once, user_id
from games.web.tables import demonstration, drawn, page_of, table_context

# One running public table, shown on the front page as anybody may see it.

MATCHES_LOOKED_AT: Final = 20
SENTENCES_SHOWN: Final = 3
QUIET_TABLE_AGE: Final = timedelta(
    minutes=10
)  # a table where nobody moves for so long is not shown
KEPT_SECONDS: Final = 5
FEATURED_KEY: Final = "featured"


@dataclass(frozen=True)
class Featured:
    page: TablePage
    watchers: int | None

    @property
    def tag(self) -> str:
        """Names what is shown."""
        return f"{self.page.match.id}-{self.page.match.version}-{self.watchers or 0}"

    @property
    def headline(self) -> str:
        return headline(self.page)

    @property
    def round_said(self) -> str:
        return round_said(self.page)

    @property
    def news(self) -> list[str]:
        return self.page.news[:SENTENCES_SHOWN]


def featured() -> Featured | None:
    """Chosen again every few seconds, for all readers together."""
    chosen = cache.get(FEATURED_KEY)
    if chosen is None:
        chosen = str(_choose() or "")
        cache.set(FEATURED_KEY, chosen, KEPT_SECONDS)
    return _shown(UUID(chosen)) if chosen else None


def _choose() -> UUID | None:
    """People before computers, then the one that most watch, then the newest."""
    running = newest_for(None, Sought(statuses=[Match.Status.ACTIVE]), most=MATCHES_LOOKED_AT)
    since = timezone.now() - QUIET_TABLE_AGE
    lively = [match for match in running if match.updated_at > since]
    counts = watchers_of([match.id for match in lively])

    def rank(match: Match) -> tuple[bool, int]:
        people = {seat.user_id for seat in match.seats.all() if seat.kind == "user"}
        return len(people) > 1, counts.get(match.id, 0)

    return max(lively, key=rank).id if lively else None


def _shown(match_id: UUID) -> Featured | None:
    access = find_match(match_id, SERVICE)
    if access is None or access.match.visibility != "public" or access.match.status != "active":
        return None
    page = table_page(as_watched(access.match, None, gettext), None)
    return Featured(page, watchers_of([match_id]).get(match_id))


# The reader's matches that are not over, those that wait for them first.

OWN_MATCHES_SHOWN: Final = 4


def continuing(user: UUID | None) -> str:
    """As lines."""
    if user is None:
        return ""
    own = [one for one in own_unfinished(user) if one.is_seated]
    first = sorted(own, key=lambda one: not one.waits)[:OWN_MATCHES_SHOWN]
    return own_lines(first, user, "continuing")


# The rival to play next: by the reader's own results, the easiest computer first.

SUGGESTED_MOVE_SECONDS: Final = 1.0  # the most seconds for a move of a computer that is suggested
MATCHES_COUNTED: Final = 3  # matches that count
WINS_TO_CLIMB: Final = 2  # of them lead to the next level


def rival_of(user: UUID | None, game: AnyGame) -> Bot[Any]:
    """The computer that a reader meets next in this game; nobody's results are no results."""
    return rival_for(game, results_against_bots(user, game.slug) if user else [])


def rival_for(game: AnyGame, results: Sequence[Result]) -> Bot[Any]:
    """The computer to play next; ``results`` are those of this game, newest first."""
    ladder = levels(offered_bots(game), SUGGESTED_MOVE_SECONDS) or [game.bot(game.stand_in)]
    known = [bot.slug for bot in ladder]
    played = [result for result in results if result.bot in known]
    if not played:
        return ladder[0]
    at = known.index(played[0].bot)
    return ladder[min(max(at + _step(played), 0), len(ladder) - 1)]


def _step(played: Sequence[Result]) -> int:
    """One level up, one down or none, by the last matches against the newest rival."""
    last = [result.won for result in played if result.bot == played[0].bot][:MATCHES_COUNTED]
    if sum(last) >= WINS_TO_CLIMB:
        return 1
    return -1 if len(last) == MATCHES_COUNTED and not any(last) else 0


def suggestion(game: AnyGame, results: Sequence[Result]) -> str:
    """*2 of 3 against Rookie: try Gambler*; empty before the first match."""
    known = {bot.slug: bot for bot in levels(game.bots, SUGGESTED_MOVE_SECONDS)}
    played = [result for result in results if result.bot in known]
    if not played:
        return ""
    last = [result.won for result in played if result.bot == played[0].bot][:MATCHES_COUNTED]
    bot, following = known[played[0].bot], rival_for(game, results)
    facts = {
        "won": sum(last),
        "played": len(last),
        "bot": words(bot.name),
        "next": words(following.name),
    }
    if following.slug == bot.slug:
        return _("%(won)d of %(played)d won against %(bot)s") % facts
    return _("%(won)d of %(played)d won against %(bot)s: try %(next)s") % facts


# The rules of a game as text: the specification in English, else what the page says.

_MAIN: Final = re.compile(r"<main.*?>(.*)</main>", re.DOTALL)
_NOT_READ: Final = re.compile(r"<form.*?</form>|<svg.*?</svg>", re.DOTALL)
_BEGINNINGS: Final = {
    "h1": "\n# ",
    "h2": "\n## ",
    "h3": "\n### ",
    "li": "\n- ",
    "p": "\n",
    "td": ": ",
}
_TAG: Final = re.compile(r"<(h1|h2|h3|li|p|td)\b[^>]*>")


def specification(game: AnyGame) -> str:
    """As it lies beside the code; without one the summary."""
    file = catalog.folder(game.slug) / "RULES.md"
    return file.read_text("utf-8") if file.exists() else f"{game.name}\n\n{game.summary}\n"


def text_of(page: str, game: AnyGame) -> str:
    """The text of a page of rules, without its forms; without a page the summary."""
    main = _MAIN.search(page)
    if main is None:
        return f"{words(game.name)}\n\n{words(game.summary)}\n"
    body = _TAG.sub(lambda tag: _BEGINNINGS[tag[1]], _NOT_READ.sub("", main[1]))
    lines = (" ".join(line.split()) for line in unescape(strip_tags(body)).splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


def offered_games() -> list[AnyGame]:
    """Those that operators let people begin."""
    return [game for game in catalog.GAMES if game.slug not in settings.CLUB["games_off"]]


@a_second_old
@require_GET
def landing(request: HttpRequest) -> HttpResponse:
    user, offered = user_id(request), offered_games()
    results = results_against_bots(user) if user else []
    tiles = [
        (
            each.game,
            suggestion(each.game, [one for one in results if one.game == each.game.slug]),
            each.waiting,
        )
        for each in panel(None).games
        if each.game in offered
    ]
    context = {
        "games": offered,
        "tiles": tiles,
        "continuing": continuing(user),
        "records": records_of(user).read(),
        "demo": demonstration(),
        "featured": featured(),
    }
    return render(request, "games/landing.html", context)


@never_cache
@require_GET
def featured_table(request: HttpRequest) -> HttpResponse:
    """The table on the front page if it differs from what is shown, else 204."""
    table = featured()
    if (table.tag if table else "") == request.GET.get("shown", ""):
        return HttpResponse(status=204)
    return render(request, "games/parts/featured.html", {"featured": table})


@require_POST
def quick_match(request: HttpRequest, slug: str) -> HttpResponse:
    """A short match against the computer with one click; a visitor becomes a guest.

    With ``whole`` it is as long as the quick preset makes it.
    The computer is the easiest one, or what the player's own results suggest.
    """
    game = game_or_404(slug)
    rival = rival_of(user_id(request), game)
    preset = game.quick_preset
    options = {} if "whole" in request.POST else game.short
    seats = game.seats(game.choose_options(options, preset))
    wishes = [SeatRequest("me"), *[SeatRequest("bot", bot=rival.slug)] * (seats - 1)]
    match_id = once(
        request,
        lambda user: (
            opening.open_match(
                creator=user, game=slug, seats=wishes, options=options, preset=preset
            ).id
        ),
    )
    return redirect("table", match_id)


@require_GET
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    game = game_or_404(slug)
    as_text = "text/plain" in request.headers.get("Accept", "")
    if as_text and is_english():
        return HttpResponse(specification(game), "text/plain; charset=utf-8")
    ratings = ratings_of(slug)
    options = [(field, game.option_words[name].note) for name, field in option_fields(game)]
    context = {
        "game": game,
        "options": options,
        "presets": [preset_name(game, name) for name in game.presets],
        "bots": [(bot, ratings.get(bot.slug)) for bot in game.bots],
        "rated": bool(ratings),
    }
    own, plain = f"games/tables/{slug}/rules.html", "games/rules/any.html"
    page = or_else(
        slug,
        lambda: render(request, [own, plain], context),
        lambda: render(request, plain, context),
    )
    if not as_text:
        return page
    return HttpResponse(text_of(page.content.decode(), game), "text/plain; charset=utf-8")


def game_or_404(slug: str) -> AnyGame:
    try:
        return catalog.find(slug)
    except KeyError:
        raise Http404(f"There is no game {slug!r} here.") from None


# Learn: a game's guided hand at its table, a step a request.
#
# A lesson holds no match: each step is a position that follows from the lesson's data, so nothing
# of it can be lost or fall behind. The browser's session keeps which step one is at.

STEPS: Final = "lessons"  # in the session: the step of each game


@never_cache
@require_http_methods(["GET", "POST"])
def learn(request: HttpRequest, slug: str) -> HttpResponse:
    """The step where the reader left off; a move that the step asks for leads to the next one."""
    game, lesson = _lesson(slug)
    number = _kept(request, game, lesson)
    if request.method == "GET":
        return _page(request, game, lesson, number)
    if "again" in request.POST:
        return _go_to(request, game, 0)
    is_shown = request.POST.get("step") == str(number)  # else a page from before
    if not is_shown or number == len(lesson.steps):
        return redirect("learn", slug)
    move = " ".join(part for part in request.POST.getlist("move") if part)
    if _is_expected(game, lesson.steps[number], move):
        return _go_to(request, game, number + 1)
    response = _page(request, game, lesson, number, fault=words(lesson.steps[number].wrong))
    response.status_code = 422
    return response


@require_POST
def play_on(request: HttpRequest, slug: str) -> HttpResponse:
    """A match of one's own by the lesson's terms, against the easiest computer and with hints."""
    game, lesson = _lesson(slug)
    seats = game.seats(game.choose_options(lesson.options, lesson.preset))
    rival = SeatRequest("bot", bot=rival_for(game, []).slug)

    def opened(user: Any) -> Any:
        match = opening.open_match(
            creator=user,
            game=game.slug,
            seats=[SeatRequest("me"), *[rival] * (seats - 1)],
            options=lesson.options,
            preset=lesson.preset,
            rated=False,
        )
        return _with_hints(match, user).id

    return redirect("table", once(request, opened))


def _with_hints(match: MatchSnapshot, user: Any) -> MatchSnapshot:
    if analyses.may_be_coached(match, user.pk):
        return analyses.switch_coach_on(match_id=match.id, user=user)
    return match


def _lesson(slug: str) -> tuple[AnyGame, Lesson]:
    game = game_or_404(slug)
    if game.lesson is None:
        raise Http404(f"There is no lesson of {slug!r}.")
    return game, game.lesson


def _kept(request: HttpRequest, game: AnyGame, lesson: Lesson) -> int:
    """A lesson may have become shorter since."""
    number: int = request.session.get(STEPS, {}).get(game.slug, 0)
    return min(number, len(lesson.steps))


def _go_to(request: HttpRequest, game: AnyGame, number: int) -> HttpResponse:
    request.session[STEPS] = request.session.get(STEPS, {}) | {game.slug: number}
    return redirect(reverse("learn", args=[game.slug]) + "#thought")


def _is_expected(game: AnyGame, step: LessonStep, move: Move) -> bool:
    """Cards of one move may be ticked in any order."""
    return game.alike(move) == game.alike(step.move) or sorted(move.split()) == sorted(
        step.move.split()
    )


def _page(
    request: HttpRequest, game: AnyGame, lesson: Lesson, number: int, fault: str = ""
) -> HttpResponse:
    position = list(lesson_positions(game, lesson))[number]
    step = lesson.steps[number] if number < len(lesson.steps) else None
    page = table_of(NOBODY, _as_seen(game, position), may_answer=step is not None)
    card = step.card if step else ""

    def draw(game_page: Any) -> HttpResponse:
        context = {
            **table_context(page, game_page),
            "frame": "games/learn/frame.html",
            "moves_to": reverse("learn", args=[game.slug]),
            "lesson": lesson,
            "step": step,
            "number": number,
            "count": len(lesson.steps),
            "code": card,
            "is_face": card in CARD,
            "fault": fault,
        }
        return render(request, "games/learn/lesson.html", context)

    return drawn(page_of(game.slug), draw)


def _as_seen(game: AnyGame, position: LessonPosition) -> Position:
    """The knowledge of the learner's seat: the table is drawn from that alone."""
    plies = position.plies
    seen = [event.seen_by(LEARNER) for events in plies for event in events]
    return Position(
        game=game.slug,
        rules_version=game.rules_version,
        options=raw(position.options),
        seat=LEARNER,
        round=1,
        view=raw(game.view(position.state, LEARNER)),
        events=raw(without_names(seen)),
        choices=(),
        reasons={},
    )
