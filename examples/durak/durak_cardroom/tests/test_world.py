"""The game of the search is that of the rules, move by move."""

from random import Random

import pytest

from cardroom.rules.cards import TEXT
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Event, Setup
from durak_cardroom import GAME
from durak_cardroom.bots.greedy import decide
from durak_cardroom.bots.knowledge import choice_of, known, move_of
from durak_cardroom.bots.masks import bits, places
from durak_cardroom.bots.world import RUNNING, Table
from durak_cardroom.options import DurakOptions
from durak_cardroom.predicates import suit
from durak_cardroom.recap import hint, moments
from durak_cardroom.state import DurakState

CHOICES = [
    DurakOptions(),
    DurakOptions(transfer=True, deck=24, first_attack=3),
    DurakOptions(players=5, deck=52, transfer=True, throwers="neighbours"),
    DurakOptions(players=6, transfer=True),
]


def table_of(state: DurakState) -> Table:
    """With every card where it truly lies."""
    trumps = suit(state.trump)
    table = known(GAME.view(state, 0)).table
    table.hands = [bits([TEXT[card] for card in hand], trumps) for hand in state.hands]
    table.talon = [places(trumps)[card] for card in reversed(state.talon)]
    return table


@pytest.mark.parametrize("options", CHOICES, ids=str)
def test_a_search_plays_by_the_rules(options: DurakOptions) -> None:
    for seed in range(5):
        rng = Random(seed)
        setups = [Setup(str(seat)) for seat in range(options.players)]
        state = GAME.start(options, setups, seeded(rng)).state
        table, trumps = table_of(state), suit(state.trump)
        events: list[Event] = []
        while GAME.outcome(state) is None:
            (seat,) = GAME.to_act(state)
            assert table.turn() == seat
            legal = GAME.legal_moves(state, seat)
            assert move_of(decide(table, seat), trumps) in legal
            view = GAME.view(state, seat)
            assert GAME.bot("greedy").choose(view, (), rng) == move_of(decide(table, seat), trumps)
            assert str(hint(view))
            move = rng.choice(legal)
            step = GAME.play(state, seat, move, seeded(rng))
            table.play(seat, choice_of(move, trumps))
            state, events = step.state, [*events, *step.events]
        assert table.fool == (-1 if state.fool is None else state.fool) != RUNNING
        assert len(moments(events, [str(seat) for seat in range(6)])) <= 3


def test_a_sampled_game_has_every_card_once() -> None:
    rng = Random(3)
    state = GAME.start(DurakOptions(), [Setup("a"), Setup("b")], seeded(rng)).state
    placed = known(GAME.view(state, 0))
    table = placed.sample(rng)
    assert table.hands[0] == table_of(state).hands[0]
    assert table.talon[0] == table_of(state).talon[0]  # the trump card
    everything = table.hands[0] | table.hands[1] | sum(1 << place for place in table.talon)
    assert everything.bit_count() == 36
