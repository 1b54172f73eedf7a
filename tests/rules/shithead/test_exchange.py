"""At most 3k swaps a seat and game (R5, version 2); version 1 knows no such limit."""

from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.options import ShitheadOptions, cards_each, most_swaps
from cardroom.rules.values import IllegalMove
from tests.rules.playing import Sitting

VERSION_1 = SHITHEAD.by_version(1)


def begun(game=SHITHEAD, **options) -> Sitting:
    return Sitting.begun(game, ShitheadOptions(**options))


def swap(sitting: Sitting, seat: int = 0) -> None:
    """Any swap that the cards allow, whatever the rules say to it."""
    state = sitting.state
    hand, top = sitting.game.view(state, seat).hand[0], sitting.game.view(state, seat).tops[seat][0]
    sitting.play(seat, f"swap {hand} {top}")


def swapped(sitting: Sitting, seat: int = 0) -> Sitting:
    for _ in range(most_swaps(sitting.options)):
        swap(sitting, seat)
    return sitting


@pytest.mark.parametrize(
    "options",
    [*({"players": players} for players in (2, 3, 4, 7, 18)), {"players": 5, "deal": "three"}],
    ids=str,
)
def test_after_3k_swaps_only_ready_is_legal(options):
    sitting, players = begun(**options), options["players"]
    k = cards_each(sitting.options)
    for made in range(3 * k):
        view = SHITHEAD.view(sitting.state, 0)
        assert view.swaps_left == (3 * k - made, *[3 * k] * (players - 1))
        assert len(view.legal_moves) == 1 + k * k
        swap(sitting)
    assert SHITHEAD.legal_moves(sitting.state, 0) == ("ready",)
    assert len(SHITHEAD.legal_moves(sitting.state, 1)) == 1 + k * k
    with pytest.raises(IllegalMove) as refused:
        swap(sitting)
    assert refused.value.reason == "no_swaps_left"
    assert sitting.play(0, "ready").state.ready[0]


def test_the_next_game_allows_as_many_again():
    sitting, rng = swapped(begun(games=2)), Random(1)
    while sitting.state.game_no == 1:
        sitting.play_on(rng, 1)
    assert sitting.state.swaps_left == (27, 27)
    swap(sitting)


def test_without_an_exchange_there_is_none():
    assert begun(exchange=False).state.swaps_left == (0, 0)


@pytest.mark.parametrize("name", [bot.slug for bot in SHITHEAD.bots] + ["searcher:playouts=9"])
def test_a_bot_that_takes_the_seat_over_is_ready(name):
    sitting = swapped(begun())
    view, events = SHITHEAD.view(sitting.state, 0), sitting.seen_by(0)
    assert SHITHEAD.bot(name).choose(view, events, Random(1)) == "ready"


def test_an_imagined_world_has_the_same_limit():
    sitting = swapped(begun(players=3), 1)
    view = SHITHEAD.view(sitting.state, 0)
    imagined = SHITHEAD.imagine(view, Random(1), sitting.seen_by(0))
    assert imagined.swaps_left == sitting.state.swaps_left
    assert SHITHEAD.legal_moves(imagined, 1) == ("ready",)


class TestVersion1:
    def test_it_goes_on_swapping_in_every_game(self):
        sitting, rng = begun(VERSION_1, games=2), Random(1)
        for _ in range(2):
            game_no = sitting.state.game_no
            for _ in range(100):
                swap(sitting)
            assert len(VERSION_1.legal_moves(sitting.state, 0)) == 1 + 81
            while sitting.outcome is None and sitting.state.game_no == game_no:
                sitting.play_on(rng, 1)
        assert sitting.outcome is not None

    def test_a_state_is_stored_as_it_was_before_there_were_versions(self):
        """Field for field: what is stored decodes, and encodes to the same bytes."""
        state = begun(VERSION_1).state
        stored = msgspec.json.encode(state)
        assert list(msgspec.json.decode(stored)) == [
            "options", "game_no", "dealer", "direction", "phase", "turn", "ready", "stock", "pile",
            "burned", "hands", "tops", "hidden", "places", "turns", "times_shed", "points",
            "last_shed",
        ]  # fmt: skip
        assert SHITHEAD.decode_state(stored) == state
        assert msgspec.json.encode(SHITHEAD.decode_state(stored)) == stored

    def test_the_versions_differ_in_nothing_else(self):
        """The same deal and moves, as long as nobody comes to the limit."""
        old, new = begun(VERSION_1, players=5), begun(players=5)
        for step in new.plies(Random(3)):
            before = old.play(int(new.rounds[-1]["moves"][-1].split(" ")[0]), step.move)
            assert before.events == step.events
            assert replace(step.state, swaps_left=None) == before.state
        assert old.outcome == new.outcome

    def test_its_view_says_that_there_is_no_limit(self):
        assert VERSION_1.view(begun(VERSION_1).state, 0).swaps_left is None
