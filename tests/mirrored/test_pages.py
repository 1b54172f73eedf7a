"""Mirrored matches on the pages, by forms alone: opened, told at the table, with a result."""

import re

import pytest

from games.lobby.models import Challenge
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.mirrored.models import MirroredSet
from games.mirrored.results import standing_of
from games.web.table.aftermath import signed
from tests.matches.scenes import played
from tests.mirrored.sets import begin, between, following, legs, newest, to_its_end
from tests.web.browsing import signed_in

pytestmark = pytest.mark.django_db


def test_a_set_is_opened_by_the_form_and_goes_on_by_itself(ada):
    browser = signed_in(ada).open("/new")
    browser.press("Start", mirrored="4", target_score="")
    match = get_match(browser.match_id)
    assert "mirrored 1/8" in browser.text
    played(match)
    page = browser.open(f"/matches/{match.id}")
    assert "That was match 1 of 8. The next one begins by itself in a moment." in page.text
    assert "Which matches were dealt alike is told when all are over." in page.text
    ending = page.page.partition('id="match-ending"')[2].partition("</section>")[0]
    assert "Deal of the day" not in ending
    assert ">Again<" not in ending  # another match is to come
    second = following(match)
    part = browser.open(f"/matches/{match.id}/mirrored")
    assert "Match 2 of 8 has begun." in part.text
    assert f'href="/matches/{second.id}"' in part.page
    assert "mirrored 2/8" in browser.open(f"/matches/{second.id}").text


def test_two_teams_are_named_in_the_form(ada, ben):
    browser = signed_in(ada).open("/new")
    browser.press("Update", mirrored="teams")
    assert "At the other table, the partner of each seat above:" in browser.text
    assert browser.page.count("data-chair") == 4
    seats = {"seat-2-who": "user", "seat-2-name": "ben", "target_score": ""}
    browser.press("Start", mirrored="teams", **seats)
    assert MirroredSet.objects.get().form == "duplicate"
    assert "duplicate" in browser.text
    other = Match.objects.exclude(id=browser.match_id).get()
    waiting = signed_in(ben).open(f"/matches/{other.id}").text
    assert "your partner plays the same deal from the other side" in waiting


def test_who_is_invited_reads_what_it_is(ada, ben):
    match = begin(ada, "me, user ben")
    waiting = signed_in(ben).open(f"/matches/{match.id}").text
    assert "The first of 6 mirrored matches" in waiting


def test_the_form_says_why_a_match_is_not_mirrored(ada):
    browser = signed_in(ada).open("/new")
    browser.press("Start", mirrored="3", **{"seat-1-who": "local"})
    assert "People at one device see both hands, so nothing is mirrored." in browser.text
    assert re.search(r'<option value="3" selected>', browser.page)


def test_a_game_of_luck_does_not_offer_it(ada):
    assert 'name="mirrored"' not in signed_in(ada).open("/new?game=pyanitsa").page


def test_each_side_reads_the_result_from_its_own(ada, ben):
    first = between(ada, ben)
    to_its_end(first)
    result = standing_of(first.id, None).result
    mine, theirs = (signed_in(one).open(f"/matches/{first.id}") for one in (ada, ben))
    for page, sign in ((mine, 1), (theirs, -1)):
        part = page.page.partition('aria-label="Result of the set"')[2].partition("</section>")[0]
        assert f"<b>{signed(sign * result.skill)}</b>" in part
        for pair in result.pairs:
            assert signed(sign * pair.one.margin) in part
        for leg in legs(first):
            assert f'href="/matches/{leg.match_id}"' in part
    won = {0: ("You won the set", "You lost the set"), 1: ("You lost the set", "You won the set")}
    told = won.get(result.winner, ("The set is a draw", "The set is a draw"))
    assert told[0] in mine.text
    assert told[1] in theirs.text


def test_no_page_links_to_the_twin_before_all_are_over(ada):
    first = begin(ada)
    to_its_end(first, 6)
    assert MirroredSet.objects.get().over_at is None
    ids = [str(leg.match_id) for leg in legs(first)]
    for number, shown in enumerate(ids[:5]):
        page = signed_in(ada).open(f"/matches/{shown}").page
        assert {one for one in ids if one in page and one != shown} == {ids[number + 1]}


def test_a_challenge_to_a_set(ada, ben):
    browser = signed_in(ada).open("/people/ben/challenge")
    browser.press("Challenge", rules="pisti:quick", mirrored="on")
    challenge = Challenge.objects.get()
    page = signed_in(ben).open(f"/challenges/{challenge.match_id}")
    assert "mirrored: six matches" in page.text
    page.press("Accept")
    assert newest(get_match(challenge.match_id)).status == "active"


def test_a_part_of_no_mirrored_match_is_not_there(ada):
    browser = signed_in(ada).open("/new")
    browser.press("Start")
    assert signed_in(ada).client.get(f"/matches/{browser.match_id}/mirrored").status_code == 404
