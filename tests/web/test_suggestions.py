"""Whom to play next, by the reader's own results."""

import pytest

from games.matches.selectors.results import Result, results_against_bots
from games.rules import catalog
from games.rules.bot import levels
from games.web.suggestions import rival_for, said
from tests.matches.scenes import played, short

PISTI = catalog.find("pisti")
LADDER = [bot.slug for bot in levels(PISTI.bots, 1.0)]


def results(bot, outcomes):
    return [Result("pisti", bot, one == "w") for one in outcomes]


@pytest.mark.parametrize(
    ("at", "outcomes", "then"),
    [(0, "", 0), (0, "w", 0), (0, "wlw", 1), (1, "lll", 0), (0, "lll", 0), (1, "wl", 1)],
)
def test_the_rival_follows_the_last_results(at, outcomes, then):
    assert rival_for(PISTI, results(LADDER[at], outcomes)).slug == LADDER[then]


def test_the_landing_page_says_what_to_try():
    sentence = said(PISTI, results(LADDER[0], "wlw"))
    names = [PISTI.bot(slug).name for slug in LADDER]
    assert sentence == f"2 of 3 won against {names[0]}: try {names[1]}"


def test_a_newcomer_meets_the_easiest_computer(stranger):
    stranger.open("/").press("Play Pişti now")
    assert PISTI.bot(LADDER[0]).name in stranger.text


def test_results_are_those_against_computers(ada):
    played(short(ada, "pisti", f"me, bot {LADDER[0]}"))
    found = results_against_bots(ada.pk, "pisti")
    assert [(one.game, one.bot) for one in found] == [("pisti", LADDER[0])]
