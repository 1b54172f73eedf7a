"""Shithead on counted ranks, changed in place: quick games to the end for a searching bot.

The same rules as ``turn`` and ``working_copy`` (a test plays both side by side), with hands as
counts of ranks, no suits, no events and no text. Hidden cards and stock are lists taken from the
end.
"""

from typing import NamedTuple

from games.rules.shithead.bots.rank_counts import ANYTHING, JOKER, ONE, TEN, THREE, count, masks
from games.rules.shithead.options import ShitheadOptions
from games.rules.values import Seat


class Rules(NamedTuple):
    """What the kernel asks of the options; ``masks`` by the rank to beat (``rank_counts``)."""

    masks: tuple[int, ...]
    through: bool
    transparent: bool
    again: bool
    three: bool
    voluntary: bool

    @classmethod
    def of(cls, options: ShitheadOptions) -> "Rules":
        return cls(
            masks=masks(options),
            through=options.burn_through_threes,
            transparent=options.joker_top == "transparent",
            again=options.two_player_joker == "again",
            three=options.refill == "up_to_three",
            voluntary=options.pickup == "voluntary",
        )


class World:
    """One world behind a view; ranks are places (``rank_counts``).

    ``t`` is the rank to beat (R11); ``run`` cards of rank ``last`` lie on top of the pile,
    ``solid`` and ``solid_run`` are the same with threes left out, for ``burn_through_threes``.
    ``active`` seats are left, ``turn`` is the one to act, ``places`` has 0 for each of them.
    """

    __slots__ = (
        "active", "direction", "hands", "hidden", "last", "pile", "places", "rules", "run", "solid",
        "solid_run", "stock", "t", "tops", "turn",
    )  # fmt: skip

    def __init__(self, options: ShitheadOptions) -> None:
        self.rules = Rules.of(options)
        self.hands: list[int] = []
        self.tops: list[int] = []
        self.hidden: list[list[int]] = []
        self.stock: list[int] = []
        self.places: list[int] = []
        self.active = 0
        self.turn: Seat = 0
        self.direction = 1
        self.clear()

    def clear(self) -> None:
        """The pile is gone."""
        self.pile = 0
        self.t = self.last = self.solid = ANYTHING
        self.run = self.solid_run = 0

    def copy(self) -> "World":
        twin = World.__new__(World)
        twin.rules = self.rules
        twin.hands, twin.tops = self.hands[:], self.tops[:]
        twin.hidden = [cards[:] for cards in self.hidden]
        twin.stock, twin.places = self.stock[:], self.places[:]
        twin.active, twin.turn, twin.direction = self.active, self.turn, self.direction
        twin.pile, twin.t, twin.last, twin.run = self.pile, self.t, self.last, self.run
        twin.solid, twin.solid_run = self.solid, self.solid_run
        return twin

    def pick_up(self) -> None:
        self.hands[self.turn] += self.pile
        self.clear()
        self._finish(again=False)

    def turn_up(self) -> None:
        """R10: the next hidden card of the seat; which slot it lies in makes no difference."""
        rank = self.hidden[self.turn].pop()
        if self.rules.masks[self.t] & ONE[rank]:
            self.lay(rank, 1)
        else:
            self.hands[self.turn] += ONE[rank]
            self.pick_up()

    def play(self, rank: int, cards: int, extra: int) -> None:
        """``cards`` of the hand, or of the tops once it is used up; ``extra`` tops with it (R9)."""
        seat = self.turn
        if self.hands[seat]:
            self.hands[seat] -= cards << 4 * rank
            self.tops[seat] -= extra << 4 * rank
        else:
            self.tops[seat] -= cards << 4 * rank
        self.lay(rank, cards + extra)

    def lay(self, rank: int, cards: int) -> None:
        """R12–R14: cards of one rank onto the pile, with what follows."""
        run = self.stack(rank, cards)
        again = False
        if rank == JOKER and cards & 1:
            self.direction = -self.direction
            again = self.rules.again and self.active == 2
        if rank == TEN or run >= 4 or (rank == JOKER and run >= 2):
            self.clear()
            again = True
        self._finish(again=again)

    def stack(self, rank: int, cards: int) -> int:
        """Cards of one rank onto the pile and nothing else; the run that counts for R13."""
        self.pile += cards << 4 * rank
        if rank != THREE and not (self.rules.transparent and rank == JOKER):
            self.t = rank
        self.run = self.run + cards if rank == self.last else cards
        self.last = rank
        if not self.rules.through or rank == THREE:
            return self.run
        self.solid_run = self.solid_run + cards if rank == self.solid else cards
        self.solid = rank
        return self.solid_run

    def holds_most(self, seat: Seat) -> bool:
        """R19: whether the seat would be the shed, or share it, if the game stopped here."""
        return self._cards(seat) >= max(map(self._cards, range(len(self.places))))

    def _cards(self, seat: Seat) -> int:
        return count(self.hands[seat]) + count(self.tops[seat]) + len(self.hidden[seat])

    def _finish(self, *, again: bool) -> None:
        """R15 from the draw on."""
        seat = self.turn
        if self.stock:
            self._draw(seat)
        if not (self.hands[seat] or self.tops[seat] or self.hidden[seat]):
            self.active -= 1
            self.places[seat] = len(self.places) - self.active
            if self.active == 1:
                return
        elif again:
            return
        direction, places = self.direction, self.places
        seat = (seat + direction) % len(places)
        while places[seat]:
            seat = (seat + direction) % len(places)
        self.turn = seat

    def _draw(self, seat: Seat) -> None:
        wanted = 3 - count(self.hands[seat]) if self.rules.three else 1
        while wanted > 0 and self.stock:
            self.hands[seat] += ONE[self.stock.pop()]
            wanted -= 1
