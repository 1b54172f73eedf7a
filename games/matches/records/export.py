"""Records of many matches, one after the other."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from cardroom.rules import record as rules_record
from games.matches.models import Match
from games.matches.records import records
from games.matches.refusals import DealIsSealed, GameNotInstalled, MatchNotOver, ParentStillRunning
from games.matches.selectors.access import get_match
from games.matches.selectors.lists import find_matches
from games.matches.selectors.withheld import named_for


def find_over(
    *,
    user: UUID | None,
    mine: bool,
    game: str = "",
    since: datetime | None = None,
    after: UUID | None = None,
) -> QuerySet[Match]:
    """Matches that are over and that the user may find, in the order in which they were opened."""
    return in_order(over(find_matches(user=user, mine=mine), game, since), after)


def find_stored(*, private: bool, game: str = "", since: datetime | None = None) -> list[UUID]:
    """Public matches that are over, or all, with those that they were loaded from before them."""
    stored = Match.objects.all()
    if not private:
        stored = stored.filter(visibility=Match.Visibility.PUBLIC)
    wanted = in_order(over(stored, game, since), None).values_list("id", flat=True)
    finished = over(stored)
    parents = dict(finished.filter(parent__in=finished).values_list("id", "parent_id"))
    ordered: dict[UUID, None] = {}
    for match_id in wanted:
        line = [match_id]
        while (parent := parents.get(line[-1])) is not None:
            line.append(parent)
        ordered |= dict.fromkeys(reversed(line))
    return list(ordered)


def over(
    matches: QuerySet[Match], game: str = "", since: datetime | None = None
) -> QuerySet[Match]:
    """The matches that are over, of a game and since a time if these are given."""
    matches = matches.filter(finished_at__isnull=False)
    if game:
        matches = matches.filter(game=game)
    return matches if since is None else matches.filter(finished_at__gte=since)


def in_order(matches: QuerySet[Match], after: UUID | None) -> QuerySet[Match]:
    """The order of every file of records, which goes on after a match that was written."""
    return (matches if after is None else matches.filter(id__gt=after)).order_by("id")


def record_lines(
    matches: Iterable[UUID], *, reader: UUID | None, names_all: bool = False
) -> Iterator[bytes]:
    """A record a line, without those that the reader may not see (FORMAT.md, Who may see what).

    ``names_all``: also people who hide, for the operator of the installation.

    A record is read when the one before was taken, in whatever thread takes it.
    """
    for match_id in matches:
        try:
            match = get_match(match_id)
            match_record = records.of(match if names_all else named_for(match, reader), reader)
        except (DealIsSealed, GameNotInstalled, MatchNotOver, ParentStillRunning):
            continue
        if not connection.in_atomic_block:
            connection.close()  # a slow reader keeps none, and the next line may use another thread
        yield rules_record.write(match_record) + b"\n"
