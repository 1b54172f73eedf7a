"""Two forms that only Pyanitsa's table has: turning up many cards, ordering a trick by numbers."""

from collections.abc import Mapping
from operator import itemgetter
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest

from cardroom.rules.pyanitsa.moves import COLLECT, FLIP
from games.matches.moving import moves
from games.matches.snapshot import MatchSnapshot
from games.matches.turns import autoplay
from games.web.parts.posted import mover, number
from games.web.tables import Action

SECONDS_PER_PAGE: Final = 3.0  # without JavaScript: as long as a person may wait for a page
SECONDS_PER_STEP: Final = 0.3  # with it the page asks again by itself, and the curve grows
MOST_TRICKS: Final = 1_000_000  # more than a match can have
TRICKS_PER_STEP: Final = 20  # so many are shown before Stop stops


def run(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """Turns cards up to the end of the trick, or of the match if the form says so."""
    trick = number(request, "trick") or 0
    by_script = bool(getattr(request, "htmx", False))
    tricks = 1
    if request.POST.get("until") == "end":
        tricks = TRICKS_PER_STEP if by_script else MOST_TRICKS

    def is_far_enough(match: MatchSnapshot) -> bool:
        state: Any = match.state
        return bool(state.trick_no >= trick + tricks)

    return autoplay.play_forced_moves(
        match_id=match_id,
        move=FLIP,
        until=is_far_enough,
        seconds=SECONDS_PER_STEP if by_script else SECONDS_PER_PAGE,
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
