"""The professor stands on a target and the rival plays on alone."""

from games.rules.pazaak.predicates import TARGET
from tests.strength.opponents.first_professor.outlook import (
    DEEPEST,
    SIZE,
    Outlook,
    Row,
    expected,
    is_last,
    layers_of,
)


class Chased:
    """Rows of values by the rival's total, made when they are first asked for.

    ``q`` is how many side cards the rival is expected to play yet, ``layer`` how many of its turns
    have gone by.
    """

    def __init__(self, outlook: Outlook, count: int) -> None:
        self._outlook = outlook
        self._count = count
        self._layers = layers_of(count)
        self._rows: dict[tuple[int, int, int], Row] = {}

    def turns(self, target: int, q: int, layer: int) -> Row:
        """What a turn of the rival that begins at each total is worth."""
        layer = min(layer, self._layers - 1)
        row = self._rows.get((target, q, layer))
        if row is None:
            row = self._rows[target, q, layer] = self._filled_in(target, q, layer)
        return row

    def _filled_in(self, target: int, q: int, layer: int) -> Row:
        outlook = self._outlook
        turns, drawn = [0.0] * SIZE, [0.0] * SIZE
        later = self.turns(target, q, layer + 1) if layer + 1 < self._layers else turns
        lesser = self.turns(target, q - 1, layer + 1) if q else turns
        for total in range(SIZE - 1, -1, -1):
            if total <= TARGET:
                turns[total] = expected(outlook.their_odds, drawn, total)
                if not outlook.closing:
                    turns[total] = min(turns[total], outlook.compared(target, total))
            drawn[total] = self._drawn(total, target, layer, later)
            if q and total <= TARGET + DEEPEST and drawn[total] > outlook.prospects.loss:
                drawn[total] = self._carded(total, target, layer, lesser, drawn[total])
        return turns

    def _drawn(self, total: int, target: int, layer: int, later: Row) -> float:
        """The rival's turn ends at ``total`` without a card."""
        outlook = self._outlook
        if total > TARGET:
            return outlook.prospects.win
        standing = outlook.compared(target, total)
        if is_last(self._count, layer):
            return outlook.prospects.loss if outlook.filled_wins else standing
        return standing if total == TARGET else min(standing, later[total])

    def _carded(self, total: int, target: int, layer: int, lesser: Row, without: float) -> float:
        """The rival's hand may hold a card that beats, ties, or at least undoes the bust."""
        outlook = self._outlook
        if is_last(self._count, layer):
            return without
        loss, gain = outlook.prospects.loss, outlook.prospects.gain
        room = TARGET - total
        beats = outlook.hands.reach(target + 1 - total, room)
        value = beats * (loss + gain)
        ties = max(beats, outlook.hands.reach(target - total, room)) if total != target else beats
        value += (ties - beats) * (min(outlook.tie, lesser[target]) + gain)
        if total <= TARGET:
            return value + (1 - ties) * without
        mends = max(ties, outlook.hands.reach(-DEEPEST, room))
        landing = max(0, min(target - 1, total - 4))
        return value + (mends - ties) * (lesser[landing] + gain) + (1 - mends) * without
