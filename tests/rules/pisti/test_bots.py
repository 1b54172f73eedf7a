"""The computers: what they choose in plain scenes, and how they fare against each other."""

from random import Random
from statistics import fmean

import pytest

from cardroom.rules.cards import CARD, JACK, TEXT
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
from cardroom.rules.pisti.bots.outlook import (
    A_SIZE,
    KINDS,
    LEADS,
    READ,
    SIZES,
    chance_to_win,
    kind_of,
    knows,
    more_to_come,
    points_to_come,
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
from cardroom.rules.pisti.bots.simple import holds, rank_chances, refused_ranks
from cardroom.rules.pisti.bots.world import (
    HAND,
    MODELS,
    empty_world,
    give,
    hand_of,
    recent_deals,
    story_of,
)
from cardroom.rules.pisti.events import Captured, CardPlayed, DealStarted, HandDealt
from cardroom.rules.pisti.options import side_count
from cardroom.rules.pisti.predicates import PLAYS_PER_DEAL
from cardroom.rules.shuffles import seeded
from tests.rules.pisti.scene import SETUPS, scene
from tests.rules.pisti.test_world import known_to, world_of, worlds_of
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


# How a search takes the other seats, and what it plans for its own later cards.

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


# The tables that say what the rest of a deal brings, at the end of a block.

TWO, THREE, FOUR, TEAMS = KINDS
EACH = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
ENDS = pytest.mark.parametrize(
    ("kind", "block"),
    [(kind, block) for kind in KINDS for block in range(1, kind.blocks + 1)],
    ids=lambda each: getattr(each, "name", each),
)
SIX = 4


def block_end(kind=TWO, block=1, *, size=0, top=SIX, seen=1, points=0, cards=(), **options):
    world = empty_world(PISTI.options(**{**kind_options(kind), **options}))
    world.plays = HAND * world.players * block
    world.cards[: len(cards)] = cards
    world.pile_size, world.pile_points = size, points
    if size:
        world.top = top
        world.seen[top] = seen
    return world


def kind_options(kind):
    return {"players": kind.options.players, "teams": kind.options.teams}


@EACH
def test_a_file_has_an_entry_for_each_position(kind):
    assert len(READ[KINDS.index(kind)]) == kind.sizes * (A_SIZE + LEADS)
    assert kind.sizes == kind.blocks * kind.sides * SIZES


@EACH
def test_each_kind_of_match_has_its_tables(kind):
    assert KINDS[kind_of(block_end(kind))] == kind


@ENDS
def test_a_single_card_is_worth_more_the_more_of_its_rank_may_come(kind, block):
    ends = [block_end(kind, block, size=1, seen=seen) for seen in (1, 2, 3, 4)]
    worths = [points_to_come(world, 0) for world in ends]
    assert worths == sorted(worths, reverse=True)
    assert worths[0] - worths[3] > 2


@ENDS
def test_to_start_on_an_empty_table_is_worse_than_on_points(kind, block):
    """Who lays the first card offers it to the next one."""
    empty = points_to_come(block_end(kind, block), 0)
    assert empty < points_to_come(block_end(kind, block, size=6, points=4), 0)
    if side_count(kind.options) == 2 or block == kind.blocks:  # later blocks may make up for it
        assert empty < 0


@ENDS
def test_a_lead_in_cards_goes_towards_the_majority(kind, block):  # R24
    """Between two by leads that occur there: who starts a block captures with odd cards alone."""
    behind, ahead = (
        points_to_come(block_end(kind, block, cards=cards), 0) for cards in ((5, 7), (7, 5))
    )
    assert behind < ahead < behind + 2 * PISTI.options().majority_points + 0.5


@pytest.mark.parametrize("kind", [THREE, FOUR], ids=lambda kind: kind.name)
def test_who_plays_next_takes_more_of_a_fat_pile_than_who_comes_last(kind):
    fat = block_end(kind, size=8, points=6)
    first, *_, last = (points_to_come(fat, side) for side in range(kind.sides))
    assert first > last
    assert more_to_come(fat, 0, kind.sides - 1) > 0


def test_positions_beyond_the_tables_count_as_the_last_ones():
    most = points_to_come(block_end(size=14, points=7, cards=(24, 0)), 0)
    assert points_to_come(block_end(size=30, points=16, cards=(30, 0)), 0) == most


@EACH
def test_they_are_asked_under_the_usual_points_alone(kind):
    assert knows(block_end(kind))
    assert knows(block_end(kind, target_score=None))
    assert not knows(block_end(kind, 0))
    for changed in ({"pisti_points": 5}, {"double_pisti_points": 10}, {"majority_points": 0}):
        assert not knows(block_end(kind, **changed))


@ENDS
def test_sides_count_from_the_seat_to_play(kind, block):
    """The same position, turned by a seat."""
    here = block_end(kind, block, size=3, points=2, cards=(11, 8))
    there = block_end(kind, block, size=3, points=2)
    sides, there.turn = here.sides, 1
    there.cards[:sides] = [*here.cards[sides - 1 : sides], *here.cards[: sides - 1]]
    for side in range(sides):
        for other in set(range(sides)) - {side}:
            turned = more_to_come(there, (side + 1) % sides, (other + 1) % sides)
            assert turned == more_to_come(here, side, other)


@ENDS
@pytest.mark.parametrize("turn", [0, 1])
def test_the_chances_of_all_add_up(kind, block, turn):
    world = block_end(kind, block, size=3, points=2, cards=(11, 8))
    world.turn, world.totals[:2], world.points[:2] = turn, [70, 90], [4, 1]
    world.seen[JACK] = 2
    chances = [chance_to_win(world, side) for side in range(world.sides)]
    assert sum(chances) == pytest.approx(1, abs=0.05 if world.sides > 2 else 1e-6)


@EACH
def test_the_last_block_ends_the_deal(kind):
    world = block_end(kind, kind.blocks + 1, target_score=None)
    assert world.plays == PLAYS_PER_DEAL
    world.points[:2] = [9, 5]
    chances = [chance_to_win(world, side) for side in range(side_count(kind.options))]
    assert chances == [1, *[0] * (world.sides - 1)]


# The chance to win a match from the end of a block, for two, three and four sides.

SEATS = pytest.mark.parametrize("players", [2, 3, 4])


def chances(players=4, *, totals=(), points=(), plays=0, turn=0, **options):
    world = empty_world(PISTI.options(players=players, **options))
    world.totals[: len(totals)], world.points[: len(points)] = totals, points
    world.plays, world.turn = plays, turn
    return [chance_to_win(world, side) for side in range(world.sides)]


@SEATS
def test_before_the_first_card_every_side_has_about_the_same(players):
    each = chances(players)
    assert each == pytest.approx([1 / players] * players, abs=0.05)
    assert sum(each) == pytest.approx(1, abs=0.001)


def test_partners_are_one_side():
    assert chances(4, teams=True) == pytest.approx([0.5, 0.5], abs=0.05)


@SEATS
def test_chances_add_up_at_every_score(players):
    for totals in ([0, 90, 20, 88], [140, 0, 0, 0], [150, 149, 148, 147]):
        assert sum(chances(players, totals=totals[:players])) == pytest.approx(1, abs=0.001)


def test_one_rival_far_in_front_is_worse_than_three_a_little_in_front():
    """Their mean is the same."""
    one = chances(totals=[100, 130, 85, 85])[0]
    three = chances(totals=[100, 100, 100, 100])[0]
    assert one < three - 0.05


@SEATS
def test_the_first_to_the_target_has_won(players):  # R27
    points = [12, 3, 2, 1][:players]
    each = chances(players, totals=[140] * players, points=points, plays=PLAYS_PER_DEAL)
    assert each == [1.0, *[0.0] * (players - 1)]


def test_a_tie_at_the_target_is_played_on():  # R27
    each = chances(totals=[151, 151, 100, 100], plays=PLAYS_PER_DEAL)
    assert each[0] == each[1] == pytest.approx(0.5, abs=0.01)
    assert each[2] == each[3] < 0.01


@SEATS
def test_of_a_single_deal_a_tie_is_shared(players):  # R28
    points = [9, 9, 2, 1][:players]
    each = chances(players, points=points, plays=PLAYS_PER_DEAL, target_score=None)
    assert each == [0.5, 0.5, *[0.0] * (players - 2)]


def test_scores_of_any_size_are_weighed():
    far = chances(totals=[0, 9_000, 0, 0], target_score=10_000)
    assert far[0] == pytest.approx(0, abs=1e-6)
    assert far[1] == pytest.approx(1, abs=1e-6)
