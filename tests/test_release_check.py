"""What the release check calls a loss: more than 5 % in every round, and never what swings."""

import pytest

from tests.bench.versions import CHECKED, ROWS


@pytest.mark.parametrize(
    ("row", "ours_theirs", "lost"),
    [
        (1, [(106, 100), (107, 100), (120, 100)], True),
        (1, [(106, 100), (104, 100), (120, 100)], False),
        (1, [(90, 100), (95, 100)], False),
        (3, [(900, 1000), (940, 1000)], True),
        (3, [(900, 1000), (960, 1000)], False),
        (3, [(1200, 1000), (1100, 1000)], False),
        (11, [(103, 100), (104, 100)], True),  # half of it is the person's move
        (11, [(102, 100), (104, 100)], False),
    ],
)
def test_a_loss_is_one_in_every_round(row, ours_theirs, lost):
    assert ROWS[row].is_lost(ours_theirs) is lost


def test_a_difference_too_small_to_matter_is_none():
    assert not ROWS[1].is_lost([(0.2, 0.1)], least=0.2)
    assert ROWS[1].is_lost([(0.5, 0.1)], least=0.2)


def test_each_checked_row_can_be_alternated():
    assert set(CHECKED) <= ROWS.keys()
