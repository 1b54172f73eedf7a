"""The table of Scopa: what each card would take, who took what, and a deal by its causes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.utils.translation import gettext as _

from cardroom.rules.cards import CARD, texts
from cardroom.rules.text import CardName, Phrase, Words, card_names, say
from cardroom.rules.values import Event
from games.language import words
from games.web.parts.motions import Motion, call, fly, rest, seat_spot, sweep
from games.web.parts.table_page import SeatPanel, TablePage
from games.web.tables.any_game import SeatedScene
from scopa_cardroom.events import (
    Captured,
    CardPlayed,
    DealScored,
    DealStarted,
    HandsDealt,
    LeftoverTaken,
    SideScore,
    TableLaid,
)
from scopa_cardroom.imagine import cards
from scopa_cardroom.moves import take
from scopa_cardroom.narration import label
from scopa_cardroom.options import ScopaOptions
from scopa_cardroom.predicates import Cards, captures
from scopa_cardroom.view import ScopaView

CLOSES: Final = DealScored


@dataclass(frozen=True)
class TableSeat:
    """A seat with its counts, which are those of its side."""

    panel: SeatPanel
    cards: int
    heap: int
    sweeps: int
    total: int
    is_partner: bool

    @property
    def backs(self) -> range:
        return range(self.cards)


@dataclass(frozen=True)
class Shown:
    """A card that may be pressed; ``kind`` says what it would do, as a class."""

    code: str
    move: str | None = None
    label: str = ""
    kind: str = ""
    is_chosen: bool = False


@dataclass(frozen=True)
class LastPlay:
    name: str
    card: str
    taken: int
    sweep: bool


@dataclass(frozen=True)
class Scene(SeatedScene[TableSeat]):
    view: ScopaView

    @property
    def is_choosing(self) -> bool:
        return self.page.is_your_turn and self.view.laid is not None

    @cached_property
    def table(self) -> list[Shown]:
        legal = set(self.view.legal_moves) if self.is_choosing else set()
        lying = [self._lying(code, legal) for code in self.view.table]
        return [*lying, *[Shown(code, is_chosen=True) for code in self.view.chosen]]

    def _lying(self, code: str, legal: set[str]) -> Shown:
        move = take(CARD[code])
        if move not in legal:
            return Shown(code)
        return Shown(code, move, words(label(move)))

    @cached_property
    def hand(self) -> list[Shown]:
        return [self._held(code) for code in self.view.hand]

    def _held(self, code: str) -> Shown:
        ways = ways_of(self.view, code)
        if not self.page.is_your_turn or self.is_choosing:
            return Shown(code)
        return Shown(code, code, words(play_words(code, ways)), "takes" if ways else "")

    @cached_property
    def last(self) -> LastPlay | None:
        """The newest play of this deal."""
        found: LastPlay | None = None
        for event in self.page.recent_events:
            match event:
                case DealStarted():
                    found = None
                case CardPlayed():
                    found = LastPlay(self._name(event.seat), event.card, 0, sweep=False)
                case Captured():
                    taken = len(event.cards)
                    found = LastPlay(self._name(event.seat), event.card, taken, event.sweep)
        return found

    def _name(self, seat: int) -> str:
        return self.page.seat_panels[seat].name

    def _seat(self, panel: SeatPanel) -> TableSeat:
        view, seat = self.view, panel.index
        side, own = seat % len(view.totals), self.page.seat
        return TableSeat(
            panel=panel,
            cards=view.hand_sizes[seat],
            heap=len(view.heaps[side]),
            sweeps=view.sweeps[side],
            total=view.totals[side],
            is_partner=own is not None and seat != own and own % len(view.totals) == side,
        )


def scene(page: TablePage) -> Scene:
    if not isinstance(page.view, ScopaView):
        raise TypeError("This is not a table of Scopa.")
    return Scene(page, page.view)


def ways_of(view: ScopaView, code: str) -> list[Cards]:
    fifteen = view.options.capture == "fifteen"
    return captures(CARD[code], cards(view.table), fifteen=fifteen)


def play_words(code: str, ways: Sequence[Cards]) -> Phrase:
    """The words of a card for a screen reader: what it takes, or that it takes nothing."""
    card = CardName(code)
    if not ways:
        return say("{card}, takes nothing", card=card)
    if len(ways) > 1:
        return say("{card}, takes one of several", card=card)
    return say("{card}, takes {cards}", card=card, cards=card_names(texts(ways[0])))


@dataclass(frozen=True)
class Cause:
    what: str
    points: int


@dataclass(frozen=True)
class DealEnding:
    panels: list[SeatPanel]
    score: SideScore
    causes: list[Cause]
    prime: str
    target: int
    is_yours: bool


def ending(page: TablePage, event: DealScored) -> list[DealEnding]:
    """Every side's points of the deal by cause, the viewer's side first."""
    options = page.match.options
    if not isinstance(options, ScopaOptions):
        raise TypeError("This is not a table of Scopa.")
    sides = [
        _ending_of([page.seat_panels[seat] for seat in side], score, options, page)
        for side, score in zip(page.match.sides, event.sides, strict=True)
    ]
    return sorted(sides, key=lambda side: not side.is_yours)


def _ending_of(
    panels: list[SeatPanel], score: SideScore, options: ScopaOptions, page: TablePage
) -> DealEnding:
    return DealEnding(
        panels=panels,
        score=score,
        causes=[Cause(words(what), points) for what, points in causes(score, options) if points],
        prime=words(prime_words(score, options)),
        target=options.target_score,
        is_yours=not page.is_shared and any(panel.is_you for panel in panels),
    )


def causes(score: SideScore, options: ScopaOptions) -> list[tuple[Phrase, int]]:
    best = say("primiera") if options.prime == "primiera" else say("most sevens")
    return [
        (say("most cards"), int(score.most_cards)),
        (say("most coins"), int(score.most_coins)),
        (say("seven of coins"), int(score.seven_of_coins)),
        (best, int(score.best_prime)),
        (say("scope"), score.sweeps),
    ]


def prime_words(score: SideScore, options: ScopaOptions) -> Phrase:
    if options.prime == "sevens":
        return say("sevens: {n}", n=score.prime)
    return say("primiera: {n}", n=score.prime) if score.prime else say("no primiera")


def motions(events: Sequence[Event]) -> Iterator[Motion]:
    """A card is laid beside the table; what it takes goes to the seat with it."""
    for event in events:
        match event:
            case CardPlayed():
                yield fly(seat_spot(event.seat), "laid", event.card)
            case Captured():
                yield from _taken(event)
            case LeftoverTaken():
                yield rest(900)
                yield sweep("table", seat_spot(event.seat))
            case DealScored():
                yield rest(1500)
            case TableLaid():
                for code in event.cards:
                    yield fly("stock", "table", code)
            case HandsDealt():
                for seat in range(len(event.hands)):
                    yield fly("stock", seat_spot(seat), count=event.count)


def _taken(event: Captured) -> Iterator[Motion]:
    for code in event.cards:
        yield sweep(f"at-{code}", seat_spot(event.seat))
    yield sweep("laid", seat_spot(event.seat))
    if event.sweep:
        yield call(_("Scopa!"))


def moments(events: Iterable[Event], names: Sequence[str]) -> list[Words]:
    """The largest scopa of the match."""
    sweeps = [event for event in events if isinstance(event, Captured) and event.sweep]
    if not sweeps:
        return []
    best = max(sweeps, key=lambda event: len(event.cards))
    return [
        say(
            "{seat} swept {cards} from the table with {card}.",
            you="You swept {cards} from the table with {card}.",
            seat=names[best.seat],
            cards=card_names(best.cards, conjunction=True),
            card=CardName(best.card),
        )
    ]


def hint(view: ScopaView) -> Words | None:
    """A card that clears the table."""
    if view.laid is not None:
        return None
    for code in view.hand:
        if any(len(way) == len(view.table) for way in ways_of(view, code)):
            return say("{card} would clear the table: a scopa.", card=CardName(code))
    return None
