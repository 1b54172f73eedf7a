"""Which hand cards everybody has seen."""

from cardroom.rules.cards import TEXT, texts
from cardroom.rules.shithead.events import Played
from cardroom.rules.shithead.knowledge import known_hands
from tests.rules.shithead.scene import exchanging, play, played, position


def test_what_everybody_saw_go_into_a_hand_is_remembered():
    state = exchanging(
        position(["5C 4H", "6C 4S"], ["8D", "9D"], hidden=["- 7H", "JC"], stock="AC AD QD QC")
    )
    known = ("swap 5C 8D", "ready", "ready", "8D", "pickup")
    assert remembered(state, known[:1]) == ({"8D"}, set())
    assert remembered(state, known[:4]) == (set(), set())
    assert remembered(state, known) == (set(), {"8D"})


def test_a_hidden_card_that_failed_is_remembered_until_it_is_played():
    state = position(["", "6C 6D"], hidden=["4C", "JC"], pile="KC 2D KD", stock="")
    assert remembered(state, ["blind 0"]) == ({"KC", "2D", "KD", "4C"}, set())
    assert remembered(state, ["blind 0", "6C", "KD"]) == ({"KC", "2D", "4C"}, set())


def remembered(state, moves):
    """What is known of each hand; the pile that lies is told by the cards laid on it."""
    events = [Played(1, texts(state.pile), "top")]
    for move in moves:
        step = play(state, move)
        events += [event.seen_by(None) for event in step.events]
        state = step.state
    known = known_hands(events, len(state.hands))
    for cards, hand in zip(known, state.hands, strict=True):
        assert cards <= set(hand)
    return tuple({TEXT[card] for card in cards} for cards in known)


def test_a_new_game_is_a_clean_slate():
    history, _ = played(seed=3, games=3, rounds=2)
    assert known_hands([e for step in history for e in step.events], 3) == (frozenset(),) * 3
