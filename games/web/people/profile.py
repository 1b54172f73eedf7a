"""The page of a person, for everybody who may see it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.social.friend_lines import line_between
from accounts.social.refusals import NoSuchAccount
from accounts.social.selectors import has_blocked
from cardroom.rules import catalog
from games.absent import rules_of
from games.bot_accounts.selectors import program_of
from games.house_names import HIDDEN
from games.language import words
from games.matches.selectors.watched import as_listed
from games.people.profiles import GameResults, Profile, profile_of, results_of
from games.people.series import Series
from games.web.front.results import result_line
from games.web.parts.visitor import user_id
from games.web.people.curve import drawn
from games.web.people.pages import before, page_of

SHOWN = 20


@require_safe
@never_cache
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """A name that nobody has and a person who hides from the reader are one answer."""
    reader = user_id(request)
    try:
        shown = profile_of(reader, username)
    except NoSuchAccount:
        raise Http404("There is nobody of this name here.") from None
    rows, following = page_of(
        results_of(shown.person, reader), before(request), SHOWN, by="match_id"
    )
    is_own = shown.person.pk == reader
    matches = as_listed([row.match for row in rows], reader, gettext(HIDDEN))
    context = {
        "profile": shown,
        "person": shown.person,
        "is_own": is_own,
        "results": [result_line(match, reader) for match in matches],
        "following": following,
        "is_first_page": before(request) is None,
        "games": [_game_line(each) for each in shown.games],
        "curves": [(_name(curve.game), drawn(curve)) for curve in shown.curves],
        "against": [(_name(game), score) for game, score in shown.against_reader],
        "series": [(_name(one.game), _series(one)) for one in shown.series],
        "line": line_between(reader, shown.person) if reader and not is_own else None,
        "is_blocked": reader is not None and has_blocked(reader, shown.person.pk),
        "program": program_of(shown.person.pk) if shown.person.is_bot else None,
        "invite": _invitation(shown),
        "titles": [words(title.words) for title in shown.titles],
    }
    return render(request, "games/people/profile.html", context)


def _game_line(results: GameResults) -> dict[str, object]:
    return {
        "name": _name(results.game),
        "people": results.people,
        "computers": results.computers,
        "best": _computer_name(results),
        "slug": results.best_beaten,
    }


def _computer_name(results: GameResults) -> str | None:
    if results.best_beaten is None:
        return None
    return catalog.find(results.game).bot(results.best_beaten).name


def _series(one: Series) -> Series:
    return one._replace(opponent=gettext(HIDDEN)) if one.opponent == HIDDEN else one


def _name(slug: str) -> str:
    return words(rules_of(slug, 1).name)


def _invitation(shown: Profile) -> str:
    """The form of a new match, with the person on the second chair."""
    return f"seat-1-who=user&seat-1-name={shown.person.username}"
