"""How a game ends: places, the shed, the ranking (shithead R18, R19)."""

import pytest
from msgspec.structs import replace

from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.events import GameOver, MatchOver, SeatOut
from cardroom.rules.shithead.rules import standings
from tests.rules.shithead.scene import in_new_order, one, play, position, setups


def test_the_shed_shows_what_it_is_left_with():  # shithead §4
    state = position(["5C", "6C"], ["", "KC"], hidden=["", "- QD"], pile="4C")
    (left,) = one(play(state, "5C"), GameOver).remaining
    assert (left.hand, left.top, left.hidden) == (("6C",), ("KC",), ("QD",))


LOWEST_STARTS = {"first_starter": "lowest_card", "exchange": False}


def begin(**options):
    chosen = SHITHEAD.choose_options(options)
    return SHITHEAD.start(chosen, setups(chosen.players), in_new_order)


def at_the_limit(**options):
    return position(
        ["5C 6C", "7C 8C 9C", "7D 8D 9D", "", "JC"], pile="4C", places=[0, 0, 0, 1, 0],
        turns=9, max_turns=10, **options,
    )  # fmt: skip


def test_at_the_limit_the_seats_with_most_cards_share_the_shed():  # shithead R19
    step = play(at_the_limit(), "5C")
    over = one(step, GameOver)
    assert over.shed == (1, 2)
    assert over.places == (2, 5, 5, 1, 2)
    assert {left.seat for left in over.remaining} == {1, 2}
    assert SHITHEAD.outcome(step.state).winners == (3,)
    assert SHITHEAD.outcome(step.state).reason == "games"


@pytest.mark.parametrize(("next_starter", "first"), [("shed", 1), ("left_of_shed", 2)])
def test_after_the_limit_the_lowest_shed_counts(next_starter, first):  # shithead R19
    state = play(at_the_limit(games=2, next_starter=next_starter), "5C", shuffle=in_new_order).state
    assert (state.dealer + 1) % 5 == first
    assert state.times_shed == (0, 1, 1, 0, 0)
    assert state.turns == 0


def test_the_limit_does_not_undo_a_proper_end():  # shithead R18, R19
    state = position(["5C", "6C 7C"], pile="4C", turns=9, max_turns=10)
    step = play(state, "5C")
    assert one(step, SeatOut) == SeatOut(0, 1)
    assert one(step, GameOver).places == (1, 2)


def test_the_ranking_goes_by_times_shed_then_by_places():
    state = position(["", "", "", ""], jokers=2)
    state = replace(state, times_shed=(1, 0, 0, 0), points=(4, 6, 5, 5), phase="over")
    assert [(s.seat, s.place) for s in standings(state)] == [(2, 1), (3, 1), (1, 3), (0, 4)]
    outcome = SHITHEAD.outcome(state)
    assert (outcome.winners, outcome.places) == ((2, 3), (4, 3, 1, 1))
    assert outcome.points == (4, 6, 5, 5)


def test_the_last_game_ends_the_match():
    state = position(["5C", "6C 7C"], pile="4C", games=2, game_no=2)
    state = replace(state, times_shed=(1, 0), points=(2, 1))
    step = play(state, "5C")
    assert step.scores == (1, 2)
    assert [s.seat for s in one(step, MatchOver).standings] == [0, 1]
    assert SHITHEAD.outcome(step.state).winners == (0, 1)
    assert SHITHEAD.to_act(step.state) == ()
    assert SHITHEAD.legal_moves(step.state, 1) == ()
