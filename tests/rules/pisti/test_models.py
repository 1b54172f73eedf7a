"""How a search takes the other seats, and what it plans for its own later cards."""

from random import Random
from statistics import fmean

import pytest

from cardroom.rules.cards import CARD, TEXT
from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.bots.belief import (
    COUNTER,
    DOUBT,
    EXACT_DOUBT,
    GREEDY,
    NEAR_COUNTER,
    believed,
    greedys_place,
    weigh_models,
)
from cardroom.rules.pisti.bots.searcher import (
    UNUSED,
    after_card,
    empty_plan,
    learn,
    most_promising,
    planned_place,
    row_of,
    slot_of,
)
from cardroom.rules.pisti.bots.world import MODELS, give, hand_of, recent_deals, story_of
from cardroom.rules.pisti.events import DealStarted
from tests.rules.pisti.scene import scene
from tests.rules.pisti.test_world import known_to, world_of, worlds_of
from tests.rules.playing import Sitting

SITTINGS = [(number, plies) for number in range(12) for plies in (1, 6, 19)]


@pytest.fixture(params=SITTINGS, ids=str)
def sitting(request):
    number, plies = request.param
    return Sitting.begun(PISTI, PISTI.choose_options(), number).play_on(Random(number), plies)


def known(sitting):
    """The world as it is, all hands open."""
    (world,) = known_to(sitting).worlds
    for seat, hand in enumerate(sitting.state.hands):
        give(world, seat, list(hand))
    return world


def test_the_model_of_greedy_plays_as_greedy(sitting):
    state = sitting.state
    view = PISTI.view(state, state.to_play)
    move = PISTI.bot("greedy").choose(view, (), Random(1))
    world = known(sitting)
    assert TEXT[hand_of(world, state.to_play)[greedys_place(world)]] == move


@pytest.mark.parametrize("model", [COUNTER, NEAR_COUNTER, GREEDY])
def test_some_card_of_the_hand_is_played(model, sitting):
    """The chances of its cards add up to 1, however they are held."""
    world = known(sitting)
    odds = odds_of(model, world)
    assert sum(odds) == pytest.approx(1)
    assert min(odds) > 0
    give(world, world.turn, hand_of(world, world.turn)[::-1])
    assert odds_of(model, world) == pytest.approx(odds[::-1])


def odds_of(model, world):
    weigh_models(world)
    return world.odds[model][: world.sizes[world.turn]]


def counting(bot):
    """How far seat 1 is taken for the counter and not for greedy after three cards of ``bot``, in
    twelve deals."""
    found = []
    for number in range(12):
        sitting, rng = Sitting.begun(PISTI, PISTI.choose_options(), number), Random(number)
        for _ in range(6):
            seat = sitting.state.to_play
            view = PISTI.view(sitting.state, seat)
            seen = PISTI.recent_events(sitting.seen_by(seat), "round")
            plays = PISTI.bot(bot if seat == 1 else "random").choose
            sitting.play(seat, plays(view, seen, rng))
        for world in worlds_of(known_to(sitting), 150, rng):
            counter, greedy = world.beliefs[1][COUNTER], world.beliefs[1][GREEDY]
            found.append(counter / (counter + greedy))
    return fmean(found)


def test_who_plays_as_a_model_does_is_taken_for_it():
    assert counting("counter") > counting("greedy") + 0.2


def known_after_a_deal(bot):
    """View and events of seat 0 once seat 1 has played a deal by this bot and seat 0 by chance."""
    sitting, rng = Sitting.begun(PISTI, PISTI.choose_options(), 2), Random(2)
    while sitting.state.deal_no < 2 or sitting.state.to_play != 0:
        seat = sitting.state.to_play
        seen = PISTI.recent_events(sitting.seen_by(seat), "match")
        view = PISTI.view(sitting.state, seat)
        plays = PISTI.bot(bot if seat == 1 else "random").choose
        sitting.play(seat, plays(view, seen, rng))
    return PISTI.view(sitting.state, 0), recent_deals(sitting.seen_by(0))


@pytest.mark.parametrize(
    ("bot", "model"),
    [("counter", COUNTER), ("searcher:playouts=200", NEAR_COUNTER), ("greedy", GREEDY)],
)
def test_after_a_deal_a_seat_is_taken_for_the_model_that_it_plays_most_like(bot, model):
    view, events = known_after_a_deal(bot)
    rival = believed(view, 0, events, exact=True).trust[MODELS:]
    assert sum(rival) == pytest.approx(1)
    assert rival[model] == max(rival)


def test_who_foresees_the_counter_to_the_last_rule_is_surer_of_it():
    view, events = known_after_a_deal("counter")
    in_short, exactly = (believed(view, 0, events, exact=exact).trust for exact in (False, True))
    assert exactly[MODELS + COUNTER] > in_short[MODELS + COUNTER]
    assert in_short[MODELS + GREEDY] == pytest.approx(DOUBT, rel=0.1)
    assert exactly[MODELS + GREEDY] == pytest.approx(EXACT_DOUBT, rel=0.1)


def test_a_seat_is_judged_by_this_deal_and_the_one_before():
    """With two seats a seat chooses 18 times a deal: thrice for each hand of four cards."""
    sitting = Sitting.begun(PISTI, PISTI.choose_options(), 2).play_on(Random(2), 3 * 48)
    seat = sitting.state.to_play
    assert sitting.state.deal_no == 4
    events = recent_deals(sitting.seen_by(seat))
    assert [event.deal_no for event in events if isinstance(event, DealStarted)] == [3, 4]
    story = story_of(PISTI.view(sitting.state, seat), seat, events)
    assert [decision.turn for decision in story.closed] == [1 - seat] * 18
    assert recent_deals(events) == events


def test_a_plan_tries_each_card_and_then_the_better_one_more_often():
    world = world_of(scene("QC", ("3C 9D KH", "3S 4D 5S")))
    plan = empty_plan(60, hand_of(world, 0))
    played = []
    for _ in range(60):
        card = hand_of(world, 0)[most_promising(world, plan, 0)]
        played.append(card)
        plan.passed[0] = slot_of(plan, 0, card)
        learn(plan, 1, 0.7 if card == CARD["9D"] else 0.5)
    assert set(played[:3]) == {CARD["3C"], CARD["9D"], CARD["KH"]}
    assert played.count(CARD["9D"]) > 30


def test_a_plan_begins_with_what_the_counter_plays():
    world = world_of(scene("9C", ("2C JD 9H", "3C 4D 5S")))
    place = planned_place(world, empty_plan(1, hand_of(world, 0)), after_card(0, 6))
    assert hand_of(world, 0)[place] == CARD["9H"]


def test_a_plan_remembers_what_followed_the_cards_played_so_far():
    world = world_of(scene("9C", ("2C JD 9H", "3C 4D 5S")))
    plan = empty_plan(8, hand_of(world, 0))
    eight, seven = after_card(0, 6), after_card(0, 5)
    for worth in (0.5, 0.9, 0.4, 0.4):
        card = hand_of(world, 0)[planned_place(world, plan, eight)]
        plan.passed[0] = slot_of(plan, row_of(plan, eight), card)
        learn(plan, 1, worth)
    assert sum(plan.tries) == 4
    assert sum(plan.gains) == pytest.approx(2.2)
    assert nodes(plan) == 1
    planned_place(world, plan, seven)
    assert nodes(plan) == 2


def nodes(plan):
    return sum(path != UNUSED for path in plan.paths)
