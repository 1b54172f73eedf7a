"""Times with a limit are those of a reference core, so a slow machine misses no row by itself."""

import pytest

from tests.strength import reference_core
from tests.strength.reference_core import REFERENCE, SLICE, Stopwatch, play


@pytest.mark.parametrize(
    ("before", "after", "there"), [(1, 1, 6.0), (2, 2, 3.0), (0.5, 0.5, 12.0), (1, 2, 4.0)]
)
def test_seconds_are_divided_by_what_the_piece_takes_before_and_after(
    monkeypatch, before, after, there
):
    watch = stopwatch(monkeypatch, before, after)
    watch.add(6.0)
    assert (watch.here, watch.there()) == pytest.approx((6.0, there))


def test_each_slice_begins_where_the_last_one_ended(monkeypatch):
    watch = stopwatch(monkeypatch, 1, 3, 3)
    watch.add(6.0)
    watch.add(6.0)
    assert (watch.here, watch.there()) == pytest.approx((12.0, 3.0 + 2.0))


def test_what_is_less_than_a_slice_counts_at_the_end(monkeypatch):
    watch = stopwatch(monkeypatch, 2, 2)
    for _ in range(4):
        watch.add(SLICE / 5)
    assert [watch.there(), watch.there()] == pytest.approx([4 * SLICE / 5 / 2] * 2)


def stopwatch(monkeypatch, *pieces):
    takes = iter([piece * REFERENCE for piece in pieces])
    monkeypatch.setattr(reference_core, "seconds_of_the_piece", lambda: next(takes))
    return Stopwatch()


def test_the_piece_is_the_same_work_on_every_machine():
    assert [play(seed) for seed in range(3)] == [50, 52, 51]  # cards taken
