"""One running public table, shown on the front page as anybody may see it."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import gettext

from games.house_names import HIDDEN
from games.lobby.finding.here import watchers_of
from games.matches.models import Match
from games.matches.selectors.access import SERVICE, find_match
from games.matches.selectors.history import as_watched
from games.matches.selectors.newest import Sought, newest_for
from games.web.parts.headline import headline, round_said
from games.web.parts.table_page import TablePage, table_page

LOOKED_AT: Final = 20
SENTENCES: Final = 3
QUIET: Final = timedelta(minutes=10)  # a table where nobody moves for so long is not shown
KEPT_SECONDS: Final = 5
KEY: Final = "featured"


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
        return self.page.news[:SENTENCES]


def featured() -> Featured | None:
    """Chosen anew every few seconds, for all readers together."""
    chosen = cache.get(KEY)
    if chosen is None:
        chosen = str(_choose() or "")
        cache.set(KEY, chosen, KEPT_SECONDS)
    return _shown(UUID(chosen)) if chosen else None


def _choose() -> UUID | None:
    """People before computers, then the one that most watch, then the newest."""
    running = newest_for(None, Sought(statuses=[Match.Status.ACTIVE]), most=LOOKED_AT)
    since = timezone.now() - QUIET
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
    page = table_page(as_watched(access.match, None, gettext(HIDDEN)), None)
    return Featured(page, watchers_of([match_id]).get(match_id))
