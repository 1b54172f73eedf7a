"""The rival stands on a target and the professor plays on alone."""

from games.rules.pazaak.predicates import TARGET
from tests.strength.opponents.first_professor.outlook import (
    SIZE,
    Outlook,
    Row,
    expected,
    is_last,
    layers_of,
)


class Alone:
    """Rows of values by the own total, made when they are first asked for.

    ``k`` is how many side cards may still be played, ``layer`` how many own turns have gone by.
    """

    def __init__(self, outlook: Outlook, count: int) -> None:
        self._outlook = outlook
        self._count = count
        self._layers = layers_of(count)
        self._rows: dict[tuple[int, int, int], tuple[Row, Row]] = {}

    def drawing(self, target: int, k: int, total: int) -> float:
        """What drawing at ``total`` is worth."""
        self.turns(target, k, 0)
        return expected(self._outlook.my_odds, self._rows[target, k, 0][1], total)

    def turns(self, target: int, k: int, layer: int) -> Row:
        """What a turn that begins at each total is worth."""
        layer = min(layer, self._layers - 1)
        rows = self._rows.get((target, k, layer))
        if rows is None:
            rows = self._rows[target, k, layer] = self._filled_in(target, k, layer)
        return rows[0]

    def _filled_in(self, target: int, k: int, layer: int) -> tuple[Row, Row]:
        outlook = self._outlook
        turns, drawn = [0.0] * SIZE, [0.0] * SIZE
        later = self.turns(target, k, layer + 1) if layer + 1 < self._layers else turns
        lesser = self.turns(target, k - 1, layer + 1) if k else turns
        for total in range(SIZE - 1, -1, -1):
            if total <= TARGET:
                turns[total] = expected(outlook.my_odds, drawn, total)
                if not outlook.closing:
                    turns[total] = max(turns[total], outlook.compared(total, target))
            drawn[total] = self._drawn(total, target, layer, later)
            if k:
                drawn[total] = max(drawn[total], self._carded(total, target, layer, lesser))
        return turns, drawn

    def _drawn(self, total: int, target: int, layer: int, later: Row) -> float:
        """The turn ends at ``total`` without a card."""
        outlook = self._outlook
        if total > TARGET:
            return outlook.prospects.loss
        standing = outlook.compared(total, target)
        if is_last(self._count, layer):
            return outlook.prospects.win if outlook.filled_wins else standing
        return standing if total == TARGET else max(standing, later[total])

    def _carded(self, total: int, target: int, layer: int, lesser: Row) -> float:
        """The best card after the draw; below 20 only one that does not lose is looked at."""
        outlook = self._outlook
        best = outlook.prospects.loss
        if is_last(self._count, layer):  # no free place
            return best
        for change in outlook.changes:
            landing = total + change
            if landing <= TARGET and (total > TARGET or landing >= target):
                best = max(best, self._landed(landing, target, lesser))
        if outlook.breaks_ties and abs(target - total) == 1:
            best = outlook.prospects.win
        return best - outlook.prospects.price

    def _landed(self, landing: int, target: int, lesser: Row) -> float:
        standing = self._outlook.compared(landing, target)
        return standing if landing == TARGET else max(standing, lesser[max(landing, 0)])
