"""What the score and the cards left are worth between two rounds, to a bot that searches."""

from random import Random

import pytest

from games.rules.pazaak import GAME as PAZAAK
from games.rules.pazaak.bots import prospects
from games.rules.pazaak.bots.belief import believed
from games.rules.pazaak.bots.playouts import play_out, worth_of
from games.rules.pazaak.bots.sampling import Sampled, sample
from games.rules.pazaak.bots.world import HONEST, OVER, empty_world, is_decided
from games.rules.stream import Stream
from tests.rules.pazaak.scene import half, scene
from tests.rules.pazaak.test_world import hold


def world(preset="classic", wins=(0, 0), hands=("", ""), sides=("", ""), allowance=HONEST):
    made = empty_world(PAZAAK.choose_options(preset=preset), 0)
    made.wins[:] = wins
    for seat in (0, 1):
        hold(made, seat, hands[seat].split(), sides[seat].split())
    made.allowance[1] = allowance
    return made


@pytest.mark.parametrize("preset", ["classic", "kotor1", "kotor2"])
def test_the_chances_of_both_seats_make_one(preset):
    """pazaak R23: the match has one winner."""
    made = world(preset, wins=(1, 0), hands=("PM3 P1", "M4"), sides=("P2", "T"))
    both = prospects.chance_to_win(made, 0) + prospects.chance_to_win(made, 1)
    assert both == pytest.approx(1)
    assert prospects.chance_to_win(made, 0) > 0.5


@pytest.mark.parametrize("preset", ["classic", "kotor1"])
def test_a_round_won_and_cards_kept_are_worth_something(preset):
    even = prospects.chance_to_win(world(preset), 0)
    assert prospects.chance_to_win(world(preset, wins=(1, 0)), 0) > even
    assert prospects.chance_to_win(world(preset, hands=("PM1", "")), 0) > even
    assert prospects.chance_to_win(world(preset, hands=("P1", "PM1")), 0) < even


def test_side_cards_to_come_count_where_hands_are_drawn_each_round():
    """pazaak R5: with one hand for the whole match the side deck is never drawn again."""
    assert prospects.chance_to_win(world("classic", sides=("PM1 PM2", "")), 0) > 0.55
    assert prospects.chance_to_win(world("kotor1", sides=("PM1 PM2", "")), 0) < 0.5 + 0.05


def test_a_cheater_may_play_as_many_as_it_is_allowed():
    """pazaak R25"""
    deck = ("", "PM1 PM2 PM3 PM4")
    chances = [
        prospects.chance_to_win(world("kotor1", sides=deck, allowance=count), 0)
        for count in (0, 2, 4)
    ]
    assert chances == sorted(chances, reverse=True)
    assert len(set(chances)) == 3


@pytest.mark.parametrize(("rounds", "to_the_end"), [(2, False), (5, True)])
def test_a_playout_ends_with_its_round_where_the_model_reaches(rounds, to_the_end):
    table = scene(half("10 8", hand="P1"), half("10"), rounds_to_win=rounds)
    known = believed(PAZAAK.view(table, 0), 0, ())
    room = Sampled([known.worlds[0].copy()], Stream(), [0] * 40)
    sample(Random(1), known, room)
    world = room.worlds[0]
    play_out(world, room.later, room.deck)
    assert world.phase == OVER
    assert is_decided(world) == (world.round_no > 1) == to_the_end
    assert 0 <= worth_of(world) <= 1
