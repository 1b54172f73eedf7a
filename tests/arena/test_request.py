import msgspec
import pytest

from cardroom.arena.figures import merge
from cardroom.arena.ranking import pairings, ranking
from cardroom.arena.request import Part, SimulationRequest, describe, parts_of, run_part, run_timed
from cardroom.arena.statistics import BadRequest

pytestmark = pytest.mark.usefixtures("toy")


def test_a_request_is_written_out_in_full():
    assert describe("toy", values={"players": 3}, bots=["high", "low"], games=50, seed=7) == (
        SimulationRequest(
            game="toy",
            options={
                "players": 3, "target": 3, "max_rounds": 9, "colour": "red", "teams": False,
            },
            bots=("high", "low", "low"),
            games=50,
            seed=7,
        )
    )  # fmt: skip


def test_without_names_the_stand_in_plays_every_seat():
    assert describe("toy").bots == ("low", "low")


def test_a_request_survives_the_way_through_json():
    request = describe("toy", preset="three", bots=["random"], games=3, seed=2**53 - 1)
    assert msgspec.json.decode(msgspec.json.encode(request), type=SimulationRequest) == request


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ({"games": 0}, "games must be 1 to 10,000,000, not 0"),
        ({"games": 10_000_001}, "games must be"),
        ({"seed": -1}, "seed must be 0 to"),
        ({"seed": 2**53}, "seed must be 0 to"),
        ({"bots": ["low", "low", "low"]}, "3 bots are named for 2 seats"),
        ({"bots": ["deep"]}, "no bot 'deep'"),
        ({"bots": ["tests.arena.toy:highest"]}, "no bot 'tests.arena.toy:highest'"),
        ({"values": {"players": 7}}, "players is 2 to 6"),
        ({"preset": "nine"}, "no preset 'nine'"),
    ],
)
def test_a_wrong_request_is_refused_with_a_sentence(wrong, fault):
    with pytest.raises(BadRequest, match=fault):
        describe("toy", **wrong)


def test_parts_cover_every_match_once():
    request = describe("toy", games=1003)
    for size in (None, 1, 250, 5000):
        numbers = [
            number
            for part in parts_of(request, size)
            for number in range(part.first, part.first + part.games)
        ]
        assert numbers == list(range(1003))


def test_parts_are_small_enough_to_show_progress_and_to_be_spread():
    assert len(parts_of(describe("toy", games=100))) == 100
    assert len(parts_of(describe("toy", games=3))) == 3
    assert max(part.games for part in parts_of(describe("toy", games=1_000_000))) == 250


def test_figures_do_not_depend_on_how_the_matches_were_split():
    request = describe("toy", values={"players": 3}, bots=["random", "low"], games=90, seed=4)
    whole = run_part(request, Part(0, 90))
    for size in (1, 7, 89):
        parts = [run_part(request, part) for part in reversed(parts_of(request, size))]
        assert msgspec.json.encode(merge(parts)) == msgspec.json.encode(whole)


def test_a_timed_part_has_the_same_figures():
    request = describe("toy", bots=["high", "random"], games=20, swap=True)
    figures, clocks = run_timed(request, Part(0, 20))
    assert figures == run_part(request, Part(0, 20))
    assert sum(clock.moves for clock in clocks.values()) == figures.events["card_laid"]


def test_own_bots_run_where_the_caller_allows_them():
    path = "tests.arena.toy:highest"
    request = describe("toy", bots=[path, "low"], games=10, custom=True)
    assert run_part(request, Part(0, 10), custom=True).bots[path].won == 10
    with pytest.raises(BadRequest, match="no bot"):
        run_part(request, Part(0, 10))


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
