"""Least squares with a few explaining numbers, for those who take luck out of scores."""

from collections.abc import Sequence
from statistics import fmean
from typing import Final

NOTHING: Final = 1e-9  # of a spread: what explains no more is left aside


def slopes(rows: Sequence[Sequence[float]], scores: Sequence[float]) -> list[float]:
    """By how much a score grows with each number of its row, the others unchanged; 0 where that
    cannot be told."""
    if not rows:
        return []
    middles = [fmean(column) for column in zip(*rows, strict=True)]
    centred = [[each - middle for each, middle in zip(row, middles, strict=True)] for row in rows]
    columns = list(zip(*centred, strict=True))
    products = [[_product(one, other) for other in columns] for one in columns]
    return _solved(products, [_product(column, scores) for column in columns])


def _product(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _solved(products: list[list[float]], sums: list[float]) -> list[float]:
    """By elimination, the largest spread first; what depends on the others gets 0."""
    size, left, order = len(sums), set(range(len(sums))), list[int]()
    least = NOTHING * max((products[at][at] for at in range(size)), default=0.0)
    while left and products[at := max(left, key=lambda n: products[n][n])][at] > least:
        left.remove(at)
        order.append(at)
        for row in left:
            factor = products[row][at] / products[at][at]
            sums[row] -= factor * sums[at]
            for column in left | {at}:
                products[row][column] -= factor * products[at][column]
    solution = [0.0] * size
    for at in reversed(order):
        rest = sum(products[at][n] * solution[n] for n in order if n != at)
        solution[at] = (sums[at] - rest) / products[at][at]
    return solution
