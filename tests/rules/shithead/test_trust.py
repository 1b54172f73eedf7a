"""Whether another seat plays as ``keeper``, by its turns and by what is known of its hand."""

from random import Random

import pytest

from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.bots.belief import ALIKE, DOUBT, FIRST, believed, trusted
from cardroom.rules.shithead.bots.playouts import BY_KEEPERS, CUNNINGLY
from cardroom.rules.shithead.bots.searcher import affordable
from cardroom.rules.shithead.events import Burned, Dealt, Exchanged, PickedUp, Played
from cardroom.rules.shuffles import seeded
from tests.rules.shithead.scene import position, setups
from tests.rules.shithead.world import sampled

HERE = position(["8C 5C", "4C 4D"], ["9C 9D", "QC KC"], hidden=["5D AC AD", "6C AH AS"])
VIEW = SHITHEAD.view(HERE, 0)
ONCE_ALIKE = 1 - 1 / (1 + ALIKE * FIRST / (1 - FIRST))


def holding(*codes):
    """Seat 1 is known to hold these: it picked them up."""
    return [*(Played(0, (code,), "hand") for code in codes), PickedUp(1, len(codes))]


def played(text, source="hand"):
    return Played(1, tuple(text.split()), source)


def after_game(*slugs, number):
    """What seat 0 sees at the end, and saw."""
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
