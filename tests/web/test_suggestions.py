"""Whom to play next, by the reader's own results."""

import pytest
from django.db.models import F

from cardroom.rules import catalog
from cardroom.rules.bot import levels
from games.matches.models import Seat
from games.matches.selectors.access import get_match
from games.matches.selectors.lists import Result, results_against_bots
from games.web.landing import rival_for, suggestion
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
    sentence = suggestion(PISTI, results(LADDER[0], "wlw"))
    names = [PISTI.bot(slug).name for slug in LADDER]
    assert sentence == f"2 of 3 won against {names[0]}: try {names[1]}"


def test_a_newcomer_meets_the_easiest_computer(stranger):
    stranger.open("/").press("Play Pişti now")
    assert PISTI.bot(LADDER[0]).name in stranger.text


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_the_first_rival_plays_like_a_person(game):
    """Neither at random nor like the programs that are there to be measured."""
    first = rival_for(game, [])
    if game in catalog.OF_THE_HOUSE:
        assert first.slug == ("automaton" if game.slug == "pyanitsa" else "beginner")
    assert first.suggested
    assert "random" in [bot.slug for bot in game.bots]


def test_setting_up_opens_on_the_level_of_the_results(ada, at_home):
    def offered():
        at_home.open("/new?game=pisti")
        form = next(form for form in at_home.forms if form.action == "/new")
        return dict(form.fields)["seat-1-who"]

    assert offered() == "bot:beginner"
    for _ in range(2):
        match = played(short(ada, "pisti", "me, bot beginner"))
        Seat.objects.filter(match_id=match.id).update(place=F("index") + 1)  # the first one won
    assert offered() == "bot:greedy"


def test_a_quick_match_of_shithead_is_the_traditional_one(stranger):
    stranger.open("/").press("Play Shithead against the computer")
    match = get_match(stranger.match_id)
    assert match.options == catalog.find("shithead").presets["traditional"]
    assert [seat.bot for seat in match.seats] == ["", "beginner"]


def test_results_are_those_against_computers(ada):
    played(short(ada, "pisti", f"me, bot {LADDER[0]}"))
    found = results_against_bots(ada.pk, "pisti")
    assert [(one.game, one.bot) for one in found] == [("pisti", LADDER[0])]
