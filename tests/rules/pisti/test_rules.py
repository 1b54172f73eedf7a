"""Plays, captures and refusals (rules R10 to R22)."""

from random import Random

import pytest

from cardroom.rules.cards import TEXT, texts
from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.events import (
    Captured,
    CardPlayed,
    CentreDealt,
    DealScored,
    DealStarted,
    HandDealt,
    JackBuried,
    LeftoverAwarded,
    MatchOver,
    Pisti,
    Redeal,
)
from cardroom.rules.pisti.narration import causes, hint, moments, sure_points
from cardroom.rules.pisti.options import starter_of
from cardroom.rules.pisti.predicates import DOUBLE, NO_BONUS, SINGLE, bonus, captures
from cardroom.rules.pisti.state import with_exposed_bottom
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import IllegalMove, MalformedMove, Setup
from tests.rules.pisti.scene import (
    NAMES,
    deck,
    heap,
    last_play,
    options,
    play,
    scene,
    scores,
    stacked,
    start,
    steps_of,
    told,
)


def test_any_card_of_the_hand_may_be_played_in_the_order_dealt():  # R10
    state = scene("9C", ("9H 2C JD", "3C 4C 5C"))
    assert PISTI.legal_moves(state, 0) == ("9H", "2C", "JD")
    assert PISTI.legal_moves(state, 1) == ()


def test_the_capturer_does_not_move_again():  # R15
    taken, laid = steps_of(scene("9C 4D", ("4H 2C", "3C 4C")), "0 4H", "1 3C")
    assert taken.state.last_capturer == 0
    assert texts(laid.state.pile) == ("3C",)
    assert heap(laid.state, 0) == {"9C", "4D", "4H"}


def test_a_card_that_does_not_capture_becomes_the_top():  # R14
    step = play(scene("9C", ("2C 3D", "3C 4C")), "0 2C")
    assert texts(step.state.pile) == ("9C", "2C")
    assert step.events == (CardPlayed(0, "2C", 11),)
    assert (step.scores, step.move) == (None, "2C")


def test_buried_cards_do_not_match():
    step = play(scene("9C 5D", ("9H 3D", "3C 4C")), "0 9H")
    assert texts(step.state.pile) == ("9C", "5D", "9H")


def test_the_turn_goes_round():  # R1
    state = scene("", ("2C", "3C 4C", "5C 6C"), to_play=2, plays_made=11)
    assert PISTI.to_act(play(state, "2 5C").state) == (0,)


def test_partners_share_their_pistis():  # R21
    state = scene("TC", ("2C", "3C", "TD 4C", "5C"), to_play=2, teams=True)
    assert play(state, "2 TD").state.pistis == (1, 0)


def test_a_pile_nobody_can_claim_scores_for_nobody():  # R22
    step = play(last_play("6H QS", "4D", last_capturer=None, target_score=None), "1 4D")
    assert told(step, LeftoverAwarded) == []
    assert [side.cards for side in scores(step).sides] == [0, 0]


def test_a_card_not_held_is_refused_and_says_what_is():
    with pytest.raises(IllegalMove, match=r"You do not hold 3♣; you hold 7♥, 10♦\.") as refused:
        PISTI.play(scene("", ("7H TD", "3C")), 0, "3C", stacked())
    assert refused.value.reason == "not_in_hand"


# Deals, batches and the exposed bottom card (rules R3 to R9, R16 and ``bottom_card``).

STOCK = {2: 40, 3: 36, 4: 32}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_gets_four_and_the_rest_is_the_stock(players):  # R5, R9
    step = start(deck(""), players=players)
    assert [len(hand) for hand in step.state.hands] == [4] * players
    assert len(step.state.stock) == STOCK[players]
    assert step.state.to_play == 0
    assert [event.seat for event in told(step, HandDealt)] == list(range(players))


def test_the_deal_is_told_in_order():
    step = start(deck("2C 3C 4C 5C 6C 7C 8C 9C TC QC KC AC"))
    assert step.events == (
        DealStarted(1, 1, 0),
        HandDealt(0, 4, ("2C", "3C", "4C", "5C")),
        HandDealt(1, 4, ("6C", "7C", "8C", "9C")),
        CentreDealt(4, "AC"),
    )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_dealer_moves_one_seat_a_deal(players):  # R3
    chosen = options(players=players)
    starters = [starter_of(chosen, deal_no) for deal_no in range(1, 2 * players + 1)]
    assert starters == [*range(players)] * 2


def test_the_packets_of_a_later_deal_begin_with_its_starter():  # R5
    state = last_play("", "3C", players=4, deal_no=4, last_capturer=0)
    step = play(state, "3 3C", shuffle=stacked(deck("")))  # deal 5: seat 0 starts
    assert told(step, DealStarted) == [DealStarted(5, 3, 0)]
    state = last_play("", "3C", players=4, deal_no=1, last_capturer=0)
    step = play(state, "3 3C", shuffle=stacked(deck("")))
    assert told(step, DealStarted) == [DealStarted(2, 0, 1)]
    assert [event.seat for event in told(step, HandDealt)] == [1, 2, 3, 0]
    assert texts(step.state.hands[1]) == deck("")[4:8]


def test_a_batch_is_dealt_when_all_hands_are_empty():  # R16
    state = scene("", ("", "3C"), to_play=1, plays_made=7, stock="4C 5C 6C 7C 8C 9C TC QC KC")
    step = play(state, "1 3C")
    assert told(step, HandDealt) == [
        HandDealt(0, 4, ("4C", "5C", "6C", "7C")),
        HandDealt(1, 4, ("8C", "9C", "TC", "QC")),
    ]
    assert texts(step.state.stock) == ("KC",)
    assert texts(step.state.pile) == ("3C",)  # none to the centre
    assert step.state.to_play == 0
    assert step.scores is None


@pytest.mark.parametrize(
    ("last", "becomes"),
    [
        ("5C 6C", "5C 6C"),
        ("5C JD", "JD 5C"),
        ("4C 5C JS JD", "4C JS JD 5C"),
        ("4C JC JH JS JD", "JC JH JS JD 4C"),
    ],
)
def test_no_jack_lies_at_the_bottom_of_an_exposed_pack(last, becomes):
    adjusted = with_exposed_bottom([TEXT.index(code) for code in deck("", last)])
    size = len(becomes.split())
    assert " ".join(texts(adjusted[-size:])) == becomes
    assert texts(adjusted[:-size]) == deck("", last)[:-size]


def test_the_exposed_card_is_seen_by_all_from_deal_to_deal_end():
    state = start(deck("", "5C JD"), bottom_card="exposed").state
    shown = [PISTI.view(state, seat).bottom_card for seat in (0, 1, None)]
    assert shown == ["5C"] * 3
    assert texts(state.stock[-2:]) == ("JD", "5C")
    for _ in range(40):
        (seat,) = PISTI.to_act(state)
        state = PISTI.play(state, seat, PISTI.legal_moves(state, seat)[0], stacked()).state
    assert "5C" in texts(state.hands[1])  # the dealer gets it in the last batch
    assert PISTI.view(state, 0).bottom_card == "5C"


def test_a_hidden_pack_keeps_its_bottom():
    state = start(deck("", "5C JD")).state
    assert texts(state.stock[-2:]) == ("5C", "JD")
    assert PISTI.view(state, 0).bottom_card is None


def test_after_a_redeal_the_bottom_is_looked_at_again():
    jacks = deck("2C 3C 4C 5C 6C 7C 8C 9C JC JD JH JS")
    step = start(jacks, deck("", "8H JD"), bottom_card="exposed")
    assert len(told(step, Redeal)) == 1
    assert PISTI.view(step.state, None).bottom_card == "8H"


def test_only_four_jacks_void_a_deal():  # R8
    step = start(deck("JC JD 2C JS"), players=3)
    assert told(step, Redeal) == []
    assert texts(step.state.pile) == ("JS", "JC", "JD", "2C")


# The notation of a move.


@pytest.mark.parametrize("move", ["", "7h", "10H", "7", "H7", "X1", " 7H", "7H ", "pass", "7H 8H"])
@pytest.mark.parametrize("seat", [0, 1, -1, 9])
def test_a_malformed_move_is_refused_before_all_else(move, seat):
    with pytest.raises(MalformedMove, match="such as 7H"):
        PISTI.play(scene("", ("7H", "3C")), seat, move, stacked())


# Captures and piştis (rules R12 to R18).

JC, JD, SIX, OTHER_SIX, SEVEN = 9, 22, 4, 17, 5  # JC JD 6C 6D 7C


def test_what_captures():  # R12, R13
    assert captures(SIX, OTHER_SIX)
    assert captures(JC, SIX)
    assert captures(JC, JD)
    assert not captures(SIX, SEVEN)
    assert not captures(SIX, JC)


@pytest.mark.parametrize(
    ("card", "top", "size", "kind"),
    [
        (SIX, OTHER_SIX, 1, SINGLE),
        (SIX, OTHER_SIX, 2, NO_BONUS),
        (JC, JD, 1, DOUBLE),
        (JC, JD, 2, NO_BONUS),
        (JC, SIX, 1, NO_BONUS),  # R18
    ],
)
def test_what_is_a_pisti(card, top, size, kind):  # R17
    assert bonus(card, top, size) == kind


# Points by cause, points that are certain, a word to a beginner, the best of a match.


def played_deals(count, choose=min):
    """The options and every event as a spectator sees it, of the first deals of a fixed match."""
    options, shuffle = PISTI.choose_options(), seeded(Random(7))
    step = PISTI.start(options, [Setup(name) for name in NAMES[:2]], shuffle)
    events, seen = list(step.events), []
    while sum(isinstance(event, DealScored) for event in events) < count:
        state = step.state
        seat = PISTI.to_act(state)[0]
        seen.append((PISTI.view(state, None), list(events)))
        step = PISTI.play(state, seat, choose(PISTI.legal_moves(state, seat)), shuffle)
        events += [event.seen_by(None) for event in step.events]
    return options, events, seen


def test_causes_add_up_to_the_points_of_the_deal():  # pisti R23
    options, events, _ = played_deals(3)
    scored = [side for event in events if isinstance(event, DealScored) for side in event.sides]
    assert any(side.deal_points for side in scored)
    for side in scored:
        assert sum(cause.points for cause in causes(side, options)) == side.deal_points


def test_what_is_sure_is_never_more_than_what_is_scored():  # pisti R24: the majority comes last
    _, events, seen = played_deals(1)
    scored = next(event for event in events if isinstance(event, DealScored))
    for view, events_seen in seen:
        sure = sure_points(view, events_seen)
        assert all(mine <= side.deal_points for mine, side in zip(sure, scored.sides, strict=True))
    assert any(any(sure_points(view, told)) for view, told in seen)


def hint_of(**position):
    return str(hint(PISTI.view(scene(**position), 0)))


def test_a_card_that_takes_is_pointed_out():  # pisti R12
    assert hint_of(pile="9C TD 6C 6D", hands=("6H 4S", "2C")) == "6♥ would take 4 cards."
    assert hint_of(pile="6D", hands=("JH 6H", "2C")) == "6♥ would be a pişti!"
    assert hint_of(pile="9C 6D", hands=("4S", "2C")).startswith("No card of yours takes 6♦")


def test_nothing_is_said_to_who_is_not_to_play():
    assert hint(PISTI.view(scene(pile="6D", hands=("6H", "2C"), to_play=1), 0)) is None


def test_the_best_of_a_match_tells_who_took_most():
    _, events, _ = played_deals(2)
    told = [str(words) for words in moments(events, NAMES[:2])]
    assert any(words.startswith("The largest capture: ") for words in told)


def test_what_the_reader_does_is_told_to_them():
    _, events, _ = played_deals(1)
    for event in events:
        seat = getattr(event, "seat", None)
        about, told = PISTI.sentence(event, NAMES[:2]), PISTI.sentence(event, NAMES[:2], seat)
        assert (str(about) != str(told)) == (seat is not None)


# The words of moves and events.

SCORED = scores(play(last_play("", "3C", ["AC KD", ""], last_capturer=0), "1 3C"))

TOLD = [
    (DealStarted(2, 0, 1), "Deal 2: Ada deals, Ben starts."),
    (HandDealt(1, 4), "Ben gets 4 cards."),
    (HandDealt(0, 4, ("2C", "TD", "JH", "AS")), "Ada gets 4 cards: 2♣ 10♦ J♥ A♠."),
    (CentreDealt(4, "TD"), "4 cards lie in the centre, 10♦ on top."),
    (JackBuried("JS", "9H"), "J♠ goes under the pile; 9♥ is turned up."),
    (
        Redeal("four_jacks", ("JC", "JD", "JH", "JS")),
        "Four jacks lie in the centre: the cards are dealt again.",
    ),
    (CardPlayed(1, "7H", 3), "Ben plays 7♥."),
    (Captured(0, 2), "Ada captures 2 cards."),
    (Captured(0, 5, None), "Ada captures 5 cards."),
    (Captured(0, 5, ("2C", "3C", "4C")), "Ada captures 5 cards; face down lay 2♣ 3♣ 4♣."),
    (Pisti(0, 0, "single", 10), "Ada makes a pişti: 10 points."),
    (Pisti(1, 1, "double", 20), "Ben makes a double pişti: 20 points."),
    (Pisti(1, 1, "single", 1), "Ben makes a pişti: 1 point."),
    (LeftoverAwarded(0, 1), "The last card goes to Ada."),
    (LeftoverAwarded(0, 3), "The last 3 cards go to Ada."),
    (SCORED, "The deal is scored: Ada 4 (now 4), Ben 0 (now 0)."),
    (MatchOver(1, (120, 155)), "Ben wins the match, 155 to 120."),
    (MatchOver(None, (9, 9)), "The match is over, 9 to 9: a draw."),
]


@pytest.mark.parametrize(("event", "sentence"), TOLD)
def test_events_are_told_in_a_sentence(event, sentence):
    assert str(PISTI.narrate(event, NAMES[:2])) == sentence


def test_partners_are_named_together():
    told = PISTI.narrate(MatchOver(0, (151, 90)), NAMES)
    assert str(told) == "Ada and Cleo win the match, 151 to 90."


def test_every_event_is_told():
    assert {type(event) for event, _ in TOLD} == set(PISTI.events.__args__)


def test_a_move_has_a_label():
    assert str(PISTI.label("TD")) == "Play 10♦"
