"""The second professor, an opponent held out: what it samples, and what it makes of a score."""

from random import Random

import pytest

from games.rules.pazaak import GAME as PAZAAK
from games.rules.pazaak.bots.world import HONEST, NUMBER, OVER, empty_world, is_decided
from games.rules.pazaak.events import HandDrawn, MainDrawn, Passed
from games.rules.stream import Stream
from tests.rules.pazaak.scene import half, scene
from tests.rules.pazaak.test_world import hands_of, hold
from tests.strength.opponents.second_professor import prospects
from tests.strength.opponents.second_professor.belief import believed
from tests.strength.opponents.second_professor.playouts import play_out, worth_of
from tests.strength.opponents.second_professor.sampling import Sampled, sample


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


def test_a_sampled_world_is_complete_and_hides_nothing_known():  # pazaak §5
    table = scene(half("10 4", hand="P2 M3"), half("9", hand="PM1 M2"), phase="turn_play")
    hands = set()
    for seed in range(30):
        world = sampled(table, (), seed)
        assert sorted(hands_of(world)[0]) == sorted(NUMBER[code] for code in ("P2", "M3"))
        assert world.hand_size[1] == 2
        assert set(world.main[1]) <= set(range(1, 11))
        assert world.main[1].count(9) <= 3
        hands.add(tuple(sorted(hands_of(world)[1])))
    assert len(hands) > 5


def sampled(table, events, seed):
    known = believed(PAZAAK.view(table, 0), 0, events)
    room = Sampled([known.worlds[0].copy()], Stream(), [0] * 40)
    sample(Random(seed), known, room)
    return room.worlds[0]


def test_a_card_let_pass_is_hardly_in_the_rivals_hand():
    """The rival ended a turn on 14: a six would have made 20."""
    table = scene(half("10"), half("10 4", hand="M1 M2 M3 M4"), phase="turn_play")
    drawn = [HandDrawn(1, 4, ()), MainDrawn(1, 10, 10, 1), Passed(1, 10), MainDrawn(1, 4, 14, 2)]
    assert sixes(table, [*drawn, Passed(1, 14)]) < 0.5 * sixes(table, drawn)


def sixes(table, events):
    """In how many worlds the rival holds a card that adds six."""
    wanted = {NUMBER["P6"], NUMBER["PM6"]}
    hands = [hands_of(sampled(table, events, seed))[1] for seed in range(300)]
    return sum(bool(wanted & set(hand)) for hand in hands)
