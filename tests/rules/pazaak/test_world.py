"""The fast world of the bots follows the rules move by move (pazaak R4 to R25)."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.bots.outlook import PHASES
from cardroom.rules.pazaak.bots.world import CHOICES, HONEST, NUMBER, empty_world, play
from cardroom.rules.pazaak.side_cards import CODES
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Setup
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
    """What both must agree on."""
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
