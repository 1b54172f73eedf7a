"""A game of Durak on flat values, as a search plays it: the rules once more, for cards as bits.

A test plays it beside the rules, move by move. A choice is a place of a card, ``TRANSFER`` plus a
place, ``TAKE`` or ``PASS``.
"""

from typing import Final

from durak_cardroom.bots.masks import BEATEN_BY, OF_RANK

TRANSFER: Final = 64
TAKE: Final = -1
PASS: Final = -2
HAND: Final = 6
MOST: Final = 6
MOST_TAKES: Final = 30
RUNNING: Final = -2
NOBODY: Final = -1


class Table:
    """``talon`` is drawn from its end; ``fits`` are the cards of ranks that lie on the table.

    ``out`` and ``passed`` are sets of seats, ``fool`` is ``RUNNING`` until the game is over.
    """

    __slots__ = (
        "attacker", "attacks", "beaten", "defender", "first_attack", "fits", "fool", "hands",
        "lie", "limit", "neighbours", "out", "passed", "players", "started", "takes", "taking",
        "talon", "transfer",
    )  # fmt: skip

    hands: list[int]
    talon: list[int]
    attacks: list[int]

    def __init__(self, players: int) -> None:
        self.players = players
        self.hands = [0] * players
        self.talon, self.attacks = [], []
        self.beaten = self.fits = self.lie = self.limit = self.out = self.passed = 0
        self.attacker = self.defender = self.takes = 0
        self.first_attack = MOST
        self.taking = self.transfer = self.neighbours = self.started = False
        self.fool = RUNNING

    def copy(self) -> "Table":
        twin = Table.__new__(Table)
        for name in _PLAIN:
            setattr(twin, name, getattr(self, name))
        twin.hands, twin.talon, twin.attacks = self.hands[:], self.talon[:], self.attacks[:]
        return twin

    def next(self, seat: int) -> int:
        """The next seat that is not out."""
        seat = (seat + 1) % self.players
        while self.out >> seat & 1:
            seat = (seat + 1) % self.players
        return seat

    def is_defending(self) -> bool:
        return len(self.attacks) > self.beaten and not self.taking

    def turn(self) -> int:
        """The seat that is to act; -1 when nobody can add to the attack any more."""
        if not self.attacks:
            return self.attacker
        if self.is_defending():
            return self.defender
        if len(self.attacks) >= self.limit:
            return -1
        seat, beside = self.attacker, self.next(self.defender)
        for _ in range(self.players):
            may = not self.neighbours or seat in (self.attacker, beside)
            if may and seat != self.defender and self.hands[seat] and not self.passed >> seat & 1:
                return seat
            seat = (seat + 1) % self.players
        return -1

    def may_transfer(self) -> bool:
        if not self.transfer or self.beaten or self.taking or not self.attacks:
            return False
        return len(self.attacks) < self.limit_of(self.next(self.defender))

    def limit_of(self, seat: int) -> int:
        return min(MOST if self.started else self.first_attack, self.hands[seat].bit_count())

    def play(self, seat: int, choice: int) -> None:
        """Makes a choice of the seat that is to act, and what follows from it."""
        if choice == PASS:
            self.passed |= 1 << seat
        elif choice == TAKE:
            self.taking, self.passed = True, 0
        elif choice >= TRANSFER:
            self._lay(seat, choice - TRANSFER)
            self.attacks.append(choice - TRANSFER)
            self.attacker, self.defender = seat, self.next(seat)
            self.limit = self.limit_of(self.defender)
        elif self.is_defending():
            self._lay(seat, choice)
            self.beaten += 1
            self.passed = 0
        else:
            self._lay(seat, choice)
            self.attacks.append(choice)
        if self.attacks and self.turn() == -1:
            self._end_attack()

    def _lay(self, seat: int, place: int) -> None:
        self.hands[seat] ^= 1 << place
        self.lie |= 1 << place
        self.fits |= OF_RANK[place]

    def _end_attack(self) -> None:
        drawn_before, defender = bool(self.talon), self.defender
        if self.taking:
            self.hands[defender] |= self.lie
        self._fill_hands()
        self.takes = self.takes + 1 if self.taking and not drawn_before else 0
        if not self.talon:
            self.out = sum([1 << seat for seat, hand in enumerate(self.hands) if not hand])
        left = self.players - self.out.bit_count()
        if left <= 1 or self.takes == MOST_TAKES:
            self.fool = next((s for s, hand in enumerate(self.hands) if hand and left == 1), NOBODY)
            return
        self.started = True
        stays = not self.taking and not self.out >> defender & 1
        self.begin(defender if stays else self.next(defender))

    def _fill_hands(self) -> None:
        order = [(self.attacker + n) % self.players for n in range(self.players)]
        order.remove(self.defender)
        for seat in (*order, self.defender):
            for _ in range(min(len(self.talon), HAND - self.hands[seat].bit_count())):
                self.hands[seat] |= 1 << self.talon.pop()

    def begin(self, attacker: int) -> None:
        self.attacker, self.defender = attacker, self.next(attacker)
        self.limit = self.limit_of(self.defender)
        self.attacks = []
        self.beaten = self.fits = self.lie = self.passed = 0
        self.taking = False

    def beating(self) -> int:
        """The cards of the defender that beat the first card that is to be beaten."""
        return self.hands[self.defender] & BEATEN_BY[self.attacks[self.beaten]]


_PLAIN: Final = [name for name in Table.__slots__ if name not in ("hands", "talon", "attacks")]
