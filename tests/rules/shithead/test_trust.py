"""Whether another seat plays as ``keeper``, by its turns and by what is known of its hand."""

from random import Random

import pytest

from cardroom.rules.cards import TEXT
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.bots import searcher
from cardroom.rules.shithead.bots.belief import ALIKE, DOUBT, FIRST, believed, lacking, trusted
from cardroom.rules.shithead.bots.layouts import JUDGED_LAYOUTS, LAYOUTS, layouts_of
from cardroom.rules.shithead.bots.playouts import (
    A_SEAT,
    BY_KEEPERS,
    CUNNINGLY,
    HIDDEN_CARDS,
    INPUTS,
    IS_LEFT,
    JUDGED,
    OPTIONS,
    PILE,
    STOCK,
    TO_BEAT,
    TOPS,
    WEIGHTS,
    expected,
    judged_worth,
    knows,
    learned,
    network_of,
    observe,
    worth_of,
)
from cardroom.rules.shithead.bots.searcher import affordable
from cardroom.rules.shithead.bots.world import ONE, PLACE
from cardroom.rules.shithead.events import Burned, Dealt, Drew, Exchanged, PickedUp, Played
from cardroom.rules.shithead.knowledge import known_hands
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import pick_seat
from tests.rules.shithead.scene import position, setups
from tests.rules.shithead.world import sampled, world_of

HERE = position(["8C 5C", "4C 4D"], ["9C 9D", "QC KC"], hidden=["5D AC AD", "6C AH AS"])
VIEW = SHITHEAD.view(HERE, 0)
ONCE_ALIKE = 1 - 1 / (1 + ALIKE * FIRST / (1 - FIRST))


def holding(*codes):
    """Seat 1 is known to hold these: it picked them up."""
    return [*(Played(0, (code,), "hand") for code in codes), PickedUp(1, len(codes))]


def played(text, source="hand"):
    return Played(1, tuple(text.split()), source)


def after_game(*slugs, number):
    """The view of seat 0 at the end, and its events."""
    bots, rng = [SHITHEAD.bot(slug) for slug in slugs], Random(number)
    step = SHITHEAD.start(SHITHEAD.options(), setups(len(bots)), seeded(rng))
    events = list(step.events)
    while acting := SHITHEAD.to_act(step.state):
        seat = acting[0]
        seen = [event.seen_by(seat) for event in events]
        move = bots[seat].choose(SHITHEAD.view(step.state, seat), seen, rng)
        step = SHITHEAD.play(step.state, seat, move, seeded(rng))
        events += step.events
    return SHITHEAD.view(step.state, 0), [event.seen_by(0) for event in events]


def trust_after(*events):
    return trusted(VIEW, events)[1]


@pytest.mark.parametrize(
    ("held", "card"),
    [
        ("6C 9D", "6C"),
        ("KC KD", "KC"),  # it holds on to kings
        ("6C 6D 9D", "6C 6D"),
        ("6C TD", "6C"),
    ],
)
def test_a_turn_of_keepers_makes_a_keeper_likelier(held, card):
    assert trust_after(*holding(*held.split()), played(card)) == pytest.approx(ONCE_ALIKE)


@pytest.mark.parametrize(
    ("held", "card"),
    [
        ("6C 9D", "9D"),
        ("KC KD", "KC KD"),
        ("6C 6D 9D", "6C"),
        ("6C TD", "TD"),
    ],
)
def test_another_turn_makes_it_unlikely(held, card):
    assert trust_after(*holding(*held.split()), played(card)) < 0.1


def test_what_must_be_beaten_counts():
    """A six cannot be played on an eight, so the nine is no choice; on a five it is one (R11)."""
    known = holding("6C", "9D")
    assert trust_after(*known, Played(0, ("8H",), "hand"), played("9D")) == pytest.approx(
        FIRST
    )  # no choice
    assert trust_after(*known, Played(0, ("5H",), "hand"), played("9D")) < 0.1


def test_a_keeper_completes_four():
    """R13."""
    known = holding("5C", "8D")
    run = [Played(0, ("8C", "8H", "8S"), "hand")]
    assert trust_after(*known, *run, played("8D")) == pytest.approx(
        FIRST
    )  # a five may not be played
    known = holding("4C", "5D")
    run = [Played(0, ("4D", "4H", "4S"), "hand")]
    assert trust_after(*known, *run, played("5D")) < 0.1
    assert trust_after(*known, *run, played("4C"), Burned(1, 4, "four")) == pytest.approx(
        ONCE_ALIKE
    )


def test_cards_that_nobody_saw_tell_nothing():
    assert trust_after(played("AC")) == pytest.approx(FIRST)
    assert trust_after(*holding("9D"), played("6C")) == pytest.approx(ONCE_ALIKE)  # not the nine


def test_tops_lie_open():
    """Those that were exchanged are the ones that count (R5)."""
    before = [Dealt(1, ("QC", "KC"), None), Exchanged(1, "4H", "QC")]
    assert trust_after(*before, played("4H", "top")) == pytest.approx(ONCE_ALIKE)
    assert trust_after(*before, played("KC", "top")) < 0.1


def test_it_is_never_quite_certain():
    for card, trust in (("9D", DOUBT), ("6C", 1 - DOUBT)):
        turn = [*holding("6C", "9D"), played(card), PickedUp(0, 1)]
        assert trust_after(*(20 * turn)) == trust


@pytest.mark.parametrize(("slug", "keeps"), [("keeper", True), ("lowest", False)])
def test_whole_games_tell_who_is_a_keeper(slug, keeps):
    for number in range(5):
        view, events = after_game("searcher:playouts=20", slug, number=number)
        assert trusted(view, events)[1] > 0.9 if keeps else trusted(view, events)[1] < 0.1


def test_worlds_have_keepers_as_often_as_the_seat_is_trusted():
    """The searcher of the level below doubts nobody."""
    doubtful = [*holding("6C", "9D"), played("9D")]
    others = believed(VIEW, doubtful, doubts=True)
    kept = sum(sampled(others, Random(seed)).keepers >> 1 & 1 for seed in range(400)) / 400
    assert others.trust[0] == 1
    assert abs(kept - others.trust[1]) < 0.05
    assert believed(VIEW, doubtful).trust == [1, 1]


def test_a_search_has_fewer_playouts_where_they_take_longer():
    """In doubt of the other seat, and where its own seat plays on cunningly."""
    sure, doubtful = believed(VIEW, ()), believed(VIEW, (), doubts=True)
    assert affordable(900, sure, BY_KEEPERS) == 900
    assert affordable(900, sure, CUNNINGLY) == 450
    assert affordable(900, doubtful, BY_KEEPERS) == round(900 / (2 - FIRST))


# Inferences from the turns of a seat about the cards that nobody has seen in its hand.

TURNS = 250
PLAYERS = 4
ACE = ONE[PLACE["A"]]


def unknown_cards(state, events, seat):
    known = known_hands(events, len(state.hands))[seat]
    return [ONE[PLACE[TEXT[card][0]]] for card in state.hands[seat] if card not in known]


def fits(cards, lacks):
    """Whether each of the cards can be one of those that these say, and each of them another."""
    if not cards:
        return True
    card, *others = cards
    left = [
        [*lacks[:at], *lacks[at + 1 :]] for at, each in enumerate(lacks) if not each.none & card
    ]
    return any(fits(others, rest) for rest in left)


@pytest.mark.parametrize("bots", [("keeper",), ("keeper", "random")])
@pytest.mark.parametrize("pickup", ["forced", "voluntary"])
@pytest.mark.parametrize("refill", ["one_per_turn", "up_to_three"])
def test_what_is_said_to_be_sure_is_true_whoever_plays(refill, pickup, bots):
    """shithead R8, R16: of every unknown card in every hand, before every turn."""
    options = SHITHEAD.options(players=PLAYERS, refill=refill, pickup=pickup)
    rng, shuffle = Random(1), seeded(Random(1))
    step = SHITHEAD.start(options, setups(PLAYERS), shuffle)
    events = list(step.events)
    for _ in range(TURNS):
        acting = SHITHEAD.to_act(step.state)
        if not acting:
            break
        seat = pick_seat(acting, rng)
        view = SHITHEAD.view(step.state, seat)
        lacks = lacking(view, [event.seen_by(seat) for event in events], exchanges=True)
        for other in set(range(PLAYERS)) - {seat}:
            cards = unknown_cards(step.state, events, other)
            assert len(lacks[other]) == len(cards)
            assert fits(cards, lacks[other])
        move = SHITHEAD.bot(rng.choice(bots)).choose(view, events, rng)
        step = SHITHEAD.play(step.state, seat, move, shuffle)
        events += step.events


def test_nothing_is_sure_of_a_hand_that_parted_with_a_card_it_hardly_held():  # shithead R8
    """Seat 1 has no ace, plays its king before lower cards, draws, and plays a four: hardly one of
    the old cards. If it was one, the drawn card stayed and may be an ace.
    """
    view = SHITHEAD.view(position(["8C 5C", "4C 9C"], pile="6D"), 0)
    told = [Dealt(1, ("JS", "JD"), None), Played(0, ("KC",), "hand"), PickedUp(1, 1)]
    told += [Played(1, ("KC",), "hand"), Burned(1, 1, "four"), Drew(1, 3, None)]
    hand = lacking(view, told, exchanges=False)[1]
    assert [bool(card.none & ACE) for card in hand] == [True, True, False]
    hand = lacking(view, [*told, Played(1, ("4D",), "hand")], exchanges=False)[1]
    assert [bool(card.none & ACE) for card in hand] == [False, False]
    assert all(card.few & ACE for card in hand)


# The value network that ``strong_searcher`` asks among four.

OTHERS = ["4C 5C", "6C 7C", "8C 9C"]
TOPS_OF_ALL = ["JC QC", "JD QD", "JH QH", "JS QS"]


def four(hand, **changes):
    return world_of(position([hand, *OTHERS], TOPS_OF_ALL, **changes))


def worth(world):
    return expected(world, network_of())


def seen(world):
    inputs = [7] * INPUTS
    observe(world, inputs)
    return inputs


def test_the_file_has_a_weight_for_each_input_and_unit():
    assert len(learned()) == WEIGHTS


def test_it_sees_what_lies_where_from_the_seat_to_choose_on():
    world = four("KC KD 2S", pile="3C 9D", stock="AC AD", hidden=["4D 4H", "", "", "5D"])
    inputs = seen(world)
    assert inputs[PLACE["K"]] == 2
    assert inputs[PLACE["2"]] == inputs[TOPS + PLACE["J"]] == 1
    assert inputs[HIDDEN_CARDS] == 2
    assert inputs[3 * A_SEAT + HIDDEN_CARDS] == 1
    assert inputs[A_SEAT + PLACE["4"]] == inputs[3 * A_SEAT + PLACE["8"]] == 1
    assert (inputs[PILE], inputs[STOCK]) == (2, 2)
    assert inputs[TO_BEAT : TO_BEAT + 14].index(1) == PLACE["9"]
    backwards = seen(four("KC KD 2S", direction=-1))
    assert backwards[A_SEAT + PLACE["8"]] == backwards[3 * A_SEAT + PLACE["4"]] == 1


def test_a_seat_that_is_out_of_the_game_is_not_seen():
    world = four("KC KD 2S", places=(0, 0, 1, 0))
    inputs = seen(world)
    assert [inputs[nth * A_SEAT + IS_LEFT] for nth in range(4)] == [1, 1, 0, 1]
    assert not any(inputs[2 * A_SEAT : 3 * A_SEAT])


def test_it_prefers_wild_cards_and_fewer_cards():
    middling = worth(four("8D KC"))
    assert worth(four("2D TD")) > middling > worth(four("4D 4H 5D 5H 6D 6H 7D 7H 8D 9D 9H KC"))
    assert 0 < worth(four("4D 5D")) < 1


def test_it_and_a_playout_count_half_each():
    world = four("2D TD KC AD")
    judged, ended = worth(world), world.copy()
    found = judged_worth(ended, 200, network_of())
    assert ended.places[0]
    assert found == pytest.approx((judged + worth_of(ended)) / 2)
    assert judged_worth(ended, 200, network_of()) == worth_of(ended)


def ends(state, care=searcher.CAREFUL):
    return searcher.how_playouts_end(SHITHEAD.view(state, 0), care)


def test_it_judges_where_it_has_learned_to():
    hands = ["5D KC", *OTHERS]
    assert ends(position(hands)) == JUDGED
    assert ends(position(hands, games=3, max_turns=90)) == JUDGED
    assert ends(position(hands, pickup="voluntary")) == BY_KEEPERS
    assert ends(position(hands[:3])) == BY_KEEPERS
    assert ends(position(hands, places=(0, 1, 2, 0))) == CUNNINGLY
    assert ends(position(hands), searcher.CARE) == BY_KEEPERS
    assert knows(OPTIONS)


def test_more_layouts_are_tried_where_it_judges():
    view = SHITHEAD.view(position(["5D KC 9D", *OTHERS], ["TC 2C AC", *TOPS_OF_ALL[1:]]), 0)
    assert len(layouts_of(view)[2]) == len(LAYOUTS)
    assert len(layouts_of(view, JUDGED_LAYOUTS)[2]) == len(JUDGED_LAYOUTS)


def test_a_search_that_it_judges_tries_every_choice():
    view = SHITHEAD.view(position(["5D KC 2D", *OTHERS], TOPS_OF_ALL), 0)
    move = SHITHEAD.bot("strong_searcher:playouts=40").choose(view, (), Random(1))
    assert move in view.legal_moves
