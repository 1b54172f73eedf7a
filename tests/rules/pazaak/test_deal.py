"""How a match and a round are dealt: side decks, decks, who starts (pazaak R2 to R6)."""

import pytest

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak import side_cards
from cardroom.rules.pazaak.events import Opener, RoundOver, RoundStarted
from cardroom.rules.pazaak.side_cards import CATALOGUES, faults
from cardroom.rules.values import BadSideDeck, Setup
from tests.rules.pazaak.scene import deck, half, play, scene, start, told

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
