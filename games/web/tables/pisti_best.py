"""The best moments of a match of Pişti: double piştis, piştis, then large captures."""

from collections.abc import Iterable, Iterator

from cardroom.rules.pisti.events import Captured, CardPlayed, CentreDealt, JackBuried, Pisti
from games.web.parts.clips import Candidate, Clip, Ply
from games.web.parts.motions import Effect


def candidates(plies: Iterable[Ply]) -> Iterator[Candidate]:
    top = played = ""
    for version, events in plies:
        made = next((event for event in events if isinstance(event, Pisti)), None)
        for event in events:
            match event:
                case CentreDealt() | JackBuried():
                    played = event.top
                case CardPlayed():
                    top, played = played, event.card
                case Captured():
                    yield _capture(version, event, made, (top, played))
                    played = ""


def _capture(
    version: int, event: Captured, made: Pisti | None, cards: tuple[str, str]
) -> Candidate:
    lying, flying = cards[:1], cards[1:]
    if made is None:
        clip = Clip(version, event.seat, lying, flying, after=f"+{event.count}")
        return Candidate((0, event.count), event, clip)
    effect: Effect = "double" if made.kind == "double" else "burst"
    clip = Clip(version, event.seat, lying, flying, after=f"+{made.points}", effect=effect)
    return Candidate((made.points, event.count), made, clip)
