"""Two forms that only Pyanitsa's table has: turning up many cards, ordering a trick by numbers."""

from operator import itemgetter
from typing import Any
from uuid import UUID

from django.http import HttpRequest

from games.matches.selectors.access import Caller
from games.matches.services import autoplay, moves
from games.matches.snapshot import MatchSnapshot
from games.rules.pyanitsa.rules import COLLECT, FLIP
from games.web.table import action, form_number
from games.web.visitor import user_id

SECONDS_A_PAGE = 3.0  # without JavaScript: as much as a person may wait for
SECONDS_A_STEP = 0.3  # with it: the page asks again by itself, and the curve is seen to grow


@action
def run(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """Turns cards up to the end of the trick, or of the match if the form says so."""
    trick = form_number(request, "trick")
    to_the_end = request.POST.get("until") == "end"

    def trick_is_over(match: MatchSnapshot) -> bool:
        state: Any = match.state
        return not to_the_end and state.trick_no != trick

    return autoplay.play_forced_moves(
        match_id=match_id,
        caller=Caller(user=user_id(request)),
        move=FLIP,
        version=form_number(request, "version") or 0,
        seat=form_number(request, "seat"),
        until=trick_is_over,
        seconds=SECONDS_A_STEP if getattr(request, "htmx", False) else SECONDS_A_PAGE,
    )


@action
def collect(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """Collects the cards by the numbers written beside them, equal ones as they were laid."""
    cards, numbers = request.POST.getlist("card"), request.POST.getlist("place")
    places = [int(n) if n.isdecimal() and len(n) < 4 else 1000 for n in numbers]
    ordered = [card for _, card in sorted(zip(places, cards, strict=False), key=itemgetter(0))]
    return moves.play(
        match_id=match_id,
        caller=Caller(user=user_id(request)),
        move=" ".join([COLLECT, *ordered]),
        version=form_number(request, "version") or 0,
        seat=form_number(request, "seat"),
    ).match
