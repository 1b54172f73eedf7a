"""What each side's result of a round is made of, in words, for the ending of the round.

A round that is over changes no more, so what was counted is kept for a while, by language. A hidden
hand plays no part: everything is counted from what everybody may know.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django.core.cache import cache

from cardroom.rules.values import Event
from games.language import speaker, tag_of_language
from games.matches.selectors.log import events_for
from games.web.parts.table_page import TablePage
from games.web.table.endings.best_of_match import KEPT_SECONDS, LONGEST_LOOKED_AT
from games.web.tables import GamePage


class SpokenCause(NamedTuple):
    """``points`` is signed where what it belongs to also goes down."""

    what: str
    points: str


Causes = list[list[SpokenCause]]
CausesOf = Sequence[Sequence[Any]]  # a game's own: each with `what` and `points`


def causes_of_round(page: TablePage, game_page: GamePage, number: int, version: int) -> Causes:
    """By side; of the round that ended at ``version``. Empty where the game counts none."""
    after = _opened(page, number)
    if game_page.match_causes is None or version - after > LONGEST_LOOKED_AT:
        return []
    name = f"causes:{page.match.id}:{version}{tag_of_language()}"
    kept: Any = cache.get(name)
    if kept is None:
        kept = _spoken(game_page.match_causes(_events(page, after, version), page.match.options))
        cache.set(name, kept, KEPT_SECONDS)
    return [[SpokenCause(*cause) for cause in side] for side in kept]


def _opened(page: TablePage, number: int) -> int:
    """The version of the ply that tells nothing of the round but its opening; −1 for the first."""
    opened = next((each.opening_version for each in page.rounds if each.number == number), 0)
    return opened or -1


def _events(page: TablePage, after: int, version: int) -> Iterator[Event]:
    for entry in page.entries_after(after):
        if entry.version <= version:
            yield from events_for(page.match, entry, None)


def _spoken(causes: CausesOf) -> list[list[tuple[str, str]]]:
    render, shows_signs = speaker(), any_lost(causes)
    return [
        [(str(render(each.what)), signed(each.points, shows_signs=shows_signs)) for each in side]
        for side in causes
    ]


def any_lost(causes: CausesOf) -> bool:
    """Some cause of some side is negative, so all are shown with their signs."""
    return any(each.points < 0 for side in causes for each in side)


def signed(points: int, *, shows_signs: bool) -> str:
    return f"{points:+}".replace("-", "−") if shows_signs else str(points)
