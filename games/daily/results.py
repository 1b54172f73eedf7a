"""How people and computers did, once a deal is revealed; before, nobody reads of others."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import Count

from accounts.models import User
from accounts.social.selectors import people_seen_by
from games.daily.models import DailyDeal, Entry
from games.daily.scores import score_of
from games.matches.selectors.access import get_match

LISTED: Final = 100


@dataclass(frozen=True)
class Line:
    """A person's result; equal scores share a place."""

    place: int
    person: User
    score: int
    entry: UUID


@dataclass(frozen=True)
class Results:
    """``people`` and ``computers`` count matches by score; ``best`` may be looked at by all."""

    people: Mapping[int, int]
    computers: Mapping[str, Mapping[int, int]]
    lines: list[Line]
    best: UUID | None

    @property
    def played(self) -> int:
        return sum(self.people.values())

    def place_of(self, score: int) -> int:
        return 1 + sum(count for each, count in self.people.items() if each > score)


def results_of(daily: DailyDeal, reader: UUID | None) -> Results | None:
    """``None`` while it is not revealed. The list has the first ones whom the reader may see."""
    if not daily.is_over:
        return None
    played = daily.entries.filter(score__isnull=False)
    counts = played.order_by("-score").values_list("score").annotate(Count("id"))
    people = {score or 0: count for score, count in counts}
    computers = {row.bot: Counter(row.scores) for row in daily.computers.all() if row.scores}
    results = Results(people, computers, [], daily.best_id)
    seen = played.filter(account__in=people_seen_by(reader)).select_related("account")
    for row in seen.order_by("-score", "id")[:LISTED]:
        line = Line(results.place_of(row.score or 0), row.account, row.score or 0, row.pk)
        results.lines.append(line)
    return results


@dataclass(frozen=True)
class Own:
    """A person's try; ``score`` once it is played to its end."""

    entry: UUID
    match: UUID
    status: str
    score: int | None


def own_result(entry: Entry) -> Own:
    """The person knows the score when the match is over, before it is written."""
    match = get_match(entry.match_id)
    return Own(entry.pk, match.id, match.status, score_of(match) if match.is_over else None)
