"""Records of many matches, one after the other."""

from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from games.matches.models import Match
from games.matches.records import records
from games.matches.refusals import MatchNotOver, ParentStillRunning
from games.matches.selectors.access import get_match
from games.matches.selectors.lists import find_matches
from games.rules import record as rules_record


def find_finished(
    *,
    user: UUID | None,
    mine: bool,
    game: str = "",
    since: datetime | None = None,
    after: UUID | None = None,
    limit: int,
) -> list[UUID]:
    """Matches that are over and that the user may find, in the order in which they were opened."""
    matches = over(find_matches(user=user, mine=mine), game, since)
    if after is not None:
        matches = matches.filter(id__gt=after)
    return list(matches.order_by("id").values_list("id", flat=True)[:limit])


def find_stored(*, private: bool, game: str = "", since: datetime | None = None) -> list[UUID]:
    """Public matches that are over, or all, with those that they were loaded from before them."""
    kept = Match.objects.all()
    if not private:
        kept = kept.filter(visibility=Match.Visibility.PUBLIC)
    wanted = over(kept, game, since).order_by("id").values_list("id", flat=True)
    stored = over(kept)
    parents = dict(stored.filter(parent__in=stored).values_list("id", "parent_id"))
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


def record_lines(matches: list[UUID], *, reader: UUID | None) -> Iterator[bytes]:
    """The records, a line each, that the reader may read (FORMAT.md, Who may see what).

    The next one is read when the one before was taken, in whatever thread takes it.
    """
    for match_id in matches:
        try:
            match_record = records.of(get_match(match_id), reader)
        except (MatchNotOver, ParentStillRunning):
            continue
        if not connection.in_atomic_block:
            connection.close()  # a slow reader keeps none, and the next line may use another thread
        yield rules_record.write(match_record) + b"\n"
