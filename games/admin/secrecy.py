"""No page of the admin shows a secret of a running match, and searches by id are quick.

The pages are read-only: state, log and rounds of a match prove each other.
"""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest

from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.matches.selectors.secrecy import may_tell_all

UNTIL_OVER = "shown when the match and all that share its cards are over"
SECRETS = frozenset(
    {"seed", "state", "loaded", "side_deck", "move", "events", "decks", "key", "opening_state"}
)


class NoSecretLookups:
    """Refuses filters on secret columns, such as ``?seed__startswith=…`` in the address."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        if SECRETS & set(lookup.split("__")):
            return False
        allowed: bool = super().lookup_allowed(lookup, value, request)  # type: ignore[misc]
        return allowed


class SearchById:
    """A search for a whole id uses the index instead of scanning the table."""

    named_by = "match_id"

    def get_search_results(
        self, request: HttpRequest, found: QuerySet[Any], term: str
    ) -> tuple[QuerySet[Any], bool]:
        try:
            return found.filter(**{self.named_by: UUID(term.strip())}), False
        except ValueError:
            results: tuple[QuerySet[Any], bool] = super().get_search_results(  # type: ignore[misc]
                request, found, term
            )
            return results


def without_secrets(found: QuerySet[Any]) -> QuerySet[Any]:
    """Rows joined with their match, without its large and secret columns."""
    return found.select_related("match").defer(
        "match__state", "match__loaded", "match__seed", "match__options"
    )


def is_told(match: Match) -> bool:
    """Whether a match and all that share its cards are over."""
    over = match.status in (Match.Status.FINISHED, Match.Status.ABORTED)
    return over and may_tell_all(get_match(match.pk), None)


def hidden_until_over(match: Match, text: str) -> str:
    return text if is_told(match) else UNTIL_OVER
