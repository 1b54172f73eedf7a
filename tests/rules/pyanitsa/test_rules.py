"""Whose turn it is, what is refused, the collection of `arbitrary`, `pace`, round trips."""

from random import Random

import msgspec
import pytest

from cardroom.rules.cards import SIX, TWO, parse
from cardroom.rules.pyanitsa import GAME, predicates
from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.pyanitsa.events import (
    CardLaid,
    Dealt,
    Dispute,
    MatchOver,
    Recycled,
    SeatOut,
    TrickTaken,
)
from cardroom.rules.pyanitsa.narration import match_causes
from cardroom.rules.pyanitsa.options import PyanitsaOptions
from cardroom.rules.pyanitsa.predicates import NO_RANK, highest
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import IllegalMove, MalformedMove, NotYourTurn, Resigned, Setup
from tests.rules.pyanitsa.scene import draws, flip, scene, stacked, taken, trick, wons


def choosing(**options):
    """Seat 0 has won a mortgage and chooses the order of its six cards."""
    start = scene(
        "8C 7D QD 6C", "8S AH TD 6H", dispute="mortgage", collect_order="arbitrary", **options
    )
    return trick(start)


def test_there_is_nothing_to_collect_while_cards_are_laid():
    with pytest.raises(IllegalMove, match="flip") as refused:
        PYANITSA.play(scene("KC 7C", "9D 8D"), 0, "collect KC 9D", stacked())
    assert refused.value.reason == "nothing_to_collect"


# pyanitsa §2 collect_order arbitrary
class TestArbitrary:
    def test_the_taker_is_asked_before_the_cards_are_put_away(self):
        state, events = choosing()
        assert PYANITSA.to_act(state) == (0,)
        assert PYANITSA.legal_moves(state, 0) == ("collect 8C 8S 7D QD AH TD",)
        assert PYANITSA.legal_moves(state, 1) == ()
        assert isinstance(events[-1], TrickTaken)
        assert wons(state) == ["", ""]

    def test_every_order_of_the_cards_is_taken_and_recorded_as_given(self):
        state, _ = choosing()
        step = PYANITSA.play(state, 0, "collect AH QD TD 8S 8C 7D", stacked())
        assert wons(step.state) == ["AH QD TD 8S 8C 7D", ""]
        assert step.move == "collect AH QD TD 8S 8C 7D"
        assert PYANITSA.to_act(step.state) == (0,)

    def test_at_the_bottom(self):
        state, _ = choosing(collect_to="bottom")
        step = PYANITSA.play(state, 0, "collect AH QD TD 8S 8C 7D", stacked())
        assert draws(step.state) == ["6C AH QD TD 8S 8C 7D", "6H"]

    @pytest.mark.parametrize(
        "move",
        ["collect AH QD TD 8S 8C", "collect AH QD TD 8S 8C 7D 6C", "collect AH QD TD 8S 8C 6C",
         "collect X1 X2"],
    )  # fmt: skip
    def test_other_cards_are_refused(self, move):
        state, _ = choosing()
        with pytest.raises(IllegalMove, match="collect 8C 8S 7D QD AH TD") as refused:
            PYANITSA.play(state, 0, move, stacked())
        assert refused.value.reason == "not_the_trick"

    def test_nobody_flips_before(self):
        state, _ = choosing()
        with pytest.raises(IllegalMove) as refused:
            PYANITSA.play(state, 0, "flip", stacked())
        assert refused.value.reason == "collect_first"
        with pytest.raises(NotYourTurn):
            PYANITSA.play(state, 1, "flip", stacked())

    def test_the_last_trick_is_collected_too_and_only_then_is_a_seat_out(self):
        state, events = trick(scene("KC 7C", "9D", collect_order="arbitrary"))
        assert not any(isinstance(event, SeatOut) for event in events)
        assert PYANITSA.outcome(state) is None
        step = PYANITSA.play(state, 0, "collect 9D KC", stacked())
        assert step.events == (SeatOut(1, 1), MatchOver((0,), "all_cards", (1, 2)))
        assert step.scores == (1, 2)

    def test_a_trick_taken_without_cards_is_collected_too(self):
        state, events = trick(scene("9C", "9D KD", collect_order="arbitrary"))
        assert taken(events).reason == "no_cards"
        assert PYANITSA.legal_moves(state, 0) == ("collect 9C 9D",)

    def test_only_the_taker_learns_what_lay_face_down(self):
        _, events = choosing()
        event = taken(events)
        assert event.face_down == ("7D", "AH")
        assert event.seen_by(0) == event
        for other in (1, None):
            assert event.seen_by(other) == TrickTaken(0, 6, "dispute_won")


# pyanitsa §4: mortgage cards stay unknown to all
@pytest.mark.parametrize("order", ["as_laid", "own_first"])
def test_without_a_choice_nobody_learns_what_lay_face_down(order):
    piles = ("8C 7D QD 6C", "8S AH TD 6H")
    _, events = trick(scene(*piles, dispute="mortgage", collect_order=order))
    assert taken(events).face_down is None
    assert b"7D" not in msgspec.json.encode(events)


# pyanitsa §2 pace
def test_pace_auto_plays_flips_but_never_a_choice():
    state = scene("KC 7C", "9D 8D", pace="auto", collect_order="arbitrary")
    assert PYANITSA.autoplays(state, 0)
    assert not PYANITSA.autoplays(state, 1)
    state, _ = trick(state)
    assert PYANITSA.to_act(state) == (0,)
    assert not PYANITSA.autoplays(state, 0)
    assert not PYANITSA.autoplays(scene("KC 7C", "9D 8D"), 0)


def test_nothing_plays_itself_after_the_end():
    state, _ = trick(scene("KC 7C", "9D", pace="auto"))
    assert not any(PYANITSA.autoplays(state, seat) for seat in (0, 1))


def test_who_is_out_cannot_resign():
    state, _ = trick(scene("9C 8C", "7D", "KH 6H"))
    assert PYANITSA.retired_seats(state) == {1}


def test_a_state_in_a_mortgage_is_the_same_bytes_after_a_round_trip():
    state = flip(flip(flip(scene("8C 7D QD", "8S AH TD", dispute="mortgage")).state).state).state
    data = msgspec.json.encode(state)
    assert PYANITSA.decode_state(data) == state
    assert msgspec.json.encode(PYANITSA.decode_state(data)) == data


# The notation: what is refused, what others read, what stands for other moves.


@pytest.mark.parametrize(
    "move",
    ["", "Flip", "flip ", " flip", "flop", "collect", "collect ", "collect  KC 9D", "collect KC 9Z",
     "collect KC KC", "collect kc 9d", "collect,KC", "KC", "flip flip", "\x00", "collect KC\n9D"],
)  # fmt: skip
@pytest.mark.parametrize("seat", [0, 1, 7])
def test_what_is_no_move_is_malformed_for_every_seat(move, seat):
    state = scene("KC 7C", "9D 8D")
    with pytest.raises(MalformedMove, match="collect"):
        PYANITSA.play(state, seat, move, stacked())


def test_others_do_not_read_the_order():
    assert PYANITSA.public_move("collect AH QD TD 8S 8C 7D") == "collect"
    assert PYANITSA.public_move("flip") == "flip"


def test_a_collection_is_written_as_it_is_read():
    assert predicates.parse("flip") is None
    assert predicates.text(predicates.parse("collect KC 9D X1")) == "collect KC 9D X1"


def test_a_collection_stands_for_every_order_of_its_cards():
    assert PYANITSA.represents_others("collect KC 9D")
    assert not PYANITSA.represents_others("flip")


# Which card is higher, on plain ints (pyanitsa R3, R8, §2 low_beats_ace and jokers).


@pytest.mark.parametrize(
    ("cards", "low", "places"),
    [
        ("6C 7D", NO_RANK, [1]),
        ("KC KD 7H", NO_RANK, [0, 1]),
        ("7C 7D KH", NO_RANK, [2]),
        ("AC 6D", SIX, [1]),
        ("AC 6D", TWO, [0]),
        ("KC 6D", SIX, [0]),
        ("AC AD 6H 6S", SIX, [2, 3]),
        ("X2 AC 2D", TWO, [0]),
        ("X1 X2", NO_RANK, [0, 1]),
    ],
)
def test_the_highest(cards, low, places):
    assert highest(parse(cards), low, joker_ranks=False) == places


def test_ranked_jokers():
    assert highest(parse("AC X2 X1"), NO_RANK, joker_ranks=True) == [2]
    assert highest(parse("AC X2"), NO_RANK, joker_ranks=True) == [1]


# Moves and events in words.

NAMES = ("Ann", "Bob", "Cem")


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Dealt(18, 0), "Everybody gets 18 cards."),
        (Dealt(7, 1), "Everybody gets 7 cards. 1 card set aside unseen."),
        (CardLaid(0, "TD", 0), "Ann lays 10♦."),
        (CardLaid(1, None, 1), "Bob lays a card face down."),
        (Recycled(2, 6), "Cem turns the won pile over: 6 cards."),
        (Dispute(1, (0, 1), False), "Dispute between Ann and Bob."),
        (
            Dispute(2, (0, 1, 2), True),
            "Another dispute between Ann, Bob and Cem, each with a card face down.",
        ),
        (TrickTaken(0, 2, "highest"), "Ann takes 2 cards."),
        (TrickTaken(0, 6, "dispute_won"), "Ann takes 6 cards, winning the dispute."),
        (
            TrickTaken(0, 6, "dispute_won", ("7D", "AH")),
            "Ann takes 6 cards, winning the dispute; face down lay 7♦, A♥.",
        ),
        (TrickTaken(1, 3, "no_cards"), "Bob takes 3 cards, having none left to dispute with."),
        (
            TrickTaken(1, 4, "no_cards", ("7D",)),
            "Bob takes 4 cards, having none left to dispute with; face down lay 7♦.",
        ),
        (Dispute(1, (1, 2), True), "Dispute between Bob and Cem, each with a card face down."),
        (Dispute(3, (1, 2), False), "Another dispute between Bob and Cem."),
        (Dealt(6, 4), "Everybody gets 6 cards. 4 cards set aside unseen."),
        (SeatOut(1, 4), "Bob has no cards left and is out."),
        (MatchOver((0,), "all_cards", (1, 2, 3)), "Ann wins the match with all the cards."),
        (
            MatchOver((0, 2), "gave_away", (1, 3, 1)),
            "Ann and Cem share the win with no cards left.",
        ),
        (MatchOver((1,), "limit", (2, 1, 3)), "Bob wins the match at the trick limit."),
    ],
)
def test_every_event_in_words(event, sentence):
    assert str(PYANITSA.narrate(event, NAMES)) == sentence


def test_the_words_are_of_what_one_may_know():
    event = TrickTaken(0, 6, "dispute_won", ("7D", "AH"))
    assert "7♦" not in str(PYANITSA.narrate(event.seen_by(1), NAMES))


def test_an_event_of_another_kind_has_no_words_here():
    with pytest.raises(TypeError, match="Resigned"):
        PYANITSA.narrate(Resigned(0), NAMES)


@pytest.mark.parametrize(
    ("move", "label"),
    [
        ("flip", "Turn up the next card"),
        ("collect KC TD X1", "Collect K♣ 10♦ Joker 1"),
        ("collect", "Collect the trick"),
    ],
)
def test_a_move_as_a_button_says_it(move, label):
    assert str(PYANITSA.label(move)) == label


# Why a seat holds as many cards as it does, from what everybody saw.


def counted(events, options):
    causes = match_causes(events, options)
    return [[(str(each.what), each.points) for each in side] for side in causes]


def laid(*cards, level=0):
    return [CardLaid(seat=seat, card=card, level=level) for seat, card in enumerate(cards)]


def test_plain_tricks_and_disputes_are_apart():
    events = [
        Dealt(cards_per_seat=18, set_aside=0),
        *laid("7C", "9C"),
        TrickTaken(seat=1, count=2, reason="highest"),
        *laid("8C", "8H"),
        Dispute(level=1, seats=(0, 1), mortgage=False),
        *laid("KC", "6H", level=1),
        TrickTaken(seat=0, count=4, reason="dispute_won"),
    ]
    assert counted(events, PyanitsaOptions()) == [
        [("dealt", 18), ("plain tricks", -1), ("disputes", 2)],
        [("dealt", 18), ("plain tricks", 1), ("disputes", -2)],
    ]


@pytest.mark.parametrize(
    "options",
    [
        PyanitsaOptions(players=2, max_tricks=80),
        PyanitsaOptions(players=5, deck=52, max_tricks=60),
        PyanitsaOptions(players=3, goal="giveaway", max_tricks=300),
    ],
    ids=["two", "five", "giveaway"],
)
def test_they_add_up_to_what_a_seat_holds(options):
    for seed in range(4):
        shuffle, rng = seeded(Random(seed)), Random(seed)
        setups = [Setup(str(seat)) for seat in range(options.players)]
        step = GAME.start(options, setups, shuffle)
        events = list(step.events)
        while acting := GAME.to_act(step.state):
            moves = GAME.legal_moves(step.state, acting[0])
            step = GAME.play(step.state, acting[0], rng.choice(moves), shuffle)
            events += [event.seen_by(None) for event in step.events]
        sums = [sum(points for _, points in side) for side in counted(events, options)]
        view = GAME.view(step.state, None)
        assert sums == [a + b for a, b in zip(view.draw_counts, view.won_counts, strict=True)]


# The bots: they flip, and where there is a choice each collects in its own way.


def trick_to_collect(**options):
    piles = ("8C 7D QD 6C", "8S AH TD 6H")
    state, _ = trick(scene(*piles, dispute="mortgage", collect_order="arbitrary", **options))
    return PYANITSA.view(state, 0)


def choose(slug, view, seed=1):
    return PYANITSA.bot(slug).choose(view, (), Random(seed))


def test_the_automaton_collects_as_laid():
    assert choose("automaton", trick_to_collect()) == "collect 8C 8S 7D QD AH TD"


def test_the_hoarder_puts_the_high_cards_first():
    assert choose("hoarder", trick_to_collect()) == "collect AH QD TD 8C 8S 7D"


def test_the_shuffler_mixes():
    moves = {choose("shuffler", trick_to_collect(), seed) for seed in range(40)}
    assert len(moves) > 20
    assert {tuple(sorted(move.split())) for move in moves} == {
        tuple(sorted(["collect", "8C", "8S", "7D", "QD", "AH", "TD"]))
    }


@pytest.mark.parametrize("slug", [bot.slug for bot in PYANITSA.bots])
def test_every_bot_flips_when_there_is_nothing_to_choose(slug):
    view = PYANITSA.view(scene("KC 7C", "9D 8D"), 0)
    assert choose(slug, view) == "flip"
