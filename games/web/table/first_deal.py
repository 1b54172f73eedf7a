"""Whether a page shows the first deal: it opens, or waited for players, as a match begins."""

from datetime import timedelta
from typing import Final

from django.http import HttpRequest

from config.clock import now_in_milliseconds
from games.matches.snapshot import MatchSnapshot

SECONDS: Final = 20  # a page that is opened later shows the table as it is
MOST_PLIES: Final = 12  # computers that play first may have made some


def shows_the_opening(request: HttpRequest, match: MatchSnapshot) -> bool:
    """A page that shows the running match has seen the deal, or came too late for it."""
    if match.status != "active" or match.parent_id or match.version > MOST_PLIES:
        return False
    if match.started_at is None or request.method != "GET":
        return False
    shown = request.GET.get("shown", "").split("-")
    is_new = match.started_at > now_in_milliseconds() - timedelta(seconds=SECONDS)
    return is_new and (shown == [""] or shown[1:2] == ["open"])
