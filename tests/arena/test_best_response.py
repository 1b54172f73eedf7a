import pytest

from cardroom.arena.players import find_bot
from cardroom.arena.request import Part, describe, run_part
from cardroom.arena.statistics import BadRequest
from cardroom.rules import catalog


@pytest.mark.parametrize(
    ("game", "target", "options"),
    [
        ("pisti", "counter", {"target_score": None, "players": 4}),
        ("pazaak", "gambler", {"rounds_to_win": 1}),
        ("shithead", "lowest", {"max_turns": 12}),
    ],
)
def test_a_best_response_plays_any_game_and_repeats_itself(game, target, options):
    bots = [f"exploit:{target}:playouts=6", target]
    asked = describe(game, values=options, bots=bots, games=2, seed=3, swap=True, custom=True)
    found = [run_part(asked, Part(0, 1), custom=True) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].matches == 1


def test_it_gains_on_a_target_that_it_knows():
    bots = ["exploit:tests.arena.toy:lowest:playouts=40", "tests.arena.toy:lowest"]
    asked = describe(
        "pazaak", values={"rounds_to_win": 1}, bots=["exploit:random:playouts=30", "random"],
        games=40, seed=1, swap=True, custom=True,
    )  # fmt: skip
    tally = run_part(asked, Part(0, 40), custom=True).bots["exploit:random:playouts=30"]
    assert tally.won > 26
    assert find_bot(catalog.find("pisti"), bots[0], custom=True).slug == bots[0]


def test_only_a_command_line_may_name_it():
    with pytest.raises(BadRequest, match="has no bot 'exploit:greedy'"):
        find_bot(catalog.find("pisti"), "exploit:greedy")
