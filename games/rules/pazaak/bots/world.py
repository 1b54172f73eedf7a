"""Pazaak on plain ints, changed in place: quick matches to the end for a bot that searches.

The same rules as ``turn``, ``deal`` and ``score`` (a test plays both side by side), without events
and text. Decks and side decks are lists taken from the end. The main decks of later rounds are
drawn when they are first needed and shared by all copies of a world.

``games.fast.pazaak.search`` plays the same compiled.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, Self

from games.rules.pazaak.moves import CARD_PLAYS, WAYS
from games.rules.pazaak.options import PazaakOptions
from games.rules.pazaak.predicates import MAIN_PACK, PLACES, TARGET
from games.rules.pazaak.side_cards import CODES

START, PLAY, CLOSE, OVER = range(4)
HAND: Final = 4
MOST_DRAWS: Final = PLACES  # of one seat in a round
LONGEST: Final = 60  # the last round of a playout; ties can follow ties
HONEST: Final = -1  # the allowance of a seat that holds a hand

VALUE, FLIP, DOUBLE = range(3)
_KINDS = {"flip": FLIP, "double": DOUBLE}
TIEBREAKER: Final = CODES.index("T")
NUMBER: Final = {code: at for at, code in enumerate(CODES)}
KIND: Final = tuple(_KINDS.get(CARD_PLAYS[WAYS[code][0]].kind, VALUE) for code in CODES)
AMOUNTS: Final = tuple(tuple(CARD_PLAYS[move].amount for move in WAYS[code]) for code in CODES)
FLIPS: Final = tuple(CARD_PLAYS[WAYS[code][0]].flips or (0, 0) for code in CODES)
PLAYED: Final = {move: (NUMBER[play.code], play.amount) for move, play in CARD_PLAYS.items()}


class Rounds:
    """The main decks of the rounds after ``round_no``, drawn when they are first asked for."""

    def __init__(self, round_no: int, rng: Random) -> None:
        self._round_no, self._rng = round_no, rng
        self._decks: list[list[int]] = []

    def deck(self, round_no: int, seat: int) -> list[int]:
        number = 2 * (round_no - self._round_no - 1) + seat
        while len(self._decks) <= number:
            deck = list(MAIN_PACK)
            self._rng.shuffle(deck)
            self._decks.append(deck[MOST_DRAWS - 1 :: -1])
        return self._decks[number][:]


class World:
    """One match in play; lists have an entry a seat. ``me`` is the seat that searches.

    It is over when the match is, or after round ``last``; then ``starter`` is who starts the next.
    """

    __slots__ = (
        "allowance",
        "at_end",
        "auto_20",
        "board",
        "fill_wins",
        "hand",
        "last",
        "main",
        "max_rounds",
        "me",
        "newest_tie",
        "next_starter",
        "once",
        "opener",
        "phase",
        "round_no",
        "rounds",
        "side",
        "slots",
        "standing",
        "starter",
        "tie_anywhere",
        "ties",
        "to_win",
        "total",
        "turn",
        "wins",
    )  # fmt: skip

    def __init__(self, options: PazaakOptions, me: int) -> None:
        self.at_end = options.stand_timing == "turn_end"
        self.auto_20 = options.auto_stand_20
        self.fill_wins = options.table_fill == "win"
        self.slots = options.specials_take_slot
        self.tie_anywhere = options.tiebreaker_scope == "played_this_round"
        self.once = options.hand_rule == "once"
        self.next_starter = options.next_starter
        self.to_win = options.rounds_to_win
        self.max_rounds = options.max_rounds or 0
        self.last = LONGEST
        self.me = me
        self.rounds: Rounds | None = None
        self.total = [0, 0]
        self.board: list[list[int]] = [[], []]  # what each card counts now, the newest last
        self.newest_tie = [False, False]  # the newest card is a tiebreaker
        self.ties = [False, False]  # there is a tiebreaker on the board
        self.standing = [False, False]
        self.hand: list[list[int]] = [[], []]
        self.side: list[list[int]] = [[], []]  # what is left of the side deck, next card last
        self.main: list[list[int]] = [[], []]  # next card last
        self.allowance = [HONEST, HONEST]
        self.wins = [0, 0]
        self.round_no = 1
        self.opener = self.starter = self.turn = 0
        self.phase = START

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.at_end, twin.auto_20, twin.fill_wins = self.at_end, self.auto_20, self.fill_wins
        twin.slots, twin.tie_anywhere, twin.once = self.slots, self.tie_anywhere, self.once
        twin.next_starter, twin.to_win = self.next_starter, self.to_win
        twin.max_rounds, twin.last = self.max_rounds, self.last
        twin.me, twin.rounds = self.me, self.rounds
        twin.total, twin.wins = self.total[:], self.wins[:]
        first, second = self.board
        twin.board = [first[:], second[:]]
        twin.newest_tie, twin.ties = self.newest_tie[:], self.ties[:]
        twin.standing, twin.allowance = self.standing[:], self.allowance[:]
        first, second = self.hand
        twin.hand = [first[:], second[:]]
        first, second = self.side
        twin.side = [first[:], second[:]]
        first, second = self.main
        twin.main = [first[:], second[:]]
        twin.round_no, twin.phase = self.round_no, self.phase
        twin.opener, twin.starter, twin.turn = self.opener, self.starter, self.turn
        return twin

    # A turn (R7 to R17)

    def draw(self) -> None:
        """R9, R10."""
        seat = self.turn
        value = self.main[seat].pop()
        board = self.board[seat]
        board.append(value)
        self.newest_tie[seat] = False
        total = self.total[seat] = self.total[seat] + value
        self.phase = PLAY
        if len(board) == PLACES and total <= TARGET:
            self._filled()

    def lay(self, card: int, amount: int) -> None:
        """A side card onto the own board (R14 to R17); ``amount`` is what a value card counts."""
        seat, kind = self.turn, KIND[card]
        board = self.board[seat]
        if kind == VALUE:
            board.append(amount)
            self.total[seat] += amount
            self.newest_tie[seat] = tie = card == TIEBREAKER
            self.ties[seat] = self.ties[seat] or tie
        else:
            self._spend(seat, card, kind, board)
        if self.allowance[seat] >= 0:
            self.allowance[seat] -= 1
            self.side[seat].remove(card)
        else:
            self.hand[seat].remove(card)
        if self.at_end:
            self.phase = CLOSE
        else:
            self.close()

    def _spend(self, seat: int, card: int, kind: int, board: list[int]) -> None:
        if kind == FLIP:
            low, high = FLIPS[card]
            for at, value in enumerate(board):
                if value in (low, high, -low, -high):
                    board[at] = -value
            if self.slots:
                board.append(0)
                self.newest_tie[seat] = False
        elif self.slots:
            board.append(board[-1])
            self.newest_tie[seat] = False
        else:
            board[-1] *= 2
        self.total[seat] = sum(board)

    def close(self) -> None:
        """The turn ends: the checks of R12, in their order."""
        seat = self.turn
        total = self.total[seat]
        if total > TARGET:
            self._over(1 - seat)
        elif len(self.board[seat]) == PLACES:
            self._filled()
        else:
            if total == TARGET and self.auto_20:
                self.standing[seat] = True
            self._go_on()

    def stand(self) -> None:
        """R8, or with ``turn_end`` the end of a turn on the total reached."""
        seat = self.turn
        self.standing[seat] = True
        if self.at_end:
            self.close()
        else:
            self._go_on()

    def _filled(self) -> None:
        """R20."""
        if self.fill_wins:
            self._over(self.turn)
        else:
            self.standing[self.turn] = True
            self._go_on()

    def _go_on(self) -> None:
        seat = self.turn
        if self.standing[1 - seat]:
            if self.standing[seat]:
                self._over(self.leader())
                return
        else:
            self.turn = 1 - seat
        self.phase = START
        if self.at_end:
            self.draw()

    def leader(self) -> int:
        """Who wins the round if both stand; -1 for a tie (R21, R22)."""
        first, second = self.total
        if first != second:
            return int(second > first)
        first_tie, second_tie = self.ties if self.tie_anywhere else self.newest_tie
        return -1 if first_tie == second_tie else int(second_tie)

    # Rounds (R4 to R6, R18 to R24)

    def _over(self, winner: int) -> None:
        if winner >= 0:
            self.wins[winner] += 1
        self.starter = self._next_starter(winner)
        if self.is_decided() or self.round_no in (self.max_rounds, self.last):
            self.phase = OVER
        else:
            self._open_round()

    def is_decided(self) -> bool:
        return max(self.wins) == self.to_win

    def _open_round(self) -> None:
        self.round_no += 1
        self.total, self.board = [0, 0], [[], []]
        self.standing, self.newest_tie, self.ties = [False] * 2, [False] * 2, [False] * 2
        rounds = self.rounds
        assert rounds is not None  # noqa: S101
        self.main = [rounds.deck(self.round_no, 0), rounds.deck(self.round_no, 1)]
        if not self.once:
            self._draw_hand(0)
            self._draw_hand(1)
        self.turn, self.phase = self.starter, START
        if self.at_end:
            self.draw()

    def _draw_hand(self, seat: int) -> None:
        """R5, R25."""
        side = self.side[seat]
        if self.allowance[seat] >= 0:
            self.allowance[seat] = min(self.allowance[seat] + HAND, len(side))
            return
        if side:
            self.hand[seat] += side[-HAND:]
            del side[-HAND:]

    def _next_starter(self, winner: int) -> int:
        rule = self.next_starter
        if rule == "fixed":
            return self.opener
        if rule == "alternate" or winner < 0:
            return 1 - self.starter
        return winner if rule == "winner" else 1 - winner

    # What a search asks for

    def play(self, move: str) -> None:
        card = PLAYED.get(move)
        if card is not None:
            self.lay(*card)
        elif move == "draw":
            self.draw()
        elif move == "stand":
            self.stand()
        else:
            self.close()

    def worth(self) -> float:
        """1 for a match won, 0 for one lost, the middle for a draw."""
        mine, theirs = self.wins[self.me], self.wins[1 - self.me]
        return 0.5 + 0.5 * ((mine > theirs) - (mine < theirs))

    def cards(self, seat: int) -> Sequence[int]:
        """The side cards that the seat may choose from."""
        if self.allowance[seat] < 0:
            return self.hand[seat]
        return self.side[seat] if self.allowance[seat] else ()
