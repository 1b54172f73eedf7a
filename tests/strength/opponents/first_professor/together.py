"""Both still play on: the professor's turn, the rival's, and so forth until one stands.

Tables by both totals, filled from 20 downwards. ``k`` and ``q`` are how many side cards the
professor and the rival may still play, ``layer`` how many pairs of turns have gone by.
"""

from games.rules.pazaak.predicates import TARGET
from tests.strength.opponents.first_professor.alone import Alone
from tests.strength.opponents.first_professor.chased import Chased
from tests.strength.opponents.first_professor.outlook import (
    DEEPEST,
    SIZE,
    Outlook,
    Row,
    expected,
    is_last,
    layers_of,
)


class Turns:
    """Values of one (``k``, ``q``, ``layer``); each table is indexed by the rival's total first."""

    def __init__(self) -> None:
        self.mine: list[Row] = [[] for _ in range(SIZE)]  # the professor's turn begins
        self.drawn: list[Row] = [[] for _ in range(SIZE)]  # the professor has drawn
        self.theirs: list[Row] = [[] for _ in range(SIZE)]  # the professor's turn has ended


class Together:
    """The tables of one decision; ``lowest`` are the lowest totals it can ask for."""

    def __init__(self, outlook: Outlook, counts: tuple[int, int], lowest: tuple[int, int]) -> None:
        self._outlook = outlook
        self._counts = counts
        self._lowest = lowest
        self._layers = layers_of(max(counts))
        self.alone = Alone(outlook, counts[0])
        self.chased = Chased(outlook, counts[1])
        self._turns: dict[tuple[int, int, int], Turns] = {}

    def drawing(self, k: int, q: int, own: int, theirs: int) -> float:
        """What the professor's drawing at ``own`` is worth."""
        return expected(self._outlook.my_odds, self.turns(k, q).drawn[theirs], own)

    def turns(self, k: int, q: int, layer: int = 0) -> Turns:
        layer = min(layer, self._layers - 1)
        turns = self._turns.get((k, q, layer))
        if turns is None:
            turns = self._turns[k, q, layer] = Turns()
            self._fill_in(turns, k, q, layer)
        return turns

    def _fill_in(self, turns: Turns, k: int, q: int, layer: int) -> None:
        """Rows from the rival's 20 downwards; its draws lead to rows filled before."""
        later = self.turns(k, q, layer + 1) if layer + 1 < self._layers else turns
        fewer = self.turns(k, q - 1, layer + 1) if q else None
        lesser = self.turns(k - 1, q, layer) if k else None
        low, floor = self._lowest
        after_draw: list[Row] = [[0.0] * SIZE for _ in range(TARGET + 1)]  # by the own total
        for own in range(low, TARGET + 1):
            for theirs in range(TARGET + 1, SIZE):
                after_draw[own][theirs] = self._mended(own, theirs, k, q, layer, fewer)
        for theirs in range(TARGET, floor - 1, -1):
            turns.theirs[theirs] = self._their_row(theirs, k, layer, after_draw)
            turns.drawn[theirs] = self._drawn_row(theirs, q, layer, turns, lesser)
            turns.mine[theirs] = self._my_row(theirs, q, layer, turns.drawn[theirs])
            for own in range(low, TARGET + 1):
                after_draw[own][theirs] = self._answered(own, theirs, k, q, layer, later)

    def _their_row(self, theirs: int, k: int, layer: int, after_draw: list[Row]) -> Row:
        """The rival's turn begins: it stands, or draws, whichever is worse for the professor."""
        outlook, low = self._outlook, self._lowest[0]
        row = [0.0] * SIZE
        for own in range(low, TARGET + 1):
            row[own] = expected(outlook.their_odds, after_draw[own], theirs)
        if not outlook.closing:
            standing = self.alone.turns(theirs, k, layer + 1)
            row[: TARGET + 1] = map(min, row[: TARGET + 1], standing)
        return row

    def _answered(self, own: int, theirs: int, k: int, q: int, layer: int, later: Turns) -> float:
        """The rival has drawn to 20 or less: it takes 20 with a card, stands, or plays on."""
        outlook = self._outlook
        if is_last(self._counts[1], layer):
            filled = outlook.prospects.loss
            return filled if outlook.filled_wins else self.alone.turns(theirs, k, layer + 1)[own]
        best = self.alone.turns(TARGET, k, layer + 1)[own]
        if theirs == TARGET:
            return best
        value = later.mine[theirs][own]
        if outlook.closing:
            value = min(value, self.alone.turns(theirs, k, layer + 1)[own])
        reach = outlook.hands.reach(TARGET - theirs, TARGET - theirs) if q else 0.0
        return reach * (best + outlook.prospects.gain) + (1 - reach) * value

    def _mended(
        self, own: int, theirs: int, k: int, q: int, layer: int, fewer: Turns | None
    ) -> float:
        """The rival has drawn more than 20: the card that leaves it highest, or it is bust."""
        outlook = self._outlook
        if fewer is None or is_last(self._counts[1], layer):
            return outlook.prospects.win
        value, covered = 0.0, 0.0
        for landing in range(TARGET, theirs - DEEPEST - 1, -1):
            reach = outlook.hands.reach(landing - theirs, TARGET - theirs)
            if reach > covered:
                after = self._mended_to(own, landing, k, layer, fewer)
                value += (reach - covered) * (after + outlook.prospects.gain)
                covered = reach
        return value + (1 - covered) * outlook.prospects.win

    def _mended_to(self, own: int, landing: int, k: int, layer: int, fewer: Turns) -> float:
        if landing == TARGET:
            return self.alone.turns(TARGET, k, layer + 1)[own]
        value = fewer.mine[landing][own]
        if self._outlook.closing:
            return min(value, self.alone.turns(landing, k, layer + 1)[own])
        return value

    def _drawn_row(
        self, theirs: int, q: int, layer: int, turns: Turns, lesser: Turns | None
    ) -> Row:
        """The professor has drawn: it plays the best card or none."""
        outlook, low = self._outlook, self._lowest[0]
        row = [outlook.prospects.loss] * SIZE
        last = is_last(self._counts[0], layer)
        for own in range(low + 1, TARGET + 1):
            row[own] = self.settled(own, theirs, q, layer, turns)
        if lesser is None or last:
            return row
        price = outlook.prospects.price
        after = [self.settled(own, theirs, q, layer, lesser) for own in range(low, TARGET + 1)]
        for total in range(low + 1, SIZE):
            for change in outlook.changes:
                landing = total + change
                if landing == TARGET or (landing < TARGET < total):
                    row[total] = max(row[total], after[max(0, landing - low)] - price)
        return row

    def settled(self, own: int, theirs: int, q: int, layer: int, turns: Turns) -> float:
        """The professor's turn has ended at ``own``, 20 or less."""
        outlook = self._outlook
        if is_last(self._counts[0], layer) and outlook.filled_wins:
            return outlook.prospects.win
        if own == TARGET or is_last(self._counts[0], layer):
            return self.chased.turns(own, q, layer)[theirs]
        value = turns.theirs[theirs][own]
        return max(value, self.chased.turns(own, q, layer)[theirs]) if outlook.closing else value

    def _my_row(self, theirs: int, q: int, layer: int, drawn: Row) -> Row:
        """The professor's turn begins: it stands or draws."""
        outlook, low = self._outlook, self._lowest[0]
        row = [0.0] * SIZE
        for own in range(low, TARGET + 1):
            row[own] = expected(outlook.my_odds, drawn, own)
            if not outlook.closing:
                row[own] = max(row[own], self.chased.turns(own, q, layer)[theirs])
        return row
