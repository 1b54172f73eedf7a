"""Pazaak's table beyond the view: nine places a board, a hand with its choices."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.utils.translation import gettext, gettext_lazy

from cardroom.rules.pazaak.events import CardPlayed, HandDrawn, MainDrawn, Opener, RoundOver, Stood
from cardroom.rules.pazaak.narration import hint, moments, why  # noqa: F401 - found by name
from cardroom.rules.pazaak.predicates import (
    PLACES,
    TARGET,
    CardPlay,
    Placed,
    is_bust,
    lay,
    parse,
    total_of,
)
from cardroom.rules.pazaak.side_cards import CARD
from cardroom.rules.pazaak.view import HalfView, PazaakView
from cardroom.rules.text import say
from cardroom.rules.values import Event, Move
from games.language import words
from games.web.parts.motions import (
    Candidate,
    Clip,
    Motion,
    Ply,
    Specimens,
    call,
    fly,
    rest,
    seat_spot,
)
from games.web.parts.table_page import MoveButton, SeatPanel, TablePage

# The best moments of a match of Pazaak: back from above 20, exactly 20, then high totals.


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


CLOSES: Final = RoundOver
STYLES: Final = ("decks/css/pazaak_cards.css",)
MEANING = {
    "draw": gettext_lazy("Take the top card of your deck."),
    "stand": gettext_lazy("Keep your total for the rest of the round."),
    "pass": gettext_lazy("Play no card; your turn ends."),
    "end": gettext_lazy("Your turn ends; you continue in your next one."),
}


@dataclass(frozen=True)
class TurnButton:
    """A button that is no card, and what it means."""

    move: Move
    label: str
    meaning: Any  # lazy text


@dataclass(frozen=True)
class Way:
    """One way to play a card: what its button says, short and in full, and where it leads."""

    move: Move
    short: str
    label: str
    total: int
    key: int | None

    @property
    def is_bust(self) -> bool:
        return is_bust(self.total)


@dataclass(frozen=True)
class Held:
    """A card of the own hand with the ways to play it now; none while it is not playable."""

    code: str
    effect: str
    ways: list[Way]

    @property
    def is_special(self) -> bool:
        """Whether what it does is more than the number on it."""
        return CARD[self.code].kind in ("plus-or-minus-1-2", "flip", "double", "tiebreaker")


@dataclass(frozen=True)
class TableSeat:
    """One half of the table."""

    panel: SeatPanel
    half: HalfView
    rounds_to_win: int

    @property
    def places(self) -> list[Placed | None]:
        placed: list[Placed | None] = list(self.half.board)
        return placed + [None] * (PLACES - len(placed))

    @property
    def is_bust(self) -> bool:
        return is_bust(self.half.total)

    @property
    def is_full_score(self) -> bool:
        return self.half.total == TARGET

    @property
    def wins(self) -> list[bool]:
        """A pip for each round to win, lit when it is won."""
        return [number < self.half.wins for number in range(self.rounds_to_win)]

    @property
    def backs(self) -> range:
        return range(self.half.cards_in_hand)


@dataclass(frozen=True)
class Scene:
    page: TablePage
    view: PazaakView

    @cached_property
    def rival(self) -> TableSeat:
        return self._seat(1 - self._near)

    @cached_property
    def own(self) -> TableSeat:
        return self._seat(self._near)

    @property
    def _near(self) -> int:
        return self.page.seat or 0

    @cached_property
    def hand(self) -> list[Held]:
        return [
            Held(code, words(CARD[code].effect), list(self._ways(code)))
            for code in self.view.hand or ()
        ]

    @cached_property
    def from_side_deck(self) -> list[Held]:
        """Moves that only a cheater may choose: cards that are playable and not in its hand."""
        held = set(self.view.hand or ())
        return [
            Held(code, words(CARD[code].effect), list(self._ways(code)))
            for code in dict.fromkeys(self.view.side_deck or ())
            if code not in held and list(self._ways(code))
        ]

    @property
    def turn_buttons(self) -> list[TurnButton]:
        return [
            TurnButton(button.move, button.label, MEANING[button.move])
            for button in self.page.move_buttons
            if button.move in MEANING
        ]

    @property
    def decision(self) -> str:
        """The decision of the viewer, in words."""
        if not self.page.is_your_turn:
            return ""
        if self.view.phase == "turn_start":
            return gettext("Draw a card, or stand on what you have?")
        if self.own.is_bust:
            return gettext("Over 20: a card may still save you.")
        if self.view.phase == "turn_close":
            return gettext("End the turn, or stand?")
        return gettext("Play a card from your hand, or none?")

    @property
    def why_starter(self) -> str:
        """The player who opened the round, and why (R6)."""
        seat = self.page.names_told[self.view.starter]
        opened = [event for event in self.page.recent_events if isinstance(event, Opener)]
        if opened and self.view.round_no == 1:
            low, high = sorted(opened[-1].values)
            return words(
                say(
                    "{seat} started: bottom card {high} against {low}.",
                    you="You started: bottom card {high} against {low}.",
                    seat=seat,
                    high=high,
                    low=low,
                )
            )
        return words(say("{seat} started this round.", you="You started this round.", seat=seat))

    @property
    def last_round(self) -> str:
        """The end of the round before, while it is among the last events."""
        over = [event for event in self.page.recent_events if isinstance(event, RoundOver)]
        return self.page.narrated(over[-1]) if over else ""

    @property
    def specials(self) -> list[Held]:
        """One of each card in the hand whose effect needs words."""
        return list({held.code: held for held in self.hand if held.is_special}.values())

    def _seat(self, seat: int) -> TableSeat:
        goal = self.view.options.rounds_to_win
        return TableSeat(self.page.seat_panels[seat], self.view.halves[seat], goal)

    def _ways(self, code: str) -> Iterable[Way]:
        for button in self.page.move_buttons:
            play = parse(button.move)
            if play is not None and play.code == code:
                yield Way(
                    button.move, _short(play), button.label, self._total(play), self._key(button)
                )

    def _total(self, play: CardPlay) -> int:
        """The total that the own board would come to."""
        slot = self.view.options.specials_take_slot
        return total_of(lay(self.own.half.board, play, specials_take_slot=slot)[0])

    def _key(self, button: MoveButton) -> int | None:
        """Cards answer to 1 to 9, way by way as they lie in the hand; copies to the same key."""
        plays = [each.move for each in self.page.move_buttons if each.move not in MEANING]
        at = plays.index(button.move) + 1
        return at if at < 10 else None


def _short(play: CardPlay) -> str:
    if play.kind == "flip":
        return gettext("Flip")
    if play.kind == "double":
        return gettext("Double")
    return f"+{play.amount}" if play.amount > 0 else f"−{-play.amount}"


@dataclass(frozen=True)
class EndingSide:
    """A seat at the end of a round; ``wins`` counts it, ``needed`` take the match."""

    panel: SeatPanel
    total: int
    wins: int
    has_won: bool
    needed: int

    @property
    def before(self) -> int:
        """Its wins before this round."""
        return self.wins - self.has_won


@dataclass(frozen=True)
class RoundResult:
    """The two totals, the viewer's first, and why one of them wins; empty after a tie."""

    sides: list[EndingSide]
    winner: SeatPanel | None
    why: str


def ending(page: TablePage, event: RoundOver) -> RoundResult:
    panels, winner, near = page.seat_panels, event.winner, page.seat or 0
    needed = scene(page).view.options.rounds_to_win
    sides = [
        EndingSide(panels[seat], event.totals[seat], event.wins[seat], seat == winner, needed)
        for seat in (near, 1 - near)
    ]
    if winner is None:
        return RoundResult(sides, None, "")
    return RoundResult(sides, panels[winner], words(why(event, winner, page.names_told)))


def scene(page: TablePage) -> Scene:
    if not isinstance(page.view, PazaakView):
        raise TypeError("This is not a table of Pazaak.")
    return Scene(page, page.view)


def motions(events: Sequence[Event]) -> Iterator[Motion]:
    """Cards fly to a board; twenty glows, a bust shakes; standing is called out."""
    for event in events:
        match event:
            case MainDrawn():
                yield fly("stock", _board(event.seat), str(event.value))
                yield from _total(event.seat, event.total)
            case CardPlayed():
                yield fly(seat_spot(event.seat), _board(event.seat), event.code)
                yield from _total(event.seat, event.total)
            case Stood():
                yield call(gettext("stands at %(total)d") % {"total": event.total}, "quiet")
            case RoundOver():
                if event.reason == "bust":
                    loser = int(not is_bust(event.totals[0]))
                    yield call(gettext("Bust!"), "red", effect="bust", at=_board(loser))
                yield rest(1500)
            case HandDrawn() if event.count:
                yield fly("stock", seat_spot(event.seat), count=event.count)


def _total(seat: int, total: int) -> Iterator[Motion]:
    if is_bust(total):
        yield call(gettext("Over 20!"), "red")
    elif total == TARGET:
        yield call(gettext("Twenty!"), effect="twenty", at=_board(seat))


def _board(seat: int) -> str:
    return f"board-{seat}"


def last_cards(events: Iterable[Event]) -> list[str]:
    """The board that won the last round that somebody won, card by card."""
    boards: dict[int, list[str]] = {}
    won: list[str] = []
    for event in events:
        match event:
            case MainDrawn():
                boards.setdefault(event.seat, []).append(str(event.value))
            case CardPlayed() if event.value:
                boards.setdefault(event.seat, []).append(
                    f"+{event.value}" if event.value > 0 else f"−{-event.value}"
                )
            case RoundOver():
                won = won if event.winner is None else boards.get(event.winner, won)
                boards = {}
    return won


SPECIMENS: Final = Specimens(
    lambda: [
        call(gettext("Bust!"), "red", effect="bust", at=_board(0)),
        call(gettext("Twenty!"), effect="twenty", at=_board(0)),
    ],
    [Clip(1, 0, (), ("M4",), "24", "20", "twenty", are_faces=False)],
)
