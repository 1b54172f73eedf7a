"""Two forms that only Pyanitsa's table has: turning up many cards, ordering a trick by numbers."""

from collections.abc import Mapping
from operator import itemgetter
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest

from games.matches.services import autoplay, moves
from games.matches.snapshot import MatchSnapshot
from games.rules.pyanitsa.moves import COLLECT, FLIP
from games.web.posted import mover, number
from games.web.tables import Action

SECONDS_PER_PAGE: Final = 3.0  # without JavaScript: as long as a person may wait for a page
SECONDS_PER_STEP: Final = 0.3  # with it the page asks again by itself, and the curve grows


def run(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """Turns cards up to the end of the trick, or of the match if the form says so."""
    trick = number(request, "trick")
    to_the_end = request.POST.get("until") == "end"

    def trick_is_over(match: MatchSnapshot) -> bool:
        state: Any = match.state
        return not to_the_end and state.trick_no != trick

    return autoplay.play_forced_moves(
        match_id=match_id,
        move=FLIP,
        until=trick_is_over,
        seconds=SECONDS_PER_STEP if getattr(request, "htmx", False) else SECONDS_PER_PAGE,
        **mover(request),
    )


def collect(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """Collects the cards by the numbers written beside them, equal ones as they were laid."""
    cards, numbers = request.POST.getlist("card"), request.POST.getlist("place")
    places = [int(n) if n.isdecimal() and len(n) < 4 else 1000 for n in numbers]
    ordered = [card for _, card in sorted(zip(places, cards, strict=False), key=itemgetter(0))]
    text = " ".join([COLLECT, *ordered])
    return moves.play(match_id=match_id, move=text, **mover(request)).match


ACTIONS: Final[Mapping[str, Action]] = {"run": run, "collect": collect}
