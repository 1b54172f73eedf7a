"""Files of whole numbers that bots have learned."""

import pytest

from cardroom.rules import values
from cardroom.rules.values import LARGEST


def test_what_was_packed_is_read(tmp_path):
    file = tmp_path / "some.table"
    file.write_bytes(values.packed([3, -5, 0, LARGEST]))
    assert values.read(file).tolist() == [3, -5, 0, LARGEST]


def test_numbers_are_rounded_and_never_too_large(tmp_path):
    file = tmp_path / "some.table"
    file.write_bytes(values.packed([1.4, -1.6, 1e9, -1e9]))
    assert values.read(file).tolist() == [1, -2, LARGEST, -LARGEST]


@pytest.mark.parametrize("order", ["little", "big"])
def test_the_lower_byte_comes_first_in_a_file(order, monkeypatch, tmp_path):
    """Where numbers have the higher byte first in memory they are turned: here 258 is 513 there."""
    file = tmp_path / "some.table"
    file.write_bytes(values.packed([258]))
    monkeypatch.setattr(values, "byteorder", order)
    assert values.read(file)[0] == {"little": 258, "big": 513}[order]
