"""No page of the admin shows a secret of a running match, and a search by id is quick."""

from collections.abc import Sequence
from typing import Any, ClassVar, cast
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import User
from accounts.staff_pages import Subject
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.matches.selectors.secrecy import may_tell_all
from games.operations.watching import looking

UNTIL_OVER = "shown when the match and all that share its cards are over"


class SearchById:
    """A search for a whole id uses the index instead of scanning the table."""

    named_by = "match_id"

    def get_search_results(
        self, request: HttpRequest, rows: QuerySet[Any], term: str
    ) -> tuple[QuerySet[Any], bool]:
        try:
            return rows.filter(**{self.named_by: UUID(term.strip())}), False
        except ValueError:
            results: tuple[QuerySet[Any], bool] = super().get_search_results(  # type: ignore[misc]
                request, rows, term
            )
            return results


class OfAMatch(SearchById):
    """Rows that belong to a match, without its secrets; of a private match only after a look.

    Every page and every action reads rows through this query: list, search, filters, links,
    deletions, history and autocompletion.
    """

    asked_by: ClassVar[Sequence[str]] = ("match__id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)  # type: ignore[misc]
        open_to = looking.open_to(cast("User", request.user), request.session, "match")
        return rows.filter(open_to).select_related("match").defer(*_LARGE_AND_SECRET)

    def subject_of(self, row: Any) -> Subject:
        return "match", row.match_id, str(row)


_LARGE_AND_SECRET = ("match__state", "match__loaded", "match__seed", "match__options")


def may_be_shown(match: Match) -> bool:
    """Whether a match and all that share its cards are over."""
    over = match.status in (Match.Status.FINISHED, Match.Status.ABORTED)
    return over and may_tell_all(get_match(match.pk), None)


def hidden_until_over(match: Match, text: str) -> str:
    return text if may_be_shown(match) else UNTIL_OVER
