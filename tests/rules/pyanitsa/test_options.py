"""The house rules beyond the vectors: short disputes, collecting, leading, limits, refusals."""

import pytest

from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.pyanitsa.events import Dispute, MatchOver, SeatOut
from cardroom.rules.values import BadOptions
from tests.rules.pyanitsa.scene import draws, flip, laid, scene, stacked, taken, trick, wons


# pyanitsa §2 short_dispute
class TestShortDisputeLoses:
    def test_a_seat_short_of_two_lays_its_one_face_down_and_drops_out(self):
        start = scene("8C QD", "8S AH TD", dispute="mortgage", short_dispute="loses")
        state, events = trick(start)
        assert laid(events) == ["8C", "8S", None, None, "TD"]
        assert Dispute(1, (0, 1), True) in events
        assert (taken(events).seat, taken(events).reason) == (1, "dispute_won")
        assert wons(state) == ["", "8C 8S QD AH TD"]
        assert SeatOut(0, 1) in events

    def test_a_seat_with_nothing_drops_out_without_a_move(self):
        state, events = trick(scene("9C", "9D KD 6D", short_dispute="loses"))
        assert laid(events) == ["9C", "9D", "KD"]
        assert (taken(events).seat, taken(events).reason) == (1, "dispute_won")
        assert wons(state) == ["", "9C 9D KD"]

    def test_none_left_gives_the_table_to_the_first_of_them(self):
        start = scene("6C", "8C QD", "8S AH", dispute="mortgage", short_dispute="loses")
        state, events = trick(start)
        assert laid(events) == ["6C", "8C", "8S", None, None]
        assert (taken(events).seat, taken(events).reason) == (1, "no_cards")
        assert wons(state) == ["", "6C 8C 8S QD AH", ""]

    def test_nobody_with_a_card_gives_the_table_to_the_first_at_once(self):
        state, events = trick(scene("9C", "9D", "6D 7D", led_by=1, short_dispute="loses"))
        assert laid(events) == ["9D", "6D", "9C"]
        assert (taken(events).seat, taken(events).reason) == (1, "no_cards")
        assert wons(state)[1] == "9D 6D 9C"

    def test_the_others_go_on_disputing(self):
        start = scene("9C", "9D 7D KD", "9H 7H JD", short_dispute="loses")
        _, events = trick(start)
        assert Dispute(2, (1, 2), False) in events
        assert taken(events).seat == 1


# pyanitsa §2 dispute, R10
def test_without_any_card_r10_comes_before_the_one_card_rule():
    _, events = trick(scene("9C", "9D KD", "9H QD 8D", dispute="mortgage"))
    assert (taken(events).seat, taken(events).reason) == (0, "no_cards")
    assert events[-2] == Dispute(1, (0, 1, 2), False)


# pyanitsa §2 dispute: each level judges again whether it is a mortgage
def test_a_second_level_may_lose_its_mortgage():
    start = scene("8C 7D QD 6C", "8S AH QH KD", dispute="mortgage")
    _, events = trick(start)
    assert [event.mortgage for event in events if isinstance(event, Dispute)] == [True, False]
    assert laid(events) == ["8C", "8S", None, "QD", None, "QH", "6C", "KD"]


# pyanitsa §2 collect_to
def test_collected_at_the_bottom():
    state, _ = trick(scene("KC 7C", "9D 8D", collect_to="bottom"))
    assert draws(state) == ["7C KC 9D", "8D"]
    assert wons(state) == ["", ""]


# pyanitsa §2 collect_order
def test_collected_in_random_order_the_pack_is_the_table_as_laid():
    asked = []

    def reverse(pack):
        asked.append(tuple(pack))
        return list(reversed(pack))

    state, _ = trick(scene("KC 7C", "9D 8D", collect_order="random"), reverse)
    assert wons(state) == ["9D KC", ""]
    (pack,) = asked
    assert list(map(PYANITSA.card_text, pack)) == ["KC", "9D"]


# pyanitsa §2 recycle
def test_recycled_in_a_fresh_order():
    start = scene("", "8D 7D", won=["KC 9D 6C"], recycle="shuffle")
    step = flip(start, stacked("6C KC 9D"))
    assert laid(step.events) == ["6C"]
    assert draws(step.state)[0] == "KC 9D"


# pyanitsa §2 recycle: a single card is shuffled too, and takes a number
def test_one_card_is_shuffled_too():
    shuffle = stacked("KC")
    flip(scene("", "8D 7D", won=["KC"], recycle="shuffle"), shuffle)
    assert shuffle.used == 1


# pyanitsa §2 recycle
def test_between_the_two_cards_of_a_mortgage():
    start = scene("8C QD", "8S 7S 7H", won=["KC 9D"], dispute="mortgage", recycle="lifo")
    state, events = trick(start)
    assert laid(events) == ["8C", "8S", None, "9D", None, "7H"]
    assert wons(state) == ["8C 8S QD 9D 7S 7H", ""]
    assert draws(state) == ["KC", ""]


# pyanitsa §2 leader
@pytest.mark.parametrize(
    ("rule", "order"), [("winner", (2, 0, 1)), ("fixed", (0, 1, 2)), ("rotate", (1, 2, 0))]
)
def test_who_leads_next(rule, order):
    state, _ = trick(scene("6C 8C", "7D 8D", "KH 6H", leader=rule))
    assert state.to_lay == order


# pyanitsa §2 leader: rotate skips seats that are out
def test_rotating_past_a_seat_that_is_out():
    state, _ = trick(scene("6C 8C", "7D", "KH 6H", leader="rotate"))
    assert state.to_lay == (2, 0)


# pyanitsa R15: out in the same trick share a place, the following are skipped
def test_places_are_shared_and_skipped():
    start = scene("6C", "7D", "8H", "KH 6H")
    _, events = trick(start)
    assert events[-1] == MatchOver((3,), "all_cards", (2, 2, 2, 1))


# pyanitsa R15 R16
def test_seats_that_went_out_later_are_placed_higher():
    state, _ = trick(scene("6C", "7D 7H", "8H TD", "KH 6H", max_tricks=2))
    state, _ = trick(state)
    assert state.out_in == (1, 2, 0, 0)
    assert PYANITSA.outcome(state).places == (4, 3, 2, 1)


# pyanitsa R16
def test_at_the_limit_equal_cards_share_a_place_above_those_out():
    state, events = trick(scene("6C 7C", "7D", "KH 6H", "9S JS TS", "8S QS TH", max_tricks=1))
    assert events[-1] == MatchOver((2,), "limit", (4, 5, 1, 2, 2))
    assert PYANITSA.outcome(state).reason == "limit"


# pyanitsa R16: giveaway
def test_at_the_limit_of_a_giveaway_the_fewest_cards_win():
    _, events = trick(scene("6C 7C", "KH 6H", "7S JS", goal="giveaway", max_tricks=1))
    assert events[-1] == MatchOver((0, 2), "limit", (1, 3, 1))


# pyanitsa R16
def test_a_last_allowed_trick_that_leaves_one_seat_is_no_limit():
    _, events = trick(scene("6C", "KH 6H", max_tricks=1))
    assert events[-1] == MatchOver((1,), "all_cards", (2, 1))


# pyanitsa R16: giveaway
def test_a_last_allowed_trick_that_gives_away_is_no_limit():
    _, events = trick(scene("6C", "KH 6H", "7S JS TS", goal="giveaway", max_tricks=1))
    assert events[-1] == MatchOver((0,), "gave_away", (1, 3, 2))


# pyanitsa §2
@pytest.mark.parametrize(
    ("values", "word"),
    [
        ({"collect_to": "bottom", "recycle": "lifo"}, "first won comes up first"),
        ({"collect_to": "bottom", "recycle": "shuffle"}, "a pile of their own"),
        ({"jokers": "ranked"}, "54 cards"),
        ({"jokers": "ranked", "deck": 52}, "54 cards"),
        ({"players": 1}, "players"),
        ({"players": 9}, "players"),
        ({"deck": 32}, "deck"),
        ({"max_tricks": 0}, "max_tricks"),
        ({"max_tricks": 100_001}, "max_tricks"),
        ({"dispute": "closed"}, "dispute"),
        ({"stakes": 3}, "stakes"),
    ],
)
def test_contradictory_and_unknown_options_are_refused(values, word):
    with pytest.raises(BadOptions, match=word):
        PYANITSA.choose_options(values)


def test_every_fault_is_named():
    with pytest.raises(BadOptions) as refused:
        PYANITSA.choose_options({"collect_to": "bottom", "recycle": "lifo", "jokers": "ranked"})
    assert len(refused.value.faults) == 2


def test_the_preset():
    options = PYANITSA.choose_options(preset="six_beats_ace")
    assert (options.deck, options.dispute, options.collect_to) == (52, "mortgage", "bottom")
    assert (options.collect_order, options.low_beats_ace) == ("own_first", "six")
    assert options.leader == "fixed"


def test_what_every_option_changes_is_explained():
    assert all(option.note for option in PYANITSA.option_words.values())
