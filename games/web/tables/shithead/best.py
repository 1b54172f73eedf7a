"""The best moments of a match of Shithead: the largest burns, then the largest pick-ups."""

from collections.abc import Iterable, Iterator

from cardroom.rules.shithead.events import Burned, GameStarted, HiddenFailed, PickedUp, Played
from games.web.parts.clips import MOST_LYING, Candidate, Clip, Ply


def candidates(plies: Iterable[Ply]) -> Iterator[Candidate]:
    pile: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    for version, events in plies:
        for event in events:
            match event:
                case GameStarted():
                    pile = ()
                case Played():
                    pile, played = (*pile, *event.cards), event.cards
                case HiddenFailed():
                    pile = (*pile, event.card)
                case Burned():
                    yield _burned(version, event, pile, played)
                    pile = ()
                case PickedUp():
                    clip = Clip(version, event.seat, pile[-MOST_LYING:], after=f"+{event.count}")
                    yield Candidate((0, event.count), event, clip)
                    pile = ()


def _burned(
    version: int, event: Burned, pile: tuple[str, ...], played: tuple[str, ...]
) -> Candidate:
    below = pile[: len(pile) - len(played)][-MOST_LYING:]
    clip = Clip(version, event.seat, below, played, after=f"−{event.count}", effect="burn")
    return Candidate((1, event.count), event, clip)
