"""What captures and what is a pişti (rules R12 to R18)."""

import pytest

from cardroom.rules.pisti.predicates import DOUBLE, NO_BONUS, SINGLE, bonus, captures

JC, JD, SIX, OTHER_SIX, SEVEN = 9, 22, 4, 17, 5  # JC JD 6C 6D 7C


def test_what_captures():  # R12, R13
    assert captures(SIX, OTHER_SIX)
    assert captures(JC, SIX)
    assert captures(JC, JD)
    assert not captures(SIX, SEVEN)
    assert not captures(SIX, JC)


@pytest.mark.parametrize(
    ("card", "top", "size", "kind"),
    [
        (SIX, OTHER_SIX, 1, SINGLE),
        (SIX, OTHER_SIX, 2, NO_BONUS),
        (JC, JD, 1, DOUBLE),
        (JC, JD, 2, NO_BONUS),
        (JC, SIX, 1, NO_BONUS),  # R18
    ],
)
def test_what_is_a_pisti(card, top, size, kind):  # R17
    assert bonus(card, top, size) == kind
