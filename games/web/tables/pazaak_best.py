"""The best moments of a match of Pazaak: back from above 20, exactly 20, then high totals."""

from collections.abc import Iterable, Iterator

from cardroom.rules.pazaak.events import CardPlayed, MainDrawn
from cardroom.rules.pazaak.predicates import TARGET, is_bust
from games.web.parts.clips import Candidate, Clip, Ply


def candidates(plies: Iterable[Ply]) -> Iterator[Candidate]:
    totals = {0: 0, 1: 0}
    for version, events in plies:
        for event in events:
            if isinstance(event, MainDrawn | CardPlayed):
                if not is_bust(event.total):
                    yield _laid(version, event, totals[event.seat])
                totals[event.seat] = event.total


def _laid(version: int, event: MainDrawn | CardPlayed, before: int) -> Candidate:
    by_card = isinstance(event, CardPlayed)
    is_full = event.total == TARGET
    code = event.code if isinstance(event, CardPlayed) else str(event.value)
    clip = Clip(
        version,
        event.seat,
        flying=(code,),
        before=str(before),
        after=str(event.total),
        effect="twenty" if is_full else "",
        are_faces=False,
    )
    weight = (by_card and is_bust(before), is_full, by_card, event.total)
    return Candidate(tuple(map(int, weight)), event, clip)
