"""The best moments of a match of Pyanitsa: the deepest dispute, then the largest trick."""

from collections.abc import Iterable, Iterator, Sequence

from cardroom.rules.pyanitsa.events import CardLaid, TrickTaken
from games.web.parts.clips import MOST_LYING, Candidate, Clip, Ply


def candidates(plies: Iterable[Ply]) -> Iterator[Candidate]:
    laid: list[CardLaid] = []
    for version, events in plies:
        for event in events:
            match event:
                case CardLaid():
                    laid.append(event)
                case TrickTaken():
                    yield _taken(version, event, laid)
                    laid = []


def _taken(version: int, event: TrickTaken, laid: Sequence[CardLaid]) -> Candidate:
    """The last row: what the others laid, and what took it."""
    level = max((each.level for each in laid), default=0)
    row = [each for each in laid if each.level == level and each.card]
    clip = Clip(
        version,
        event.seat,
        tuple([each.card or "" for each in row if each.seat != event.seat])[-MOST_LYING:],
        tuple([each.card or "" for each in row if each.seat == event.seat]),
        after=f"+{event.count}",
        effect="dispute" if level else "",
    )
    return Candidate((level, event.count), event, clip)
