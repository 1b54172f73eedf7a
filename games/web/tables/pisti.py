"""Pişti's table beyond the view: who played what last, and what was just captured."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random
from typing import Any, Final

from django.utils.translation import gettext as _

from cardroom.rules import catalog
from cardroom.rules.pisti.events import (
    Captured,
    CardPlayed,
    CentreDealt,
    DealScored,
    DealStarted,
    HandDealt,
    JackBuried,
    LeftoverAwarded,
    Pisti,
    SideScore,
)
from cardroom.rules.pisti.narration import causes, hint, match_causes, moments, sure_points  # noqa: F401 - found by name
from cardroom.rules.pisti.options import PistiOptions
from cardroom.rules.pisti.predicates import PLAYS_PER_DEAL
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.text import counted, say, say_n
from cardroom.rules.values import Cause, Event, Setup
from games.web.parts.motions import (
    Candidate,
    Clip,
    Effect,
    Motion,
    Ply,
    Specimens,
    call,
    fly,
    rest,
    seat_spot,
    sweep,
)
from games.web.parts.table_page import SeatPanel, TablePage

# The best moments of a match of Pişti: double piştis, piştis, then large captures.


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


CLOSES: Final = DealScored
PLIES_READ: Final = PLAYS_PER_DEAL + 1  # a whole deal: who took which cards


@dataclass(frozen=True)
class TableSeat:
    """A seat with its counts; ``last`` is the card it played last in this deal.

    ``total`` are the points of the deals before, ``sure`` those of this deal that are certain.
    """

    panel: SeatPanel
    cards: int
    heap: int | None
    total: int
    sure: int
    pistis: int
    doubles: int
    last: str | None
    captured: int
    made: str

    @property
    def backs(self) -> range:
        return range(self.cards)


@dataclass(frozen=True)
class Scene:
    page: TablePage
    view: PistiView

    @cached_property
    def others(self) -> list[TableSeat]:
        """Left to right: play goes on to the right of each seat (R1)."""
        return [self._seat(panel) for panel in reversed(self.page.others)]

    @property
    def you(self) -> TableSeat | None:
        return self._seat(self.page.you) if self.page.you else None

    @property
    def pile_depth(self) -> range:
        """The number of cards that the drawing of the pile shows below its top."""
        size = self.view.pile_size
        return range(min((2 if size is None else size) - 1, 3)) if self.view.top else range(0)

    @cached_property
    def last_capture(self) -> tuple[SeatPanel, str] | None:
        """The seat that took the pile and the card it played, while nothing lies there again."""
        if self.view.top:
            return None
        for panel in self.page.seat_panels:
            card, count, _ = self._last(panel.index)
            if count and panel.index == self.view.last_capturer and card:
                return panel, card
        return None

    def _seat(self, panel: SeatPanel) -> TableSeat:
        view, seat = self.view, panel.index
        side = seat % len(view.totals)  # R2
        card, captured, made = self._last(seat)
        return TableSeat(
            panel=panel,
            cards=view.hand_sizes[seat],
            heap=None if view.heap_sizes is None else view.heap_sizes[seat],
            total=view.totals[side],
            sure=self._sure[side],
            pistis=view.pistis[side],
            doubles=view.doubles[side],
            last=card,
            captured=captured,
            made=made,
        )

    @cached_property
    def _sure(self) -> tuple[int, ...]:
        return sure_points(self.view, self.page.recent_events)

    def _last(self, seat: int) -> tuple[str | None, int, str]:
        """A seat's last card, how many cards it captured with it, and whether it was a pişti."""
        card, captured, made = None, 0, ""
        for event in self.page.recent_events:
            match event:
                case DealStarted():
                    card, captured, made = None, 0, ""
                case CardPlayed() if event.seat == seat:
                    card, captured, made = event.card, 0, ""
                case Captured() if event.seat == seat:
                    captured = event.count
                case Pisti() if event.seat == seat:
                    made = event.kind
        return card, captured, made


@dataclass(frozen=True)
class DealEnding:
    """One side's deal; ``target`` is what ends the match, ``None`` where one deal is played."""

    panels: list[SeatPanel]
    is_yours: bool
    causes: list[Cause]
    points: int
    total: int
    target: int | None

    @property
    def before(self) -> int:
        """Its points before this deal."""
        return self.total - self.points


def ending(page: TablePage, event: DealScored) -> list[DealEnding]:
    """Every side's points of the deal by cause, the viewer's side first."""
    match = page.match
    if not isinstance(match.options, PistiOptions):
        raise TypeError("This is not a table of Pişti.")
    sides = [
        _side_ending([page.seat_panels[seat] for seat in side], score, match.options, page)
        for side, score in zip(match.sides, event.sides, strict=True)
    ]
    return sorted(sides, key=lambda side: not side.is_yours)


def _side_ending(
    panels: list[SeatPanel], score: SideScore, options: PistiOptions, page: TablePage
) -> DealEnding:
    return DealEnding(
        panels=panels,
        is_yours=not page.is_shared and any(panel.is_you for panel in panels),
        causes=causes(score, options),
        points=score.deal_points,
        total=score.total,
        target=options.target_score,
    )


def scene(page: TablePage) -> Scene:
    if not isinstance(page.view, PistiView):
        raise TypeError("This is not a table of Pişti.")
    return Scene(page, page.view)


def motions(events: Sequence[Event]) -> Iterator[Motion]:
    """A card flies to the pile; a pişti bursts; a capture sweeps; hands come from the stock."""
    for event in events:
        match event:
            case CardPlayed():
                yield fly(seat_spot(event.seat), "pile", event.card)
            case Captured():
                yield from (_cry(made.kind) for made in events if isinstance(made, Pisti))
                yield sweep("pile", seat_spot(event.seat))
            case LeftoverAwarded():
                yield rest(1500)
                yield sweep("pile", seat_spot(event.seat))
            case DealScored():
                yield rest(1500)
            case HandDealt():
                yield fly("stock", seat_spot(event.seat), count=event.count)
            case CentreDealt():
                yield fly("stock", "pile", count=event.count - 1)
                yield fly("stock", "pile", event.top)


def _cry(kind: str) -> Motion:
    if kind == "double":
        return call(_("Double pişti!"), effect="double", at="pile")
    return call(_("Pişti!"), effect="burst", at="pile")


# The deal that plays itself on the landing page: two computers at Pişti, the same every time.
#
# It is played by the rules once a process, from a seed chosen for its piştis; no match is stored.

BOTS: Final = ("greedy", "counter")
SEED: Final = 59
HANDS: Final = 3  # that are shown, of six


@dataclass(frozen=True)
class Shown:
    """A motion: ``deal`` (cards of both hands), ``play`` or ``take`` with a word."""

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


def _specimen_sides() -> list[dict[str, object]]:
    jacks = {"what": say_n("{n} jack", "{n} jacks", 3), "points": 3}
    causes = [jacks, {"what": counted(30), "points": 3}, {"what": say("pişti"), "points": 10}]
    won = {"panels": [{"name": "Ada", "index": 0}], "causes": causes, "points": 16, "before": 120}
    lost = {"panels": [{"name": "Greedy", "index": 1, "bot": "greedy"}], "points": 0, "before": 94}
    return [
        {**won, "is_yours": True, "target": 151, "total": 136},
        {**lost, "target": 151, "total": 94},
    ]


SPECIMENS: Final = Specimens(
    lambda: [_cry("single"), _cry("double")],
    [
        Clip(1, 0, ("7H",), ("7S",), after="+10", effect="burst"),
        Clip(1, 0, ("JH",), ("JS",), after="+20", effect="double"),
    ],
    _specimen_sides,
)
