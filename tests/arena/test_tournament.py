import pytest

from cardroom.arena.ranking import pairings, ranking
from cardroom.arena.request import Part, describe, run_part
from cardroom.arena.statistics import BadRequest

pytestmark = pytest.mark.usefixtures("toy")


def results(seats, *bots):
    return {
        pairing: run_part(
            describe("toy", values={"players": seats}, bots=pairing, games=60, swap=True),
            Part(0, 60),
        )
        for pairing in pairings(bots, seats)
    }


def test_with_two_sides_each_pair_meets_once():
    assert pairings(["a", "b", "c"], 2) == (("a", "b"), ("a", "c"), ("b", "c"))


def test_at_more_seats_each_bot_sits_alone_against_each_other():
    assert pairings(["a", "b"], 4) == (("a", "b"), ("b", "a"))


@pytest.mark.parametrize("bots", [["a"], [], ["a", "b", "a"]])
def test_a_round_robin_needs_different_bots(bots):
    with pytest.raises(BadRequest, match="two or more different bots"):
        pairings(bots, 2)


def test_the_table_ranks_by_the_mean_share_won():
    ranks = ranking(results(2, "low", "random", "high"))
    assert [rank.bot for rank in ranks] == ["high", "random", "low"]
    assert set(ranks[0].against) == {"low", "random"}
    assert ranks[0].score == pytest.approx(
        sum(share.value for share in ranks[0].against.values()) / 2
    )


def test_at_more_seats_a_bot_is_ranked_by_the_matches_it_sat_alone_in():
    ranks = ranking(found := results(3, "low", "high"))
    assert [rank.bot for rank in ranks] == ["high", "low"]
    assert ranks[0].against["low"].value == found["high", "low"].bots["high"].won / 60
