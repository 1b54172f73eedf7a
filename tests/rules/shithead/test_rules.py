"""The exchange, who may act, and how a move out of turn is refused."""

from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from cardroom.rules.cards import TEXT, pack
from cardroom.rules.shithead import GAME
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead import events as happened
from cardroom.rules.shithead.events import (
    Burned,
    Drew,
    Exchanged,
    GameOver,
    GameStarted,
    HiddenFailed,
    MatchOver,
    PickedUp,
    Played,
    Ready,
    SeatOut,
    Turn,
)
from cardroom.rules.shithead.narration import match_causes, why_refused
from cardroom.rules.shithead.options import ShitheadOptions, cards_each, most_swaps
from cardroom.rules.shithead.rules import standings
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import IllegalMove, MalformedMove, Setup
from tests.rules.playing import Sitting
from tests.rules.shithead.scene import (
    exchanging,
    hand,
    in_new_order,
    legal,
    no_deck,
    of,
    one,
    pile,
    play,
    position,
    setups,
    top,
)


def test_all_seats_exchange_at_the_same_time():  # shithead R5
    state = exchanging(position(["5C", "6C", "7C"], ["KC", "KD", "KH"]))
    assert SHITHEAD.to_act(state) == (0, 1, 2)
    step = SHITHEAD.play(state, 2, "swap 7C KH", no_deck)
    assert step.events == (Exchanged(2, "7C", "KH"),)
    step = SHITHEAD.play(step.state, 1, "ready", no_deck)
    assert step.events == (Ready(1),)
    assert SHITHEAD.to_act(step.state) == (0, 2)
    assert SHITHEAD.legal_moves(step.state, 1) == ()
    assert SHITHEAD.legal_moves(step.state, 0) == ("ready", "swap 5C KC")
    step = play(step.state, "ready", "ready")
    assert step.events == (Ready(2), Turn(0))
    assert (hand(step.state, 2), top(step.state, 2)) == ("KH", "7C")


def test_two_seats_exchanging_at_once_reach_the_same_table_in_either_order():  # shithead R5
    state = exchanging(position(["5C", "6C"], ["KC", "KD"]))
    here = SHITHEAD.play(state, 0, "swap 5C KC", no_deck).state
    there = SHITHEAD.play(state, 1, "swap 6C KD", no_deck).state
    assert (
        SHITHEAD.play(here, 1, "swap 6C KD", no_deck).state
        == SHITHEAD.play(there, 0, "swap 5C KC", no_deck).state
    )


def test_who_is_out_of_the_game_cannot_resign():
    state = position(["5C", "", "6C"], places=[0, 1, 0])
    assert SHITHEAD.retired_seats(state) == {1}


TABLE = position(
    ["5C 5D 8C QS", "4C"], ["KC 5H", "4D"], ["9C - 9D", "JC"], pile="6H", turn=0
)  # fmt: skip


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("5C", "exchange_first"),
        ("pickup", "exchange_first"),
        ("blind 0", "exchange_first"),
        ("swap KC 5C", "card_not_available"),
        ("swap 5C 4D", "card_not_available"),
        ("swap 4C KC", "card_not_available"),
    ],
)
def test_what_is_refused_in_the_exchange(move, reason):  # shithead R5
    with pytest.raises(IllegalMove) as refused:
        SHITHEAD.play(exchanging(TABLE), 0, move, no_deck)
    assert refused.value.reason == reason


# How a game is dealt, and who starts it (shithead R2 to R4).

EACH = {2: 9, 3: 6, 4: 4, 5: 3, 6: 3, 7: 2, 8: 2, 9: 2} | dict.fromkeys(range(10, 19), 1)


LOWEST_STARTS = {"first_starter": "lowest_card", "exchange": False}


def begin(**options):
    chosen = SHITHEAD.choose_options(options)
    return SHITHEAD.start(chosen, setups(chosen.players), in_new_order)


@pytest.mark.parametrize("players", range(2, 19))
def test_the_pack_is_dealt_out_evenly(players):  # shithead R2
    step = begin(players=players)
    started = one(step, GameStarted)
    k = EACH[players]
    assert started == GameStarted(
        game_no=1, dealer=players - 1, starter=0, k=k, stock=54 - 3 * players * k
    )
    assert sorted(SHITHEAD.cards(step.state)) == list(pack(54))


def test_the_lowest_card_may_start():
    state = exchanging(
        position(["4C 2C", "3C 9C", "3D 5D"], ["", "AC", ""], jokers=0, first_starter="lowest_card")
    )
    step = play(state, "ready", "ready", "ready")
    assert one(step, Turn) == Turn(1)  # both hold a three; seat 1 is nearer to the dealer's left
    taken = SHITHEAD.play(state, 1, "swap 3C AC", in_new_order).state
    assert play(taken, "ready", "ready", "ready").state.turn == 2


def three_to_the_second(deck):
    """The pack in order, but the only three in a hand is dealt to the second seat."""
    cards = list(deck)
    cards[40], cards[41] = cards[41], cards[40]
    return cards


def test_the_lowest_card_counts_only_in_the_first_game():
    options = SHITHEAD.choose_options(LOWEST_STARTS)
    first = SHITHEAD.start(options, setups(2), three_to_the_second)
    assert one(first, GameStarted).starter is None
    assert first.state.turn == 1
    last_but_one = position(["5C", "9C"], games=2, pile="4C", **LOWEST_STARTS)
    step = play(last_but_one, "5C", shuffle=three_to_the_second)
    assert one(step, GameStarted).starter == 1
    assert step.state.turn == 1
    last_but_one = position(["5C", "9C"], turn=1, games=2, pile="4C", **LOWEST_STARTS)
    step = play(last_but_one, "9C", shuffle=three_to_the_second)
    assert step.state.turn == 0  # the shed, though seat 1 holds the three


def test_the_left_neighbour_of_the_shed_may_start():
    state = position(["5C", "6C 7C", "8C"], pile="4C", places=[0, 0, 1], games=2,
                     next_starter="left_of_shed")  # fmt: skip
    state = replace(state, hands=(state.hands[0], state.hands[1], ()))
    step = play(state, "5C", shuffle=in_new_order)
    assert step.state.last_shed == (1,)
    assert (one(step, GameStarted).starter, step.state.dealer) == (2, 1)


# At most 3k swaps a seat and game (R5, version 2); version 1 knows no such limit.

VERSION_1 = SHITHEAD.by_version(1)


def begun(game=SHITHEAD, **options) -> Sitting:
    return Sitting.begun(game, ShitheadOptions(**options))


def swap(sitting: Sitting, seat: int = 0) -> None:
    """Any swap that the cards allow, whatever the rules say to it."""
    state = sitting.state
    hand, top = sitting.game.view(state, seat).hand[0], sitting.game.view(state, seat).tops[seat][0]
    sitting.play(seat, f"swap {hand} {top}")


def swapped(sitting: Sitting, seat: int = 0) -> Sitting:
    for _ in range(most_swaps(sitting.options)):
        swap(sitting, seat)
    return sitting


@pytest.mark.parametrize(
    "options",
    [*({"players": players} for players in (2, 3, 4, 7, 18)), {"players": 5, "deal": "three"}],
    ids=str,
)
def test_after_3k_swaps_only_ready_is_legal(options):
    sitting, players = begun(**options), options["players"]
    k = cards_each(sitting.options)
    for made in range(3 * k):
        view = SHITHEAD.view(sitting.state, 0)
        assert view.swaps_left == (3 * k - made, *[3 * k] * (players - 1))
        assert len(view.legal_moves) == 1 + k * k
        swap(sitting)
    assert SHITHEAD.legal_moves(sitting.state, 0) == ("ready",)
    assert len(SHITHEAD.legal_moves(sitting.state, 1)) == 1 + k * k
    with pytest.raises(IllegalMove) as refused:
        swap(sitting)
    assert refused.value.reason == "no_swaps_left"
    assert sitting.play(0, "ready").state.ready[0]


def test_the_next_game_allows_as_many_again():
    sitting, rng = swapped(begun(games=2)), Random(1)
    while sitting.state.game_no == 1:
        sitting.play_on(rng, 1)
    assert sitting.state.swaps_left == (27, 27)
    swap(sitting)


def test_without_an_exchange_there_is_none():
    assert begun(exchange=False).state.swaps_left == (0, 0)


@pytest.mark.parametrize("name", [bot.slug for bot in SHITHEAD.bots] + ["searcher:playouts=9"])
def test_a_bot_that_takes_the_seat_over_is_ready(name):
    sitting = swapped(begun())
    view, events = SHITHEAD.view(sitting.state, 0), sitting.seen_by(0)
    assert SHITHEAD.bot(name).choose(view, events, Random(1)) == "ready"


def test_an_imagined_world_has_the_same_limit():
    sitting = swapped(begun(players=3), 1)
    view = SHITHEAD.view(sitting.state, 0)
    imagined = SHITHEAD.imagine(view, Random(1), sitting.seen_by(0))
    assert imagined.swaps_left == sitting.state.swaps_left
    assert SHITHEAD.legal_moves(imagined, 1) == ("ready",)


class TestVersion1:
    def test_it_goes_on_swapping_in_every_game(self):
        sitting, rng = begun(VERSION_1, games=2), Random(1)
        for _ in range(2):
            game_no = sitting.state.game_no
            for _ in range(100):
                swap(sitting)
            assert len(VERSION_1.legal_moves(sitting.state, 0)) == 1 + 81
            while sitting.outcome is None and sitting.state.game_no == game_no:
                sitting.play_on(rng, 1)
        assert sitting.outcome is not None

    def test_a_state_is_stored_as_it_was_before_there_were_versions(self):
        """Field for field: what is stored decodes, and encodes to the same bytes."""
        state = begun(VERSION_1).state
        stored = msgspec.json.encode(state)
        assert list(msgspec.json.decode(stored)) == [
            "options", "game_no", "dealer", "direction", "phase", "turn", "ready", "stock", "pile",
            "burned", "hands", "tops", "hidden", "places", "turns", "times_shed", "points",
            "last_shed",
        ]  # fmt: skip
        assert SHITHEAD.decode_state(stored) == state
        assert msgspec.json.encode(SHITHEAD.decode_state(stored)) == stored

    def test_the_versions_differ_in_nothing_else(self):
        """The same deal and moves, as long as nobody comes to the limit."""
        old, new = begun(VERSION_1, players=5), begun(players=5)
        for step in new.plies(Random(3)):
            before = old.play(int(new.rounds[-1]["moves"][-1].split(" ")[0]), step.move)
            assert before.events == step.events
            assert replace(step.state, swaps_left=None) == before.state
        assert old.outcome == new.outcome

    def test_its_view_says_that_there_is_no_limit(self):
        assert VERSION_1.view(begun(VERSION_1).state, 0).swaps_left is None


# Texts that are no move, and moves that the rules refuse in a turn: each with its own error.


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


# Turns beyond the vectors of §6.


def test_a_seat_cannot_go_out_while_stock_remains():  # shithead R16
    step = play(position(["5C", "7C"], stock="KC"), "5C")
    assert not list(of(step, SeatOut))
    assert hand(step.state, 0) == "KC"


def test_after_the_hand_come_the_tops():  # shithead R6
    state = position(["", "4C"], ["8C 8D 5C", ""], pile="6C")
    assert legal(state) == {"8C", "8C 8D"}
    step = play(state, "8D")
    assert one(step, Played).source == "top"
    assert top(step.state, 0) == "5C 8C"


def test_who_cannot_play_a_top_card_picks_up():  # shithead R8
    state = position(["", "4C"], ["8C 9D", ""], pile="KC")
    assert legal(state) == {"pickup"}
    step = play(state, "pickup")
    assert one(step, PickedUp).count == 1
    assert (hand(step.state, 0), top(step.state, 0)) == ("KC", "8C 9D")


def test_with_stock_the_last_hand_cards_may_take_tops_along():  # shithead R9
    step = play(position(["QC QS", "4C"], ["QD 4S"], stock="2C"), "QC QS QD")
    assert one(step, Played).source == "hand_top"
    assert (hand(step.state, 0), top(step.state, 0)) == ("2C", "4S")


def test_a_part_of_the_hand_takes_no_tops_along():  # shithead R9
    assert legal(position(["QC QS", "4C"], ["QD 4S"])) == {"QC", "QC QS", "QC QS QD"}


def test_a_hidden_joker_turns_round_and_burns_on_a_joker():  # shithead R10, R13
    step = play(position(["", "4C", "5C"], hidden=["X2 9C"], pile="4D X1"), "blind 0")
    assert one(step, Burned).reason == "jokers"
    assert (step.state.direction, step.state.turn) == (-1, 0)


def test_a_hidden_ten_leads_on_with_the_next_slot():  # shithead R10, R14
    state = play(position(["", "4C"], hidden=["TD 9C"], pile="4D"), "blind 0").state
    assert (state.turn, legal(state)) == (0, {"blind 1"})


def test_tens_burn_what_they_are_laid_on_and_themselves():  # shithead R13
    step = play(position(["TC TD 4C", "4D"], pile="7C"), "TC TD")
    assert one(step, Burned) == Burned(0, 3, "ten")
    assert {TEXT[card] for card in step.state.burned} >= {"7C", "TC", "TD"}


def test_a_burn_hands_the_lead_on_in_the_direction_of_play():  # shithead R14, R17
    state = position(["TD", "4C 5C", "6C"], direction=-1)
    step = play(state, "TD")
    assert step.state.turn == 2
    assert step.events[-1] == Turn(2)


def test_the_joker_of_a_seat_that_goes_out_still_turns_round():  # shithead R15
    state = position(["X1", "4C 5C", "6C"])
    assert play(state, "X1").state.turn == 2


def test_turns_are_counted_per_game():  # shithead R19
    state = position(["5C 6C", "7C 8C"], pile="4C", turns=7)
    assert play(state, "5C", "7C").state.turns == 9
    assert pile(play(state, "5C", "7C").state) == "4C 5C 7C"


# How a game ends: places, the shed, the ranking (shithead R18, R19).


def test_the_shed_shows_what_it_is_left_with():  # shithead §4
    state = position(["5C", "6C"], ["", "KC"], hidden=["", "- QD"], pile="4C")
    (left,) = one(play(state, "5C"), GameOver).remaining
    assert (left.hand, left.top, left.hidden) == (("6C",), ("KC",), ("QD",))


def at_the_limit(**options):
    return position(
        ["5C 6C", "7C 8C 9C", "7D 8D 9D", "", "JC"], pile="4C", places=[0, 0, 0, 1, 0],
        turns=9, max_turns=10, **options,
    )  # fmt: skip


def test_at_the_limit_the_seats_with_most_cards_share_the_shed():  # shithead R19
    step = play(at_the_limit(), "5C")
    over = one(step, GameOver)
    assert over.shed == (1, 2)
    assert over.places == (2, 5, 5, 1, 2)
    assert {left.seat for left in over.remaining} == {1, 2}
    assert SHITHEAD.outcome(step.state).winners == (3,)
    assert SHITHEAD.outcome(step.state).reason == "games"


@pytest.mark.parametrize(("next_starter", "first"), [("shed", 1), ("left_of_shed", 2)])
def test_after_the_limit_the_lowest_shed_counts(next_starter, first):  # shithead R19
    state = play(at_the_limit(games=2, next_starter=next_starter), "5C", shuffle=in_new_order).state
    assert (state.dealer + 1) % 5 == first
    assert state.times_shed == (0, 1, 1, 0, 0)
    assert state.turns == 0


def test_the_limit_does_not_undo_a_proper_end():  # shithead R18, R19
    state = position(["5C", "6C 7C"], pile="4C", turns=9, max_turns=10)
    step = play(state, "5C")
    assert one(step, SeatOut) == SeatOut(0, 1)
    assert one(step, GameOver).places == (1, 2)


def test_the_ranking_goes_by_times_shed_then_by_places():
    state = position(["", "", "", ""], jokers=2)
    state = replace(state, times_shed=(1, 0, 0, 0), points=(4, 6, 5, 5), phase="over")
    assert [(s.seat, s.place) for s in standings(state)] == [(2, 1), (3, 1), (1, 3), (0, 4)]
    outcome = SHITHEAD.outcome(state)
    assert (outcome.winners, outcome.places) == ((2, 3), (4, 3, 1, 1))
    assert outcome.points == (4, 6, 5, 5)


def test_the_last_game_ends_the_match():
    state = position(["5C", "6C 7C"], pile="4C", games=2, game_no=2)
    state = replace(state, times_shed=(1, 0), points=(2, 1))
    step = play(state, "5C")
    assert step.scores == (1, 2)
    assert [s.seat for s in one(step, MatchOver).standings] == [0, 1]
    assert SHITHEAD.outcome(step.state).winners == (0, 1)
    assert SHITHEAD.to_act(step.state) == ()
    assert SHITHEAD.legal_moves(step.state, 1) == ()


# Moves on buttons and events in sentences.

NAMES = ("Ada", "Bo", "Cy")


def started(k):
    return happened.GameStarted(game_no=2, dealer=1, starter=2, k=k, stock=9)


@pytest.mark.parametrize(
    ("move", "label"),
    [
        ("5H 5D", "Play 5♥ 5♦"),
        ("X1", "Play Joker 1"),
        ("TD", "Play 10♦"),
        ("blind 2", "Turn up hidden card 3"),
        ("pickup", "Pick up the pile"),
        ("ready", "Ready"),
        ("swap 5C 2S", "Lay 5♣ open, take 2♠"),
    ],
)
def test_a_move_as_a_button_says_it(move, label):
    assert str(SHITHEAD.label(move)) == label


class CardsInRussian:
    """A reader's language: other words, other letters on the cards."""

    def knows(self, message, plural):
        return True

    def gettext(self, message):
        return {"Play {cards}": "Сыграть {cards}"}[message]

    def ngettext(self, one, many, count):
        raise AssertionError("nothing is counted")

    def card(self, code):
        return {"KD": "К♦", "KS": "К♠"}[code]


def test_a_move_in_another_language():
    assert SHITHEAD.label("KD KS").render(CardsInRussian()) == "Сыграть К♦ К♠"


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (started(k=3), "Game 2: Bo deals 3 cards of each kind."),
        (started(k=1), "Game 2: Bo deals 1 card of each kind."),
        (happened.Dealt(0, ("5C", "TD"), None), "Ada shows 5♣ 10♦."),
        (happened.Dealt(0, ("5C",), ("KC",)), "Ada shows 5♣."),
        (happened.Exchanged(0, "5C", "2S"), "Ada lays 5♣ open and takes 2♠."),
        (happened.Ready(1), "Bo is ready."),
        (happened.Played(0, ("5C", "5D"), "hand"), "Ada plays 5♣ 5♦."),
        (happened.Played(0, ("5C",), "hidden"), "Ada plays 5♣ from the hidden cards."),
        (happened.Played(0, ("5C",), "hand_top"), "Ada plays 5♣ from hand and top cards."),
        (happened.HiddenFailed(0, 1, "5C"), "Ada turns up 5♣, which may not be played."),
        (happened.PickedUp(0, 1), "Ada picks up one card."),
        (happened.PickedUp(0, 7), "Ada picks up 7 cards."),
        (happened.Direction(-1), "Play goes anticlockwise now."),
        (happened.Burned(0, 5, "four"), "Four of a kind: Ada burns 5 cards."),
        (happened.Drew(0, 3, None), "Ada draws a card; 3 left in the stock."),
        (happened.Drew(0, 3, "KC"), "Ada draws K♣; 3 left in the stock."),
        (happened.SeatOut(2, 1), "Cy is out in place 1."),
        (happened.Turn(1), "Bo is to play."),
        (
            happened.GameOver((1,), (1, 2), (happened.Remaining(1, ("5C",), (), ("KC",)),)),
            "The game is over; Bo is the shed. Bo is left with 5♣ K♣.",
        ),
        (
            happened.GameOver((0, 1), (3, 3, 1), ()),
            "The game is over; Ada and Bo share being the shed.",
        ),
        (
            happened.MatchOver((happened.Standing(2, 1, 0, 1), happened.Standing(0, 2, 1, 2))),
            "The match is over; Cy wins.",
        ),
        (
            happened.MatchOver((happened.Standing(0, 1, 0, 1), happened.Standing(1, 1, 0, 1))),
            "The match is over; Ada and Bo share the win.",
        ),
    ],
)
def test_an_event_in_words(event, sentence):
    assert str(SHITHEAD.narrate(event, NAMES)) == sentence


# Facts of a game beside its places, from what everybody saw.


def counted(events, players=2):
    causes = match_causes(events, ShitheadOptions(players=players))
    return [[(str(each.what), each.points) for each in side] for side in causes]


def test_cards_picked_up_and_piles_burned():
    events = [
        PickedUp(seat=0, count=4),
        Burned(seat=1, count=5, reason="ten"),
        PickedUp(seat=0, count=3),
        Burned(seat=1, count=1, reason="ten"),
        PickedUp(seat=1, count=2),
    ]
    assert counted(events) == [
        [("cards picked up", 7)],
        [("cards picked up", 2), ("piles burned", 2)],
    ]


def test_a_seat_that_did_neither_has_no_cause():
    assert counted([Burned(seat=2, count=4, reason="ten")], players=3)[:2] == [[], []]


def test_whole_games_lose_no_card():
    """Of each seat: what it was dealt, drew and picked up is what it played and still holds."""
    for seed in range(4):
        options = ShitheadOptions(players=3)
        shuffle, rng = seeded(Random(seed)), Random(seed)
        step = GAME.start(options, [Setup(name) for name in "ABC"], shuffle)
        events = list(step.events)
        while acting := GAME.to_act(step.state):
            moves = GAME.legal_moves(step.state, acting[0])
            step = GAME.play(step.state, acting[0], rng.choice(moves), shuffle)
            events += [event.seen_by(None) for event in step.events]
        picked = [dict(side).get("cards picked up", 0) for side in counted(events, 3)]
        over = step.state
        for seat in range(3):
            dealt = 3 * next(event.k for event in events if hasattr(event, "k"))
            drawn = sum(isinstance(each, Drew) and each.seat == seat for each in events)
            failed = sum(isinstance(each, HiddenFailed) and each.seat == seat for each in events)
            played = sum(
                len(each.cards) for each in events if isinstance(each, Played) and each.seat == seat
            )
            hidden = over.hidden[seat]
            held = len(over.hands[seat]) + len(over.tops[seat]) + len(hidden) - hidden.count(None)
            assert dealt + drawn + picked[seat] == played + failed + held
