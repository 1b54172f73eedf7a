"""What a visitor meets first: running matches, the recorded deal, results, opponents, the look."""

import pytest
from django.urls import NoReverseMatch, reverse

from cardroom.rules import catalog
from cardroom.rules.cards import TEXT
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.people.counting import count_finished
from games.web import design
from games.web.landing import OWN_MATCHES_SHOWN
from games.web.tables.pisti import recorded_deal
from tests.matches.scenes import opened, played, short
from tests.people.ended import against, between
from tests.web.browsing import signed_in
from tests.web.test_new_match import fields

PISTI = catalog.find("pisti")


class TestContinue:
    def test_a_newcomer_has_nothing_to_continue(self, stranger):
        assert 'class="continuing"' not in stranger.open("/").page

    def test_what_waits_for_the_reader_comes_first(self, ada, ben, at_home):
        waits = opened(ada, "me, local Twin")
        for _ in range(OWN_MATCHES_SHOWN):
            opened(ada, "me, open")
        page = at_home.open("/").page.split('class="hero"')[0]
        links = [part.split('"')[0] for part in page.split('href="/matches/')[1:]]
        assert len(links) == OWN_MATCHES_SHOWN
        assert links[0] == str(waits.id)

    def test_what_is_over_is_not_continued(self, ada, at_home):
        played(short(ada, "pisti"))
        assert 'class="continuing"' not in at_home.open("/").page


class TestRecordedDeal:
    def test_every_card_is_played_once_and_from_a_hand(self):
        deal = recorded_deal()
        held = {0: set(deal.hand)}
        seen = [deal.top]
        for motion in deal.motions:
            if motion.kind == "deal":
                held[0] |= set(motion.cards)
            if motion.kind == "play":
                [code] = motion.cards
                assert code in TEXT
                assert motion.seat == 1 or code in held[0]
                seen.append(code)
        assert len(seen) == len(set(seen)) > 20

    def test_it_has_something_to_cheer(self):
        assert sum(motion.kind == "cry" for motion in recorded_deal().motions) >= 2

    def test_it_is_on_the_page_for_who_has_scripts_and_lies_still_without(self, stranger):
        page = stranger.open("/").page
        still, motions = page.split("<template data-motions>")
        assert f'data-card="{recorded_deal().top}"' in still
        assert motions.count("data-motion=") == len(recorded_deal().motions)


class TestResults:
    @pytest.fixture
    def over(self, ada):
        return played(short(ada, "pisti", visibility="public"))

    def test_the_lobby_says_who_won_with_how_many_points(self, over, at_home):
        text = at_home.open("/lobby").text
        assert "Results" in text
        assert "you won" in text or "you lost" in text or "a draw" in text
        for seat in over.seats:
            assert f"{seat.points}" in text.split("Results")[1]

    def test_everybody_sees_public_results_only(self, ada, over, stranger):
        hidden = played(short(ada, "pazaak"))
        page = stranger.open("/lobby").page
        assert str(over.id) in page
        assert str(hidden.id) not in page

    def test_results_of_one_game(self, ada, over, at_home):
        other = played(short(ada, "pazaak"))
        page = at_home.open("/lobby?of=pazaak").page.split('id="results"')[1]
        assert str(other.id) in page
        assert str(over.id) not in page

    def test_an_unknown_filter_is_none(self, over, at_home):
        assert at_home.open("/lobby?of=bridge&whose=x").status == 200

    def test_the_lobby_that_is_brought_up_to_date_keeps_its_filter(self, over, at_home):
        assert "whose=mine&amp;of=pisti" in at_home.open("/lobby?of=pisti").page

    def test_a_record_counts_matches_and_wins(self, ada, ben, at_home):
        between(ada, ben)
        between(ben, ada)
        against(ada, "greedy")
        assert count_finished() == 5
        assert "1 won of 3 matches" in at_home.open("/").text
        assert "1 won of 3 matches" in at_home.open("/lobby").text

    def test_others_do_not_see_it(self, ada, ben, cleo):
        between(ada, ben)
        count_finished()
        assert "won of" not in signed_in(cleo).open("/").text


class TestOpponent:
    def test_the_chosen_one_sits_on_every_chair_of_the_one_before(self, stranger):
        stranger.open("/new?game=pisti&players=3").press("Update", rival="counter")
        typed = fields(stranger)
        assert (typed["seat-1-who"], typed["seat-2-who"]) == ("bot:counter", "bot:counter")
        assert (typed["rival"], typed["shown_rival"]) == ("counter", "counter")

    def test_without_scripts_start_takes_the_chosen_one(self, stranger):
        stranger.open("/new?game=pisti").press("Start", rival="counter")
        assert get_match(stranger.match_id).seats[1].bot == "counter"

    def test_other_chairs_stay_as_they_are(self, stranger):
        stranger.open("/new?game=pisti&players=3&seat-1-who=open")
        stranger.press("Update", rival="greedy")
        typed = fields(stranger)
        assert (typed["seat-1-who"], typed["seat-2-who"]) == ("open", "bot:greedy")

    def test_a_chair_chosen_by_itself_wins(self, stranger):
        stranger.open("/new?game=pisti").press("Start", **{"seat-1-who": "bot:counter"})
        assert get_match(stranger.match_id).seats[1].bot == "counter"

    @pytest.mark.parametrize("rival", ["", "nobody", "bot:greedy"])
    def test_an_unknown_one_changes_nothing(self, stranger, rival):
        stranger.open("/new?game=pisti").press("Start", rival=rival)
        assert Match.objects.get().game == "pisti"

    def test_changed_rules_come_first_in_the_line(self, stranger):
        page = stranger.open("/new?game=pisti&target_score=77").page
        line = page.split('class="rules-in-words"')[1].split("</summary>")[0]
        assert line.index("77") < line.index("Points for a pişti")


class TestLook:
    def test_a_choice_is_remembered_by_the_browser(self, stranger):
        page = stranger.open("/").press("Play Pişti now").page
        assert '<html lang="en">' in page
        stranger.press("Use these cards", colours="four", back="rays")
        assert 'class="four-colours back-rays"' in stranger.open("/").page

    def test_one_choice_leaves_the_other(self, stranger):
        stranger.open("/").press("Play Pişti now")
        stranger.press("Use these cards", colours="four", back="waves")
        stranger.client.post("/look", {"colours": "two", "csrfmiddlewaretoken": token(stranger)})
        assert 'class="back-waves"' in stranger.open("/").page

    def test_what_is_not_offered_is_not_kept(self, stranger):
        stranger.client.cookies["card_look"] = 'x"><script>.y'
        assert '<html lang="en">' in stranger.open("/").page


def token(browser):
    return browser.client.cookies["csrftoken"].value


def test_the_design_page_is_there_for_developers_only(stranger, rf, db):
    with pytest.raises(NoReverseMatch):
        reverse("design")
    assert stranger.open("/design").status == 404
    page = design.design(rf.get("/design")).content.decode()
    for language in ("en", "tr", "ru", "cs"):
        assert f'<section lang="{language}">' in page
    assert page.count("scheme-dark") == 4
