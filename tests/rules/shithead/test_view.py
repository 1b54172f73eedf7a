"""The view of a seat (shithead §5)."""

from random import Random

import pytest
from msgspec.structs import replace

from cardroom.rules.cards import CARD, TEXT, pack, texts
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead import events as happened
from cardroom.rules.shithead.events import Dealt, Drew, PickedUp, Played
from cardroom.rules.shithead.knowledge import known_hands
from cardroom.rules.shuffles import seeded
from tests.rules.shithead.scene import (
    TABLE,
    exchanging,
    in_new_order,
    one,
    play,
    played,
    position,
    setups,
)


def test_a_seat_sees_its_own_hand_and_what_lies_open():
    seen = SHITHEAD.view(TABLE, 0)
    assert seen.hand == ("5C", "8C")
    assert seen.tops == (("5H", "KD"), ("4D",))
    assert seen.hand_counts == (2, 3)
    assert seen.hidden == ((0, 2), (0,))
    assert (seen.pile, seen.to_beat, seen.stock_count) == (("6H", "3D"), "6H", 2)
    assert (seen.turn, seen.next_seat, seen.to_act) == (0, 1, (0,))
    assert seen.legal_moves == ("8C",)
    assert SHITHEAD.view(TABLE, 1).legal_moves == ()


def test_places_of_the_games_before_are_shown():
    state = replace(TABLE, times_shed=(1, 0), points=(2, 1), last_shed=(0,), game_no=2)
    seen = SHITHEAD.view(state, 0)
    assert (seen.times_shed, seen.points, seen.last_shed) == ((1, 0), (2, 1), (0,))


# Events as each seat may know them (shithead §4).


def test_only_the_own_hand_is_dealt_to_a_seat():  # shithead §4
    options = SHITHEAD.choose_options({"players": 3})
    events = SHITHEAD.start(options, setups(3), in_new_order).events
    for viewer in (0, 1, 2, None):
        for dealt in (event.seen_by(viewer) for event in events if type(event) is Dealt):
            assert (dealt.hand is None) == (dealt.seat != viewer)
            assert len(dealt.top) == 6


def test_a_drawn_card_is_known_to_its_seat_alone():  # shithead §4
    drew = one(play(position(["5C 6C", "7C"], stock="KC KD"), "5C"), Drew)
    assert drew.seen_by(0).card == "KC"
    assert (drew.seen_by(1), drew.seen_by(None)) == (Drew(0, 1, None), Drew(0, 1, None))


def test_the_fields_of_an_event_have_the_names_of_the_rules():  # shithead §4
    events = SHITHEAD.decode_events(
        b'[{"type":"played","seat":0,"cards":["5C"],"from":"hand"},'
        b'{"type":"hidden_failed","seat":0,"slot":1,"card":"5C"},{"type":"match_over","standings":[]}]'
    )
    assert events[0] == happened.Played(0, ("5C",), "hand")
    assert events[1:] == (happened.HiddenFailed(0, 1, "5C"), happened.MatchOver(()))


# Possible worlds behind a view.


def test_imagining_keeps_what_was_remembered():
    state = position(["", "6C 6D"], hidden=["4C", "JC"], pile="", stock="")
    events = [Played(0, ("6D",), "top"), PickedUp(1, 1)]
    seen = SHITHEAD.view(state, 0)
    for seed in range(20):
        assert CARD["6D"] in SHITHEAD.imagine(seen, Random(seed), events).hands[1]
    assert any(CARD["6D"] not in SHITHEAD.imagine(seen, Random(s)).hands[1] for s in range(20))


# Dealing again what the loading seats cannot know (FORMAT.md §2).


@pytest.mark.parametrize("seats", [{0}, {1, 2}, {0, 1, 2}, set()])
@pytest.mark.parametrize("plies", [0, 7, 60])
def test_what_the_loading_seats_cannot_know_is_dealt_again(seats, plies):  # FORMAT.md §2
    history, state = played(seed=plies, plies=plies, players=3)
    redealt = SHITHEAD.redeal(state, history, frozenset(seats), seeded(Random(9)))
    assert sorted(SHITHEAD.cards(redealt.state)) == list(pack(54))
    for seat in {*seats, None}:
        assert SHITHEAD.view(redealt.state, seat) == SHITHEAD.view(state, seat)
    known = known_hands([e for step in history for e in step.events], 3)
    for cards, hand in zip(known, redealt.state.hands, strict=True):
        assert cards <= set(hand)  # what everybody saw picked up stays where it is
    ((number, positions),) = redealt.moved
    (deck,), (laid,) = history[0].decks, redealt.decks
    assert number == 0
    moved = {deck[at] for at in positions}
    assert moved == {laid[at] for at in positions}
    assert moved.isdisjoint(card for seat in seats for card in state.hands[seat])
    assert all(deck[at] == laid[at] for at in range(54) if at not in positions)
    assert redealt.state != state


def test_a_redeal_follows_the_deck():  # FORMAT.md §2
    """Dealing the decks as they now lie gives the hidden cards of the state as it now is."""
    history, state = played(seed=5, plies=0)
    redealt = SHITHEAD.redeal(state, history, frozenset({0}), seeded(Random(2)))
    again = SHITHEAD.start(state.options, setups(3), lambda _pack: list(redealt.decks[0]))
    assert again.state == redealt.state


def test_only_the_running_games_deck_is_dealt_again():
    history, state = played(seed=3, games=3, rounds=2)
    redealt = SHITHEAD.redeal(state, history, frozenset({0}), seeded(Random(2)))
    assert [number for number, _ in redealt.moved] == [1]
    assert redealt.decks[0] == history[0].decks[0]


def test_a_match_that_is_over_is_left_alone():
    history, state = played(seed=4)

    def never(_pack):
        raise AssertionError("nothing is unknown, so nothing is shuffled")

    redealt = SHITHEAD.redeal(state, history, frozenset({0}), never)
    assert (redealt.state, redealt.moved) == (state, ())


# Which hand cards everybody has seen.


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
    """The known cards of each hand; the pile before is given as cards that were played on it."""
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
