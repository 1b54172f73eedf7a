"""The deal that plays itself on the landing page: two computers at Pişti, the same every time.

It is played by the rules once a process, from a seed chosen for its piştis; no match is stored.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final

from cardroom.rules import catalog
from cardroom.rules.pisti.events import Captured, CardPlayed, CentreDealt, HandDealt, Pisti
from cardroom.rules.values import Event, Setup

BOTS: Final = ("greedy", "counter")
SEED: Final = 59
HANDS: Final = 3  # that are shown, of six


@dataclass(frozen=True)
class Shown:
    """What is seen next: ``deal`` (cards of both hands), ``play`` or ``take`` with a word."""

    kind: str
    seat: int = 0
    cards: tuple[str, ...] = ()
    cry: str = ""


@dataclass(frozen=True)
class RecordedDeal:
    template = "games/tables/pisti/demo.html"
    top: str
    hand: tuple[str, ...]
    motions: tuple[Shown, ...]


@cache
def recorded_deal() -> RecordedDeal:
    """Seat 0 sits below and shows its hand."""
    motions = list(_motions(_events()))
    top = next(motion.cards[0] for motion in motions if motion.kind == "centre")
    hand = next(motion.cards for motion in motions if motion.kind == "deal")
    dealt = [at for at, motion in enumerate(motions) if motion.kind == "deal"]
    shown = motions[dealt[0] + 1 : dealt[HANDS]]
    return RecordedDeal(top, hand, tuple(motion for motion in shown if motion.kind != "centre"))


def _motions(events: Iterator[Event]) -> Iterator[Shown]:
    for event in events:
        match event:
            case HandDealt(seat=0, cards=cards) if cards:
                yield Shown("deal", cards=cards)
            case CentreDealt():
                yield Shown("centre", cards=(event.top,))
            case CardPlayed():
                yield Shown("play", event.seat, (event.card,))
            case Pisti():
                yield Shown("cry", event.seat, cry=event.kind)
            case Captured():
                yield Shown("take", event.seat)


def _events() -> Iterator[Event]:
    game, luck = catalog.find("pisti"), Random(SEED)
    bots = [game.bot(slug) for slug in BOTS]
    seen: list[Event] = []

    def shuffle(pack: Any) -> Any:
        return tuple(luck.sample(pack, len(pack)))

    options = game.choose_options(preset="single")
    step = game.start(options, [Setup(name=slug) for slug in BOTS], shuffle)
    while True:
        seen += step.events
        yield from step.events
        acting = game.to_act(step.state)
        if not acting:
            return
        seat = acting[0]
        known = [event.seen_by(seat) for event in seen]
        move = bots[seat].choose(game.view(step.state, seat), known, luck)
        step = game.play(step.state, seat, move, shuffle)
