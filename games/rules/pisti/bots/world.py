"""One deal of Pişti on plain ints, changed in place: quick play for a bot that searches.

The same rules as ``rules`` and ``score`` (a test plays both side by side). Heaps are kept as what
they count: cards, points of single cards, points of piştis. No event, no text, no suit but in
``POINTS``.
"""

from typing import Final, Self

from games.rules.cards import JACK, RANK
from games.rules.pisti.options import PistiOptions, side_count
from games.rules.pisti.predicates import PACK, PLAYS_PER_DEAL, card_points

POINTS: Final = tuple(card_points(1 << card) for card in PACK)
RANKS_OF: Final = RANK[: len(PACK)]
EMPTY: Final = -1  # the top rank of an empty pile


class World:
    """Lists have an entry a seat (``hands``, ``refused``) or a side (``cards`` to ``bonus``).

    ``top`` is the rank on the pile; ``seen`` counts by rank what every seat has seen lying open;
    ``refused`` has the bit of each rank that the seat let lie since it was last dealt cards.
    """

    __slots__ = (
        "bonus", "cards", "double", "hands", "last", "last_counts", "majority", "pile_points",
        "pile_size", "players", "plays", "points", "refused", "seen", "sides", "single", "stock",
        "top", "totals", "turn",
    )  # fmt: skip

    def __init__(self, options: PistiOptions) -> None:
        self.players = options.players
        self.sides = side_count(options)
        self.single = options.pisti_points
        self.double = options.double_pisti_points
        self.majority = options.majority_points
        self.last_counts = options.last_card_pisti
        self.hands: list[list[int]] = [[] for _ in range(self.players)]
        self.refused = [0] * self.players
        self.seen = [0] * 13
        self.stock: list[int] = []  # next card last
        self.top = EMPTY
        self.pile_size = self.pile_points = 0
        self.cards, self.points = [0] * self.sides, [0] * self.sides
        self.bonus, self.totals = [0] * self.sides, [0] * self.sides
        self.turn = self.plays = 0
        self.last = -1  # the seat that captured last

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.players, twin.sides = self.players, self.sides
        twin.single, twin.double = self.single, self.double
        twin.majority, twin.last_counts = self.majority, self.last_counts
        twin.hands = [hand[:] for hand in self.hands]
        twin.refused, twin.seen, twin.stock = self.refused[:], self.seen[:], self.stock
        twin.top, twin.pile_size, twin.pile_points = self.top, self.pile_size, self.pile_points
        twin.cards, twin.points = self.cards[:], self.points[:]
        twin.bonus, twin.totals = self.bonus[:], self.totals
        twin.turn, twin.plays, twin.last = self.turn, self.plays, self.last
        return twin

    def put(self, card: int) -> None:
        """One card of the seat to play: it captures or lies on the pile (R10 to R21)."""
        seat, rank, size = self.turn, RANKS_OF[card], self.pile_size
        self.hands[seat].remove(card)
        self.seen[rank] += 1
        self.plays += 1
        self.turn = (seat + 1) % self.players
        if size and (rank == self.top or rank == JACK):
            side = seat % self.sides
            self.cards[side] += size + 1
            self.points[side] += self.pile_points + POINTS[card]
            if size == 1 and rank == self.top and (self.plays < PLAYS_PER_DEAL or self.last_counts):
                self.bonus[side] += self.double if rank == JACK else self.single
            self.last = seat
            self.pile_size = self.pile_points = 0
            self.top = EMPTY
            return
        if size:
            self.refused[seat] |= 1 << self.top
        self.pile_size = size + 1
        self.pile_points += POINTS[card]
        self.top = rank

    def deal(self) -> None:
        """Four more cards for each seat from the seat to play on (R16)."""
        for at in range(self.players):
            seat = (self.turn + at) % self.players
            self.hands[seat] = [self.stock.pop() for _ in range(4)]
            self.refused[seat] = 0

    def finish(self) -> None:
        """The leftover pile and the majority (R22 to R24); then ``points`` are the deal's."""
        if self.last >= 0:
            self.cards[self.last % self.sides] += self.pile_size
            self.points[self.last % self.sides] += self.pile_points
        self.pile_size = self.pile_points = 0
        most = max(self.cards)
        if self.cards.count(most) == 1:
            self.points[self.cards.index(most)] += self.majority
        self.points = [self.points[side] + self.bonus[side] for side in range(self.sides)]
