"""The computers: what they choose in plain scenes, and how they fare against each other."""

from random import Random

import pytest

from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.bots.chances import holds, rank_chances, refused_ranks
from cardroom.rules.pisti.events import Captured, CardPlayed, HandDealt
from cardroom.rules.shuffles import seeded
from tests.rules.pisti.scene import SETUPS, scene
from tests.rules.playing import Sitting


def choice(bot, state, events=()):
    view = PISTI.view(state, state.to_play)
    return PISTI.bot(bot).choose(view, events, Random(1))


@pytest.mark.parametrize(
    ("pile", "hand", "plays"),
    [
        ("9C", "2C JD 9H", "9H"),  # captures by rank
        ("9C", "2C JD 5H", "5H"),  # cannot: its last card
        ("9C", "2C 5H JD", "JD"),  # which may be a jack
        ("", "JD AC 7H 8H", "7H"),  # opens with its first plain card
        ("", "AC JD", "JD"),  # has none: its last
    ],
)
def test_greedy_plays_as_the_small_programs_do(pile, hand, plays):
    assert choice("greedy", scene(pile, (hand, "3C"))) == plays


def test_a_beginner_takes_most_of_what_it_sees_and_keeps_its_jacks_for_piles():
    def played(pile, hand):
        view = PISTI.view(scene(pile, (hand, "3C")), 0)
        return [PISTI.bot("beginner").choose(view, (), Random(seed)) for seed in range(200)]

    matching = played("9C 4D", "2C 4H KC")
    assert 160 <= matching.count("4H") < 200
    assert "JD" not in played("", "2C JD KC")
    assert 0 < played("9C 4D", "2C JD KC").count("JD") < 140


@pytest.mark.parametrize(
    ("pile", "hand", "plays"),
    [
        ("9C", "9H JD KC", "9H"),  # a pişti rather than a jack spent
        ("JC", "9H JD KC", "JD"),  # a double pişti
        ("2C TD 4C 5C 6C AC", "8H JD KC", "JD"),  # the jack takes a fat pile
        ("4C", "8H JD", "8H"),  # but waits on a thin one
        ("TD AC 6C", "6H KC QH", "6H"),
    ],
)
def test_counter_takes_what_is_worth_most(pile, hand, plays):
    assert choice("counter", scene(pile, (hand, "3C 4D"))) == plays


def test_counter_lays_the_card_nobody_can_match():
    told = [HandDealt(0, 4), HandDealt(1, 4)]
    told += [CardPlayed(0, "8C", 7), CardPlayed(1, "8D", 8), Captured(1, 2)]
    told += [CardPlayed(0, "8S", 9), CardPlayed(1, "JS", 10), Captured(1, 2)]
    state = scene("", ("5C 8H", "3C 4D"), plays_made=10, heaps=("", "8C 8D 8S JS"))
    assert choice("counter", state, told) == "8H"


def test_counter_gives_the_same_answer_to_the_same_sight():
    state = scene("4C", ("8H 5D", "3C 4D"))
    assert len({choice("counter", state) for _ in range(5)}) == 1


@pytest.mark.parametrize("bot", ["random", "beginner", "greedy", "counter"])
@pytest.mark.parametrize("preset", PISTI.presets)
def test_bots_only_play_legal_cards(bot, preset):
    sitting = Sitting.begun(PISTI, PISTI.choose_options(preset=preset), 4)
    rng = Random(2)
    for _ in range(96):
        seats = PISTI.to_act(sitting.state)
        if not seats:
            break
        view = PISTI.view(sitting.state, seats[0])
        seen = PISTI.recent_events(sitting.seen_by(seats[0]), PISTI.bot(bot).remembers)
        move = PISTI.bot(bot).choose(view, seen, rng)
        assert move in view.legal_moves
        sitting.play(seats[0], move)
    assert sitting.version >= 48


def test_the_chance_of_a_hand_is_counted_exactly():
    assert holds(0, 40, 4) == 0
    assert holds(1, 4, 4) == 1
    assert holds(1, 40, 4) == pytest.approx(0.1)
    assert holds(2, 10, 3) == pytest.approx(1 - (8 * 7 * 6) / (10 * 9 * 8))
    assert holds(3, 0, 4) == 0


def test_a_rank_let_lie_is_not_expected_in_that_hand():
    told = [HandDealt(1, 4), CardPlayed(0, "8C", 1), CardPlayed(1, "5D", 2)]
    assert refused_ranks(told, 2) == [set(), {6}]
    assert rank_chances([4] * 13, {6}, 4)[6] == 0
    assert refused_ranks([*told, HandDealt(1, 4)], 2) == [set(), set()]


def winner(bots, number):
    """The seat that wins a classic match."""
    shuffle, rng = seeded(Random(number)), Random(number)
    step = PISTI.start(PISTI.choose_options(), SETUPS, shuffle)
    told = list(step.events)
    while PISTI.to_act(step.state):
        (seat,) = PISTI.to_act(step.state)
        bot = PISTI.bot(bots[seat])
        seen = [event.seen_by(seat) for event in PISTI.recent_events(told, bot.remembers)]
        move = bot.choose(PISTI.view(step.state, seat), seen, rng)
        step = PISTI.play(step.state, seat, move, shuffle)
        told += step.events
    return PISTI.outcome(step.state).winners[0]


def won(bots, matches):
    """Matches won by the first bot: each shuffle is played from both seats."""
    shuffles = range(matches // 2)
    first = sum(winner(bots, number) == 0 for number in shuffles)
    return first + sum(winner(bots[::-1], number) == 1 for number in shuffles)


def test_greedy_beats_random():
    assert won(("greedy", "random"), 30) >= 27  # measured 99 %


def test_counter_beats_greedy():
    assert won(("counter", "greedy"), 20) >= 14  # measured 90 %
