"""The best of a match, from what everybody may know: in words, and one moment to look at.

A match that is over changes no more, so what was chosen is kept for a while, by language.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from django.core.cache import cache

from cardroom.rules.values import Event
from games.language import speaker, tag_of_language
from games.matches.selectors.log import events_for
from games.matches.snapshot import MatchSnapshot
from games.web.parts.clips import Clip, Ply, best, clip_of
from games.web.parts.table_page import TablePage
from games.web.tables import GamePage

LONGEST_LOOKED_AT: Final = 3000  # plies; the best moments of a longer match are not looked for
KEPT_SECONDS: Final = 3600


@dataclass(frozen=True)
class BestOfMatch:
    sentences: list[str]
    clip: Clip | None


def best_of_match(page: TablePage, game_page: GamePage) -> BestOfMatch:
    match = page.match
    if match.version > LONGEST_LOOKED_AT:
        return BestOfMatch([], None)
    name = f"best:{match.id}:{match.version}{tag_of_language()}"
    kept: Any = cache.get(name)
    if kept is None:
        plies = [
            (entry.version, events_for(match, entry, None)) for entry in page.entries_after(-1)
        ]
        kept = (
            _sentences(match, plies, game_page),
            msgspec.to_builtins(_clip(match, plies, game_page)),
        )
        cache.set(name, kept, KEPT_SECONDS)
    sentences, clip = kept
    return BestOfMatch(list(sentences), clip_of(clip))


def _sentences(match: MatchSnapshot, plies: Sequence[Ply], game_page: GamePage) -> list[str]:
    if game_page.moments is None:
        return []
    events: Iterable[Event] = (event for _, events in plies for event in events)
    return [*map(speaker(), game_page.moments(events, match.names))]


def _clip(match: MatchSnapshot, plies: Sequence[Ply], game_page: GamePage) -> Clip | None:
    chosen = best(game_page.candidates(plies)) if game_page.candidates else None
    if chosen is None:
        return None
    spoken = speaker()(match.rules.sentence(chosen.event, match.names))
    return msgspec.structs.replace(chosen.clip, sentence=spoken)
