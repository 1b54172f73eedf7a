"""What is not a move, and what the rules refuse in a turn: each with its own error."""

import pytest

from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.narration import why_refused
from cardroom.rules.values import IllegalMove, MalformedMove
from tests.rules.shithead.scene import no_deck, play, position

TABLE = position(
    ["5C 5D 8C QS", "4C"], ["KC 5H", "4D"], ["9C - 9D", "JC"], pile="6H", turn=0
)  # fmt: skip


@pytest.mark.parametrize(
    "move",
    [
        "", " ", "5", "5c", "1C", "5C  5D", "5C ", " 5C", "5C,5D", "5C 5C", "X3", "blind",
        "blind 9", "blind 02", "blind -1", "blind ٢", "pick up", "PICKUP", "pickup 5C", "swap",
        "swap 5C",
        "swap 5C 5C", "swap 5C KC 5D", "swap 5C 1C", "ready ", "blind 0 1", "5C\n", "🂡",
        "x" * 9999,
    ],
)  # fmt: skip
def test_what_is_not_in_the_notation_is_malformed(move):
    for seat in (0, 1, 7, -1):  # malformed is judged before turn
        with pytest.raises(MalformedMove) as refused:
            SHITHEAD.play(TABLE, seat, move, no_deck)
        assert refused.value.reason == "malformed_move"
        assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("4C", "card_not_available"),
        ("9C", "card_not_available"),  # his own hidden card tells nothing
        ("QS QD", "card_not_available"),
        ("8C QS", "one_rank"),
        ("KC", "hand_first"),
        ("5C 5D 5H", "hand_first"),
        ("5C", "not_allowed"),
        ("5C 5D", "not_allowed"),
        ("blind 0", "not_yet_hidden"),
        ("blind 8", "not_yet_hidden"),
        ("pickup", "must_play"),
        ("ready", "exchange_over"),
        ("swap 5C KC", "exchange_over"),
    ],
)
def test_what_the_rules_refuse(move, reason):
    with pytest.raises(IllegalMove) as refused:
        play(TABLE, move)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("blind 1", "slot_empty"),
        ("blind 3", "slot_empty"),
        ("9C", "must_turn_up"),
        ("pickup", "must_turn_up"),
    ],
)
def test_what_is_refused_when_only_hidden_cards_are_left(move, reason):  # shithead R10
    state = position(["", "4C"], hidden=["9C - 9D"], pile="AH", pickup="voluntary")
    with pytest.raises(IllegalMove) as refused:
        play(state, move)
    assert refused.value.reason == reason


def test_an_empty_pile_cannot_be_picked_up():  # shithead R8
    for pickup in ("forced", "voluntary"):
        with pytest.raises(IllegalMove) as refused:
            play(position(["5C", "4C"], pickup=pickup), "pickup")
        assert refused.value.reason == "nothing_to_pick_up"


@pytest.mark.parametrize(
    ("pile", "options", "sentence"),
    [
        ("KD", {}, "8♦ is lower than the king on the pile."),
        ("9D 3C", {}, "8♦ is lower than the nine that still counts below."),
        ("7D", {}, "8♦ is higher than the seven on the pile, which asks for a seven or lower."),
        ("X1", {}, "Only a 2, 3, 10 or joker beats the joker on the pile; 8♦ does not."),
        (
            "JD X1",
            {"joker_top": "transparent"},
            "8♦ is lower than the jack that still counts below.",
        ),
        ("7D", {"seven_lower": False}, None),
        ("X1", {"joker_top": "reset"}, None),
        ("8H", {}, None),
        ("", {}, None),
    ],
)
def test_why_a_card_may_not_be_played_can_be_told(pile, options, sentence):  # shithead R11
    state = position(["8D AH", "4C"], pile=pile, **options)
    why = why_refused(SHITHEAD.view(state, 0), "8D")
    assert (None if why is None else str(why)) == sentence
    if sentence is not None:
        with pytest.raises(IllegalMove) as refused:
            play(state, "8D")
        assert (str(refused.value), refused.value.reason) == (sentence, "not_allowed")


def test_a_set_of_cards_is_one_move_in_any_order():  # shithead §3
    state = position(["9S 9C 9D KC", "4C"], pile="5C")
    first = play(state, "9C 9S")
    second = play(state, "9S 9C")
    assert first == second
    assert first.move == "9C 9S"
    assert play(state, "9D").move == "9D"  # another set than the one that is listed
    assert "9C 9D 9S" in SHITHEAD.legal_moves(state, 0)
    both = position(["QD QS", "4C"], ["QC QH"], pile="5C")
    assert play(both, "QC QS QH QD").move == "QD QS QC QH"  # hand cards first
    assert play(both, "QH QS QD").move == "QD QS QH"
