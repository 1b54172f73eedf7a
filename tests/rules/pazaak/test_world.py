"""The fast world of the bots follows the rules move by move (pazaak R4 to R25)."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.bots.outlook import PHASES
from cardroom.rules.pazaak.bots.world import CHOICES, HONEST, NUMBER, empty_world, play
from cardroom.rules.pazaak.events import HandDrawn, RoundOver, RoundStarted, Stood
from cardroom.rules.pazaak.predicates import MAIN_PACK, PLACES, total_of
from cardroom.rules.pazaak.side_cards import CATALOGUES, CODES, faults
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import BadOptions, Setup
from tests.rules.pazaak.scene import half, scene, told
from tests.rules.pazaak.scene import play as scene_play
from tests.rules.playing import examples, numbers, options_of


class TheseRounds:
    """Shuffles as the rules have just dealt."""

    def __init__(self):
        self.mains = []

    def shuffle(self, cards):
        cards[:] = self.mains.pop(0)


def world_of(state):
    world = empty_world(state.options, 0)
    for seat, player in enumerate(state.halves):
        hold(world, seat, player.hand, player.side)
        world.main[seat][: len(player.main)] = player.main
        board = [card.value for card in player.board]
        world.board[seat][: len(board)], world.board_size[seat] = board, len(board)
        world.total[seat] = player.total
        world.allowance[seat] = HONEST if player.allowance is None else player.allowance
    world.round_no = state.round_no
    world.opener, world.starter = state.opener, state.starter
    world.turn, world.phase = state.to_act, PHASES[state.phase]
    return world


def hold(world, seat, hand, side):
    """The seat holds these cards, and its side deck has those, the next card first."""
    world.hand_size[seat], world.side_size[seat] = len(hand), len(side)
    world.hand[seat][: len(hand)] = [NUMBER[code] for code in hand]
    world.side[seat][: len(side)] = [NUMBER[code] for code in reversed(side)]


def hands_of(world):
    return [world.hand[seat][: world.hand_size[seat]] for seat in (0, 1)]


def shown(world, state):
    """The facts on which both must agree."""
    kept = [sorted(NUMBER[code] for code in player.hand) for player in state.halves]
    boards = [[card.value for card in player.board] for player in state.halves]
    same = (
        list(world.wins) == list(state.wins),
        world.phase == PHASES[state.phase],
        [sorted(hand) for hand in hands_of(world)] == kept,
        [world.board[seat][: world.board_size[seat]] for seat in (0, 1)] == boards,
        world.total == [player.total for player in state.halves],
    )
    if state.phase != "over":
        same += (
            world.turn == state.to_act,
            world.standing == [player.standing for player in state.halves],
            world.round_no == state.round_no,
            world.starter == state.starter,
            world.side_size == [len(player.side) for player in state.halves],
        )
    return same


@examples(60)
@given(data=st.data())
def test_the_world_and_the_rules_agree_after_every_move(data):
    options = data.draw(options_of(PAZAAK))
    rng = Random(data.draw(numbers))
    copies = options.max_copies or 10
    decks = [
        rng.sample([c for c in CODES[:18] for _ in range(copies)], 10)
        if options.catalogue != "full"
        else rng.sample([c for c in CODES for _ in range(copies)], 10)
        for _ in (0, 1)
    ]
    bots = [None, rng.choice([None, "cheater"])]
    setups = [Setup(f"{i}", bots[i], tuple(decks[i])) for i in (0, 1)]
    state = PAZAAK.start(options, setups, seeded(rng)).state
    rounds = TheseRounds()
    world = world_of(state)
    for _ in range(400):
        if state.phase == "over":
            break
        assert all(shown(world, state)), shown(world, state)
        move = rng.choice(PAZAAK.legal_moves(state, state.to_act))
        dealt = []

        def shuffle(pack, dealt=dealt):
            deck = seeded(rng)(pack)
            dealt.append(deck)
            return deck

        state = PAZAAK.play(state, state.to_act, move, shuffle).state
        rounds.mains = dealt
        play(world, *CHOICES[move], rounds)
    assert all(shown(world, state))


# Invariants of every match under every combination of options (pazaak R1-R25, §2).

seeds = st.integers(min_value=0, max_value=2**32)
every_option = options_of(PAZAAK)


def random_setup(options, name, rng):
    """A random legal deck; one seat in six cheats."""
    if rng.random() < 1 / 6:
        return Setup(name, "cheater")
    pool = list(CATALOGUES[options.catalogue]) * (options.max_copies or 10)
    return Setup(name, None, tuple(rng.sample(pool, 10)))


def steps(options, seed):
    """Every step of one random match."""
    rng = Random(seed)
    shuffle = seeded(rng)
    setups = [random_setup(options, name, rng) for name in ("Ann", "Bob")]
    step = PAZAAK.start(options, setups, shuffle)
    yield step
    while PAZAAK.outcome(step.state) is None:
        (seat,) = PAZAAK.to_act(step.state)
        move = rng.choice(PAZAAK.legal_moves(step.state, seat))
        step = PAZAAK.play(step.state, seat, move, shuffle)
        yield step


@examples(80)
@given(every_option, seeds)
def test_cards_are_conserved_at_every_ply(options, seed):
    sides = None
    for step in steps(options, seed):
        for own in step.state.halves:
            drawn = [int(card.code) for card in own.board if card.source == "main"]
            assert Counter(own.main) + Counter(drawn) == Counter(MAIN_PACK)
            assert own.total == total_of(own.board)
            assert len(own.board) <= PLACES
        now = [sorted(own.side + own.hand + own.played) for own in step.state.halves]
        sides = sides or now
        assert now == sides
        for own, side in zip(step.state.halves, sides, strict=True):
            cheats = own.allowance is not None
            copies = None if cheats else options.max_copies
            assert faults(tuple(side), options.catalogue, copies) == ()
            assert not cheats or (own.hand == () and 0 <= own.allowance <= len(own.side))


@examples(60)
@given(every_option, seeds)
def test_a_match_ends_and_its_wins_are_its_points(options, seed):
    played = list(steps(options, seed))
    outcome = PAZAAK.outcome(played[-1].state)
    scores = [step.scores for step in played if step.scores is not None]
    assert outcome.points == tuple(map(sum, zip(*scores, strict=True)))
    assert len(scores) == played[-1].state.round_no <= (options.max_rounds or 10**6)
    assert outcome.reason == ("rounds" if max(outcome.points) == options.rounds_to_win else "limit")
    overs = [sum(isinstance(event, RoundOver) for event in step.events) for step in played]
    assert overs == [int(step.scores is not None) for step in played]


@examples(60)
@given(every_option, seeds)
def test_hands_grow_as_the_rules_say(options, seed):
    given_out = [0, 0]
    for step in steps(options, seed):
        kinds = [type(event) for event in step.events]
        for event in step.events:
            if isinstance(event, HandDrawn):
                first = step.state.round_no == 1
                draws = options.hand_rule == "per_round" or first
                assert event.count == (min(4, 10 - given_out[event.seat]) if draws else 0)
                given_out[event.seat] += event.count
        if RoundStarted in kinds:
            at = kinds.index(HandDrawn)
            assert kinds[at : at + 2] == [HandDrawn, HandDrawn]


# Every option at work (pazaak §2).

TEN = "P1 P2 P3 P4 P5 P6 M1 M2 M3 M4"


def reason(step):
    return told(step, RoundOver)[0].reason


def test_presets_are_those_of_the_rules():
    kotor1, kotor2 = PAZAAK.presets["kotor1"], PAZAAK.presets["kotor2"]
    assert PAZAAK.presets["classic"] == PAZAAK.options()
    assert (kotor1.hand_rule, kotor1.rounds_to_win, kotor1.catalogue) == ("once", 3, "kotor1")
    assert (kotor1.stand_timing, kotor1.table_fill) == ("turn_end", "stand")
    assert kotor1.next_starter == "fixed"
    assert (kotor2.hand_rule, kotor2.rounds_to_win, kotor2.catalogue) == ("once", 3, "kotor2")
    assert (kotor2.stand_timing, kotor2.table_fill) == ("turn_end", "win")
    assert kotor2.specials_take_slot
    assert kotor2.next_starter == "alternate"


@pytest.mark.parametrize(
    "bad",
    [
        {"rounds_to_win": 0},
        {"rounds_to_win": 10},
        {"max_copies": 0},
        {"max_copies": 11},
        {"max_rounds": 0},
        {"max_rounds": 100},
        {"catalogue": "kotor3"},
        {"auto_stand_20": "yes"},
        {"stakes": 5},
    ],
)
def test_options_out_of_range_are_refused(bad):
    with pytest.raises(BadOptions):
        PAZAAK.choose_options(bad)


def test_without_auto_stand_20_the_seat_is_asked_again():
    step = scene_play(scene(half("6 6", draws="8"), auto_stand_20=False), "0 draw", "0 pass")
    assert not step.state.halves[0].standing
    again = scene_play(step.state, "1 draw", "1 pass", "0 stand")
    assert told(again, Stood) == [Stood(0, 20, auto=False)]


def test_a_table_filled_by_the_draw_may_merely_stand():
    table = scene(half("1 1 2 2 2 3 1 2", draws="3"), half("9"), table_fill="stand")
    step = scene_play(table, "0 draw")
    assert told(step, Stood) == [Stood(0, 17, auto=True)]
    assert step.state.to_act == 1
    assert reason(scene_play(step.state, "1 stand")) == "outscore"


def test_a_table_filled_from_the_hand_may_merely_stand():
    table = scene(
        half("1 1 2 2 2 3 1 2", hand="P3"),
        half("10 8", standing=True),
        phase="turn_play",
        table_fill="stand",
    )
    assert told(scene_play(table, "0 P3"), RoundOver) == [
        RoundOver(1, "outscore", (17, 18), (0, 1))
    ]
