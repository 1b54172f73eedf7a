"""The first opponent: a newcomer wins six matches of ten against it, and it is no random mover."""

from statistics import fmean

import pytest

from tests.strength import newcomers
from tests.strength.contest import Contest


@pytest.mark.parametrize(
    ("game", "newcomer", "preset"),
    [
        pytest.param("pisti", newcomers.PISTI, None, marks=pytest.mark.sweep),
        ("pazaak", newcomers.PAZAAK, None),
        pytest.param("shithead", newcomers.SHITHEAD, "traditional", marks=pytest.mark.sweep),
    ],
)
def test_a_newcomer_wins_about_six_of_ten_against_the_beginner(game, newcomer, preset):
    """Seeded, so it cannot fail by chance; ``make strength`` plays more matches."""
    against, chance = (
        Contest(game, bot, [newcomer], 0, preset=preset) for bot in ("beginner", "random")
    )
    won, _ = against.play(range(200))
    assert 0.32 <= fmean(won) <= 0.48
    assert fmean(chance.play(range(30))[0]) < 0.15
