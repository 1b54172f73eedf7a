"""Who may act, and what is legal then (pazaak §3, R8 to R11)."""

from collections import Counter

import pytest

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak import side_cards
from cardroom.rules.pazaak.events import (
    CardPlayed,
    HandDrawn,
    MainDrawn,
    MatchOver,
    Opener,
    Passed,
    RoundOver,
    RoundStarted,
)
from cardroom.rules.pazaak.predicates import CARD_PLAYS
from cardroom.rules.pazaak.side_cards import CATALOGUES, CODES, READY_MADE, SIDE_CARDS, faults
from cardroom.rules.values import BadSideDeck, MalformedMove, Setup
from tests.rules.pazaak.scene import board, deck, half, play, refusal, scene, start, told, values


def test_a_turn_begins_with_draw_or_stand():
    table = scene(half("4", hand="P1"))
    assert PAZAAK.legal_moves(table, 0) == ("draw", "stand")
    for move in ("P1", "pass", "end"):
        assert refusal(table, move) == "wrong_phase"


def test_after_the_draw_every_way_to_play_a_card_is_listed_once():
    table = scene(half("4", hand="P3 P3 PM2 PM12 F24 D T"), phase="turn_play")
    cards = "P3 PM2+ PM2- PM12+1 PM12+2 PM12-1 PM12-2 F24 D T+ T-"
    assert PAZAAK.legal_moves(table, 0) == (*cards.split(), "pass")
    for move in ("draw", "stand", "end"):
        assert refusal(table, move) == "wrong_phase"


# How a match and a round are dealt: side decks, decks, who starts (pazaak R2 to R6).

PLAIN = ("P1",) * 10


def completed(setup, **options):
    return PAZAAK.complete_setup(PAZAAK.choose_options(options), setup)


def test_who_brings_nothing_gets_the_starter_deck():
    assert completed(Setup("Ann")).side_deck == side_cards.STARTER


@pytest.mark.parametrize("catalogue", CATALOGUES)
@pytest.mark.parametrize("max_copies", [None, 1, 2])
@pytest.mark.parametrize("bot", [None, "random", "rookie", "gambler", "professor"])
def test_whatever_is_lent_is_legal(catalogue, max_copies, bot):
    lent = completed(Setup("x", bot), catalogue=catalogue, max_copies=max_copies)
    assert faults(lent.side_deck, catalogue, max_copies) == ()


@pytest.mark.parametrize(
    ("catalogue", "extra"),
    [("full", {"PM12", "T"}), ("kotor2", {"PM12", "T"}), ("kotor1", set())],
)
def test_the_cheater_brings_its_own_deck_whatever_was_asked(catalogue, extra):
    setup = Setup("x", "cheater", PLAIN)
    brought = completed(setup, catalogue=catalogue, max_copies=1)
    assert set(brought.side_deck) == {"PM1", "PM2", "PM3", "PM4", "PM5", "PM6"} | extra
    assert len(brought.side_deck) == 10


def test_the_match_checks_the_decks_again_at_its_start():
    setups = (Setup("Ann", None, PLAIN), Setup("Bob", None, ("F12", "P9", *PLAIN[:7])))
    options = PAZAAK.choose_options({"catalogue": "kotor1", "max_copies": 6})
    with pytest.raises(BadSideDeck) as refused:
        PAZAAK.start(options, (setups[1], setups[0]), list)
    assert len(refused.value.faults) == 4


TEN = "P1 P2 P3 P4 P5 P6 M1 M2 M3 M4"


def reason(step):
    return told(step, RoundOver)[0].reason


@pytest.mark.parametrize(("rule", "seat"), [("seat0", 0), ("seat1", 1)])
def test_the_first_starter_may_be_fixed(rule, seat):
    step, _ = start([TEN.split()] * 2 + [deck("")] * 2, (TEN, TEN), first_starter=rule)
    assert told(step, RoundStarted) == [RoundStarted(1, seat)]
    assert told(step, Opener) == []


@pytest.mark.parametrize(
    ("rule", "after_win", "after_tie"),
    [("alternate", 1, 1), ("winner", 0, 1), ("loser", 1, 1), ("fixed", 0, 0)],
)
def test_the_next_starter(rule, after_win, after_tie):
    table = scene(half("5"), half("4", standing=True), next_starter=rule)
    assert play(table, "0 stand").state.starter == after_win
    tied = scene(half("5"), half("5", standing=True), next_starter=rule)
    assert play(tied, "0 stand").state.starter == after_tie


def test_the_winner_starts_also_where_the_other_opened():
    table = scene(half("5"), half("6", standing=True), next_starter="winner")
    assert play(table, "0 stand").state.starter == 1


def test_a_new_round_clears_the_boards_and_deals_whole_decks():  # R4
    state = play(scene(half("5 6"), half("4", standing=True)), "0 stand").state
    for side in state.halves:
        assert (side.board, side.total, side.standing) == ((), 0, False)
        assert sorted(side.main) == sorted(deck(""))


def test_a_deck_is_laid_in_catalogue_order():
    brought = ("T", "D", "F24", "PM12", "PM1", "M1", "P6", "P1", "M6", "P1")
    setup = completed(Setup("Ann", None, brought))
    assert setup.side_deck == ("P1", "P1", "P6", "M1", "M6", "PM1", "PM12", "F24", "D", "T")
    assert completed(setup) == setup


# The catalogue and what makes a side deck legal (pazaak §0, R2).


def test_there_are_36_types_in_seven_kinds():
    kinds = Counter(card.kind for card in SIDE_CARDS)
    assert len(set(CODES)) == 36
    assert list(kinds.values()) == [6, 6, 6, 1, 15, 1, 1]
    assert CODES[18:22] == ("PM12", "F12", "F13", "F14")
    assert CODES[-3:] == ("F56", "D", "T")


def test_catalogues_hold_what_the_original_games_had():
    sizes = {name: len(codes) for name, codes in CATALOGUES.items()}
    assert sizes == {"full": 36, "kotor1": 18, "kotor2": 23}
    assert set(CATALOGUES["kotor2"]) - set(CATALOGUES["kotor1"]) == {"PM12", "F24", "F36", "D", "T"}


@pytest.mark.parametrize(
    ("cards", "limits", "named"),
    [
        (PLAIN[:9], {}, ["9"]),
        ((*PLAIN, "P2"), {}, ["11"]),
        (("P7", *PLAIN[1:]), {}, ["'P7'"]),
        (("F42", *PLAIN[1:]), {}, ["'F42'"]),
        (("F12", *PLAIN[1:]), {"catalogue": "kotor2"}, ["F12"]),
        (PLAIN, {"max_copies": 9}, ["P1"]),
        (("X" * 500, "T", "P1"), {"catalogue": "kotor1", "max_copies": 1}, ["3", "'XXX", "T"]),
    ],
)
def test_every_fault_of_a_deck_is_named(cards, limits, named):
    found = faults(cards, **limits)
    assert len(found) == len(named)
    for sentence, word in zip(map(str, found), named, strict=True):
        assert word in sentence
        assert len(sentence) < 150


def test_a_legal_deck_has_no_fault():
    assert faults(PLAIN) == ()
    assert faults(PLAIN, "kotor1", 10) == ()


@pytest.mark.parametrize(
    ("cards", "names"),
    [
        (PLAIN, ("full", "kotor1", "kotor2")),
        (("T", *PLAIN[1:]), ("full", "kotor2")),
        (("F12", *PLAIN[1:]), ("full",)),
        (PLAIN[:9], ()),
    ],
)
def test_legal_catalogues_of_a_deck(cards, names):
    assert side_cards.legal_catalogues(cards) == names


def test_ready_made_decks_are_legal_unlike_and_described():
    assert len(READY_MADE) >= 4
    assert len({deck.slug for deck in READY_MADE}) == len(READY_MADE)
    for ready in READY_MADE:
        assert faults(ready.cards) == ()
        assert ready.cards == side_cards.in_order(ready.cards)
        assert ready.name
        assert str(ready.description)
    assert len({ready.cards for ready in READY_MADE}) == len(READY_MADE)


# The notation of moves (pazaak §3).


def test_there_are_46_ways_to_play_a_side_card():
    assert len(CARD_PLAYS) == 6 + 6 + 12 + 4 + 15 + 1 + 2


@pytest.mark.parametrize("move", ["", "P7", "p3", "P 3", "F42", "DRAW", "3", "PM0+", "+", "\x00"])
def test_what_is_no_move_is_malformed_even_out_of_turn(move):
    table = scene(half("4", hand="P3"), phase="turn_play")
    for seat in (0, 1, 7):
        assert refusal(table, move, MalformedMove, seat) == "unknown_move"


# Playing a side card and ending a turn, and what is refused (pazaak R8 to R17).


def test_a_card_must_be_in_the_hand():
    table = scene(half("4", hand="P3", side="P4"), phase="turn_play")
    assert refusal(table, "P4") == "not_in_hand"


def test_one_copy_of_a_card_is_spent_for_the_match():  # R3
    step = play(scene(half("4", hand="P3 P3"), phase="turn_play"), "0 P3")
    assert step.state.halves[0].hand == ("P3",)
    assert step.state.halves[0].played == ("P3",)


def test_only_the_own_board_changes():  # R13
    table = scene(half("4 6", hand="F46"), half("4 6"), phase="turn_play")
    step = play(table, "0 F46")
    assert step.state.halves[1].board == table.halves[1].board


def test_a_flip_turns_negative_cards_back():  # R16
    table = scene(half("-3:M3 3 2:D -2:2", hand="F23"), phase="turn_play")
    assert values(play(table, "0 F23").state, 0) == [3, -3, -2, 2]


def test_a_flip_that_matches_nothing_is_wasted():  # R16
    step = play(scene(half("9 8", hand="F12"), phase="turn_play"), "0 F12")
    assert told(step, CardPlayed)[0].effect == ()
    assert values(step.state, 0) == [9, 8]
    assert step.state.halves[0].hand == ()


def test_a_doubled_card_is_flipped_by_what_it_counts_now():  # R17
    table = scene(half("9 4:2", hand="F24"), phase="turn_play")
    assert values(play(table, "0 F24").state, 0) == [9, -4]


def test_specials_that_take_a_place():
    table = scene(half("2 5", hand="F25 D"), phase="turn_play", specials_take_slot=True)
    flipped = play(table, "0 F25")
    assert flipped.state.halves[0].board == board("-2:2 -5:5 0:F25")
    assert told(flipped, CardPlayed)[0].effect == (0, 1)
    doubled = play(table, "0 D")
    assert doubled.state.halves[0].board == board("2 5 5:D")
    assert told(doubled, CardPlayed)[0].effect == 5


def test_a_placed_double_is_flipped_by_its_size():
    table = scene(half("2 5 5:D", hand="F15"), phase="turn_play", specials_take_slot=True)
    assert values(play(table, "0 F15").state, 0) == [2, -5, -5, 0]


def test_specials_that_take_a_place_need_one():
    full = half("2 2 2 3 3 1 1 4 5", hand="F25 D M6")
    table = scene(full, phase="turn_play", specials_take_slot=True)
    assert PAZAAK.legal_moves(table, 0) == ("pass",)
    assert refusal(table, "F25") == "no_space"
    spent = scene(full, phase="turn_play")
    assert PAZAAK.legal_moves(spent, 0) == ("F25", "D", "pass")


def test_a_sign_and_value_are_told():
    step = play(scene(half("4", hand="PM12"), phase="turn_play"), "0 PM12-2")
    assert told(step, CardPlayed) == [
        CardPlayed(seat=0, code="PM12", sign="-", value=2, effect=-2, total=2)
    ]


class TestTurnEnd:
    """The original sequence: draw by itself, play or not, then end or stand."""

    def table(self, *halves, **options):
        return scene(*halves, phase="turn_play", stand_timing="turn_end", **options)

    def test_cards_end_and_stand_are_offered_but_no_pass(self):
        table = self.table(half("4", hand="P3"))
        assert PAZAAK.legal_moves(table, 0) == ("P3", "end", "stand")
        for move in ("pass", "draw"):
            assert refusal(table, move) == "wrong_phase"

    def test_one_card_a_turn(self):
        played = play(self.table(half("4", hand="P3 P1")), "0 P3").state
        assert played.phase == "turn_close"
        assert PAZAAK.legal_moves(played, 0) == ("end", "stand")
        for move in ("P1", "pass", "draw"):
            assert refusal(played, move) == "wrong_phase"

    def test_ending_a_turn_lets_the_other_draw_at_once(self):
        step = play(self.table(half("4"), half("3", draws="6")), "0 end")
        assert step.events == (Passed(0, 4), MainDrawn(1, 6, 9, 2))
        assert (step.state.to_act, step.state.phase) == (1, "turn_play")

    def test_a_card_over_20_is_no_bust_before_the_turn_ends(self):
        step = play(self.table(half("10 8", hand="P6")), "0 P6")
        assert step.scores is None
        assert play(step.state, "0 end").scores == (0, 1)

    def test_standing_above_20_is_a_bust(self):
        assert play(self.table(half("10 8 4")), "0 stand").scores == (0, 1)

    def test_standing_keeps_the_total_reached(self):
        step = play(self.table(half("10 8"), half(draws="5")), "0 stand")
        assert step.state.halves[0].standing
        assert step.state.halves[1].total == 5

    def test_a_card_that_brings_20_stands_only_when_the_turn_ends(self):
        played = play(self.table(half("10 8", hand="P2")), "0 P2").state
        assert not played.halves[0].standing
        assert play(played, "0 end").state.halves[0].standing

    def test_the_ninth_card_of_the_hand_wins_when_the_turn_ends(self):
        table = self.table(half("1 1 1 1 2 2 2 2", hand="P1"))
        played = play(table, "0 P1")
        assert played.scores is None
        for move in ("end", "stand"):
            assert play(played.state, f"0 {move}").scores == (1, 0)

    def test_a_draw_that_fills_the_table_wins_without_being_asked(self):
        table = self.table(half("4"), half("1 1 1 1 2 2 2 2", draws="3"))
        assert play(table, "0 end").scores == (0, 1)


# How a round ends, and what decides the match (pazaak R18 to R24).


def test_two_full_tables_are_compared_when_draws_run_by_themselves():
    table = scene(
        half("1 1 2 2 2 3 1 2", draws="3"),
        half("1 1 2 2 2 3 1", draws="1 2"),
        to_act=1,
        preset="kotor1",
        phase="turn_play",
    )
    drawn = play(table, "1 end")  # seat 0 draws its ninth card and stands, seat 1 draws
    assert drawn.state.halves[0].standing
    assert (drawn.state.to_act, len(drawn.state.halves[1].board)) == (1, 8)
    done = play(drawn.state, "1 end")
    assert told(done, RoundOver) == [RoundOver(0, "outscore", (17, 15), (1, 0))]


def test_max_rounds_gives_the_match_to_more_wins():
    table = scene(half("5"), half("4", standing=True), rounds_to_win=9, max_rounds=1)
    step = play(table, "0 stand")
    assert told(step, MatchOver) == [MatchOver(0, (1, 0))]
    assert PAZAAK.outcome(step.state).reason == "limit"


def test_max_rounds_with_equal_wins_is_a_draw():
    table = scene(half("5"), half("5", standing=True), wins=(1, 1), round_no=3, max_rounds=3)
    step = play(table, "0 stand")
    outcome = PAZAAK.outcome(step.state)
    assert (outcome.winners, outcome.points, outcome.places) == ((0, 1), (1, 1), (1, 1))
    assert told(step, MatchOver) == [MatchOver(None, (1, 1))]


def test_enough_wins_in_the_last_allowed_round_are_wins():
    table = scene(half("5"), half("4", standing=True), wins=(1, 1), round_no=3, max_rounds=3)
    assert PAZAAK.outcome(play(table, "0 stand").state).reason == "rounds"


def test_a_buried_tiebreaker_of_both_is_a_tie_in_the_wider_scope():
    table = scene(
        half("9 1:T 8"), half("10 -1:T 9", standing=True), tiebreaker_scope="played_this_round"
    )
    assert reason(play(table, "0 stand")) == "tie"


# Moves and events in words.

NAMES = ("Ann", "Bob")


def card_played(code, seat=0, sign=None, looked_at=None, *, effect, total):
    return CardPlayed(
        seat=seat,
        code=code,
        sign=sign,
        value=None,
        effect=effect,
        total=total,
        looked_at=looked_at,
    )


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("draw", "Draw a card"),
        ("stand", "Stand"),
        ("pass", "Play no card"),
        ("end", "End the turn"),
        ("P3", "Play +3"),
        ("M3", "Play −3"),
        ("PM3-", "Play ±3 as −3"),
        ("PM12+2", "Play ±1/2 as +2"),
        ("F24", "Flip 2 & 4"),
        ("D", "Double the newest card"),
        ("T+", "Play Tiebreaker ±1 as +1"),
    ],
)
def test_a_button_says_what_it_does(move, words):
    assert str(PAZAAK.label(move)) == words


def test_what_is_no_move_has_no_label():
    with pytest.raises(MalformedMove):
        PAZAAK.label("P9")


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (HandDrawn(0, 2, ("P1", "T")), "Ann draws +1, Tiebreaker ±1."),
        (HandDrawn(0, 2, None), "Ann draws 2 cards."),
        (HandDrawn(0, 0, None), "Ann draws no side cards."),
        (
            HandDrawn(1, 4, (), cheating=True),
            "Bob cheats: it may play 4 cards more, any of its whole side deck.",
        ),
        (card_played("PM3", sign="-", effect=-3, total=-1), "Ann plays ±3 as −3: −1."),
        (
            card_played("F24", effect=(0, 2), total=5),
            "Ann plays Flip 2 & 4, turning 2 cards over: 5.",
        ),
        (card_played("F24", effect=(), total=5), "Ann plays Flip 2 & 4 in vain: 5."),
        (card_played("D", effect=(1,), total=10), "Ann plays Double: 10."),
        (
            card_played("T", seat=1, sign="+", effect=1, total=20, looked_at=7),
            (
                "Bob plays Tiebreaker ±1 as +1, having looked at all 7 cards left in its side deck"
                ": 20."
            ),
        ),
        (
            RoundOver(1, "bust", (22, 3), (0, 1)),
            "Ann is bust at 22: Bob wins the round. It stands 0 to 1.",
        ),
        (
            RoundOver(None, "tie", (20, 20), (0, 0)),
            "Equal totals: the round is a tie. It stands 0 to 0.",
        ),
        (MatchOver(1, (0, 2)), "Bob wins the match 2 to 0."),
        (MatchOver(None, (1, 1)), "The match is drawn, 1 to 1."),
    ],
)
def test_an_event_is_told_in_a_sentence(event, words):
    assert str(PAZAAK.narrate(event, NAMES)) == words
