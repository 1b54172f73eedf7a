"""What a seat knows of a match, and the worlds that it may be in.

The rival's side deck is secret. It is taken for one of the decks that many bring, for one like the
own or for the computers' own, whichever hold most of what the rival has played. A cheater's side
deck is known to all (R25).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Final, Self

from games.rules.pazaak.bots import prospects, six_rule
from games.rules.pazaak.bots.chances import halves
from games.rules.pazaak.bots.world import (
    AMOUNTS,
    CLOSE,
    HONEST,
    LONGEST,
    NUMBER,
    OVER,
    PLAY,
    START,
    Rounds,
    World,
)
from games.rules.pazaak.events import CardPlayed, HandDrawn, MainDrawn, Opener, Passed
from games.rules.pazaak.predicates import TARGET, unseen_main
from games.rules.pazaak.side_cards import (
    CATALOGUES,
    READY_MADE,
    cheater_deck,
    faults,
    reference_deck,
)
from games.rules.pazaak.view import HalfView, PazaakView
from games.rules.stream import Stream
from games.rules.values import Event, Seat

PHASES: Final = {"turn_start": START, "turn_play": PLAY, "turn_close": CLOSE, "over": OVER}
TRIES: Final = 6  # hands drawn until one fits what the rival let pass
STILL_HELD: Final = 0.1  # the chance that a card let pass is held all the same


class Belief(World):
    """The match as one seat knows it; ``sample`` deals what it does not know."""

    __slots__ = ("decks", "modelled", "options", "passed_by")

    def __init__(self, view: PazaakView, me: Seat, events: Sequence[Event]) -> None:
        super().__init__(view.options, me)
        self.options = view.options
        for seat, half in enumerate(view.halves):
            self._lay_out(seat, half)
        self.hand[me] = _numbers(view.hand or ())
        self.side[me] = _numbers(view.side_deck or ())
        self._take_bottoms(view, events)
        self.passed_by = passed_by(events, 1 - me)
        self.decks = self._rivals_decks(view)
        self.round_no = view.round_no
        self.starter = self.opener = view.starter
        self.turn, self.phase = me, PHASES[view.phase]
        self.modelled = prospects.reaches(self)  # a playout ends with its round
        self.last = self.round_no if self.modelled else max(LONGEST, self.round_no)

    def _lay_out(self, seat: Seat, half: HalfView) -> None:
        board = half.board
        self.board[seat] = [card.value for card in board]
        self.total[seat] = half.total
        self.newest_tie[seat] = bool(board) and board[-1].code == "T"
        self.ties[seat] = any(card.code == "T" for card in board)
        self.standing[seat] = half.standing
        self.main[seat] = unseen_main(board)
        self.allowance[seat] = HONEST if half.allowance is None else half.allowance
        self.wins[seat] = half.wins

    def _take_bottoms(self, view: PazaakView, events: Sequence[Event]) -> None:
        """The bottom cards shown at the opening are in the decks of round 1, never drawn (R6)."""
        if view.round_no == 1:
            for event in events:
                if isinstance(event, Opener):
                    for deck, bottom in zip(self.main, event.values, strict=True):
                        deck.remove(bottom)

    def _rivals_decks(self, view: PazaakView) -> list[tuple[list[int], int]]:
        """What the rival's deck may still hold, and how much of it is in the hand."""
        rival = halves(view)[1]
        played = Counter(rival.played)
        if rival.allowance is not None:
            left = Counter(cheater_deck(view.options.catalogue)) - played
            return [(_numbers(left.elements()), 0)]
        decks = [_left(deck, played, rival) for deck in likely_decks(view, played)]
        return [(_numbers(deck), rival.cards_in_hand) for deck in decks]

    def sample(self, rng: Random) -> Self:
        world, me = self.copy(), self.me
        for deck in world.main:
            rng.shuffle(deck)
            deck.reverse()
        if not self.modelled:
            rng.shuffle(world.side[me])
            world.side[me].reverse()
            world.rounds = Rounds(self.round_no, Stream(rng.getrandbits(64)))
        deck, held = self._rivals_cards(rng)
        world.hand[1 - me], world.side[1 - me] = deck[:held], deck[held:][::-1]
        return world

    def _rivals_cards(self, rng: Random) -> tuple[list[int], int]:
        """The rival's cards, those of its hand first, and how many these are."""
        for _ in range(TRIES):
            likely, held = rng.choice(self.decks)
            deck = likely[:]
            rng.shuffle(deck)
            if not self.passed_by or rng.random() < self._fits(deck[:held]):
                break
        return deck, held

    def _fits(self, hand: Sequence[int]) -> float:
        """How likely the rival would have let pass what it did with this hand."""
        likely = 1.0
        for wanted, drawn_since in self.passed_by:
            old = hand[: max(0, len(hand) - drawn_since)]
            if any(amount in wanted for card in old for amount in AMOUNTS[card]):
                likely *= STILL_HELD
        return likely

    def copy(self) -> Self:
        twin = super().copy()
        twin.modelled = self.modelled
        return twin

    def playout(self) -> None:
        six_rule.play_out(self)

    def worth(self) -> float:
        if self.modelled and not self.is_decided():
            return prospects.chance(self, self.me)
        return super().worth()


def _numbers(codes: Iterable[str]) -> list[int]:
    return [NUMBER[code] for code in codes]


def passed_by(events: Sequence[Event], rival: Seat) -> list[tuple[range, int]]:
    """What the rival let pass: amounts that would have made 20 or undone a bust, each with the
    number of side cards that it drew since."""
    passed: list[tuple[range, int]] = []
    played = True
    for event in events:
        match event:
            case MainDrawn(seat=seat) if seat == rival:
                played = False
            case CardPlayed(seat=seat) if seat == rival:
                played = True
            case Passed(seat=seat, total=total) if seat == rival and not played:
                if total > TARGET:
                    passed.append((range(-40, TARGET - total + 1), 0))
                elif total < TARGET:
                    passed.append((range(TARGET - total, TARGET - total + 1), 0))
            case HandDrawn(seat=seat, count=count) if seat == rival:
                passed = [(wanted, since + count) for wanted, since in passed]
    return passed


def likely_decks(view: PazaakView, played: Counter[str]) -> list[tuple[str, ...]]:
    """Decks that many bring and one like the own, those that hold most of what was played."""
    mine = halves(view)[0]
    own = (*mine.played, *(view.hand or ()), *(view.side_deck or ()))
    decks = [*_known_decks(view.options.catalogue), own]
    fits = [(Counter(deck) & played).total() for deck in decks]
    return [deck for deck, fit in zip(decks, fits, strict=True) if fit == max(fits)]


@lru_cache
def _known_decks(catalogue: str) -> tuple[tuple[str, ...], ...]:
    ready = [deck.cards for deck in READY_MADE if not faults(deck.cards, catalogue)]
    reference = reference_deck(catalogue)
    return (*ready, *([] if reference in ready else [reference]))


def _left(deck: tuple[str, ...], played: Counter[str], rival: HalfView) -> list[str]:
    """What such a deck still holds, filled up where the rival played other cards."""
    left = list((Counter(deck) - played).elements())
    size = rival.cards_in_hand + rival.cards_in_side_deck
    return [*left, *CATALOGUES["kotor1"]][:size] if len(left) < size else left
