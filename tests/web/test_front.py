"""First pages of a visitor: running matches, the recorded deal, results, opponents, the look."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from cardroom.rules import catalog
from cardroom.rules.cards import TEXT
from games.lobby import seeking
from games.lobby.finding import TableFilter, remembered
from games.lobby.models import LobbyFilter
from games.lobby.seeking import NewSeek
from games.matches import joining
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.people.counting import count_finished
from games.web import design
from games.web.landing import FEATURED_KEY, OWN_MATCHES_SHOWN
from games.web.public_tables import TOKEN, Kept
from games.web.tables.pisti import recorded_deal
from tests.matches.scenes import now, opened, played, short
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
        text = at_home.open("/lobby?whose=mine").text
        assert "Results" in text
        assert "you won" in text or "you lost" in text or "a draw" in text
        for seat in over.seats:
            assert f"{seat.points}" in text.split("Results")[1]

    def test_everybody_sees_public_results_only(self, ada, over, stranger):
        hidden = played(short(ada, "pazaak"))
        page = stranger.open("/lobby?whose=all").page
        assert str(over.id) in page
        assert str(hidden.id) not in page

    def test_results_of_one_game(self, ada, over, at_home):
        other = played(short(ada, "pazaak"))
        page = at_home.open("/lobby?of=pazaak").page.split('id="results"')[1]
        assert str(other.id) in page
        assert str(over.id) not in page

    def test_an_unknown_filter_is_none(self, over, at_home):
        assert at_home.open("/lobby?of=bridge&whose=x").status == 200

    def test_they_are_made_when_somebody_wants_them(self, over, at_home):
        """Folded, they are an address, for scripts and without."""
        page = at_home.open("/lobby").page
        assert page.count("/lobby?whose=mine&amp;of=") == 2
        assert str(over.id) not in page

    def test_a_record_counts_matches_and_wins(self, ada, ben, at_home):
        between(ada, ben)
        between(ben, ada)
        against(ada, "greedy")
        assert count_finished() == 5
        assert "1 won of 3 matches" in at_home.open("/").text
        assert "1 won of 3 matches" in at_home.open("/lobby?whose=mine").text

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


# The lobby: what waits for the reader, chairs that one clicks, filters that are remembered.


def section(browser, name):
    return browser.page.split(name)[1].split("</section>")[0]


class TestYourTurn:
    def test_it_is_counted_in_title_and_navigation(self, ada, at_home):
        for _ in range(2):
            opened(ada, "me, local Twin")
        page = at_home.open("/lobby").page
        assert "<title>(2) Lobby" in page
        assert page.split('id="waiting"')[1].split("</span>")[0].endswith(">2")
        assert section(at_home, 'id="turn-name"').count('href="/matches/') == 2

    def test_an_old_match_is_not_lost_behind_many_new_ones(self, ada, ben, at_home):
        old = opened(ada, "me, local Twin")
        at = timezone.now() - timedelta(days=9)
        Match.objects.filter(id=old.id).update(updated_at=at)
        for _ in range(31):
            opened(ada, "me, open")
        assert str(old.id) in section(at_home.open("/lobby"), 'id="turn-name"')

    def test_without_one_nothing_is_counted(self, at_home, stranger):
        for browser in (at_home, stranger):
            assert "<title>Lobby" in browser.open("/lobby").page


class TestOpenTables:
    @pytest.fixture
    def table(self, ada):
        options = {"target_score": 51}
        return opened(ada, "me, open", visibility="public", turn_seconds=60, options=options)

    def test_a_table_says_what_is_played_how_and_with_whom(self, table, stranger):
        text = section(stranger.open("/lobby"), 'class="open-tables"')
        for word in ("Pişti", "with Ada", "60 seconds a move", "rated", ": 51", "1 seat free"):
            assert word in text

    def test_who_sits_there_can_be_read(self, table, stranger):
        page = stranger.open("/lobby").page
        assert '<span class="chair-name" title="Ada">Ada</span>' in page

    def test_a_free_chair_takes_one_click_and_no_account(self, table, stranger):
        stranger.open("/lobby").press("Sit down at seat 2: Pişti with Ada")
        assert stranger.match_id == str(table.id)
        assert now(table).status == "active"

    def test_whose_rating_is_known_shows_it(self, table, ada, stranger, monkeypatch):
        monkeypatch.setattr(
            "games.lobby.finding.offered", lambda _name: [lambda _game, _ids: {ada.pk: 1634.4}]
        )
        assert "with Ada (1634)" in " ".join(stranger.open("/lobby").text.split())

    def test_blocked_hosts_tables_are_not_listed(self, table, ada, cleo):
        from accounts.social.services import block

        block(owner=cleo, blocked=ada.pk)
        assert str(table.id) not in signed_in(cleo).open("/lobby").page


class TestFilters:
    @pytest.fixture
    def tables(self, ada):
        slow = opened(ada, "me, open", visibility="public", turn_seconds=86400)
        pazaak = opened(ada, "me, open", "pazaak", visibility="public", turn_seconds=20)
        return slow, pazaak

    @pytest.mark.parametrize(
        ("chosen", "shown"),
        [
            ({}, (True, True)),
            ({"game": "pazaak"}, (False, True)),
            ({"pace": "slow"}, (True, False)),
            ({"pace": "live"}, (False, True)),
            ({"pace": "none"}, (False, False)),
            ({"rated": "no"}, (False, False)),
            ({"rated": "yes", "game": "pisti"}, (True, False)),
            ({"game": "bridge", "pace": "x", "rated": "?"}, (True, True)),
        ],
    )
    def test_what_they_leave(self, tables, chosen, shown):
        matches = TableFilter.of(chosen).applied(Match.objects.order_by("id"))
        assert tuple(matches.filter(id=table.id).exists() for table in tables) == shown

    def test_an_account_remembers_it_everywhere(self, tables, cleo):
        signed_in(cleo).open("/lobby").press("Show", game="pazaak", pace="live", rated="")
        assert remembered(cleo.pk) == TableFilter("pazaak", "live")
        page = signed_in(cleo).open("/lobby").page
        assert str(tables[1].id) in page
        assert str(tables[0].id) not in page
        signed_in(cleo).open("/lobby").press("Show", game="", pace="", rated="")
        assert str(tables[0].id) in signed_in(cleo).open("/lobby").page
        assert LobbyFilter.objects.count() == 1

    def test_a_visitors_browser_remembers_it(self, tables, stranger):
        stranger.open("/lobby").press("Show", game="pazaak", pace="", rated="")
        assert str(tables[0].id) not in stranger.open("/lobby").page
        assert str(tables[1].id) in stranger.page
        assert not LobbyFilter.objects.exists()

    def test_a_cookie_that_was_tampered_with_is_none(self, tables, stranger):
        stranger.client.cookies["lobby"] = "game=%00&pace=<script>&" + "x" * 5000
        assert str(tables[0].id) in stranger.open("/lobby").page

    def test_nothing_like_it_is_said(self, tables, stranger):
        stranger.open("/lobby").press("Show", game="shithead", pace="", rated="")
        assert "No open table is like this." in stranger.text


class TestPeopleWhoWait:
    def test_one_click_waits_for_the_same(self, cleo, stranger):
        seeking.seek(account=cleo, wish=NewSeek("shithead", "blitz"))
        browser = stranger.open("/lobby")
        assert "Shithead Blitz: 20 seconds a move · 1 waits" in " ".join(browser.text.split())
        browser.press("Play Shithead with somebody")
        assert "Blitz: 20 seconds a move" in browser.text

    def test_nobody_waits_for_oneself(self, ada, at_home):
        seeking.seek(account=ada, wish=NewSeek("shithead", "blitz"))
        assert 'class="waiting-people"' not in at_home.open("/lobby").page


class TestEmpty:
    def test_a_new_match_is_offered_once(self, stranger):
        page = stranger.open("/lobby").page.split("<main")[1].split("</main")[0]
        assert page.count('href="/new"') == 1
        assert "a computer at once" not in page

    def test_it_says_how_many_were_here(self, stranger, monkeypatch):
        monkeypatch.setattr("games.web.lobby.people_lately", lambda: 7)
        assert "7 people were here in the last hour." in stranger.open("/lobby").text
        monkeypatch.setattr("games.web.lobby.people_lately", lambda: None)
        assert "in the last hour" not in stranger.open("/lobby").text


def test_tables_to_watch_say_the_score_and_who_looks_on(ada, stranger, monkeypatch):
    few, many = (opened(ada, visibility="public") for _ in range(2))
    monkeypatch.setattr("games.web.public_tables.watchers_of", lambda _: {few.id: 1, many.id: 3})
    running = section(stranger.open("/lobby"), 'id="running-name"')
    assert running.index(str(many.id)) < running.index(str(few.id))
    assert "3 watch" in running


class TestCost:
    """Lines are made once for all readers, and show at once what there is (issue 60, point 9)."""

    def test_a_page_takes_eight_statements(
        self, ada, ben, cleo, at_home, stranger, django_assert_max_num_queries
    ):
        for host in (ben, cleo):
            opened(ada, "me, local Twin")
            opened(host, "me, open", visibility="public")
            opened(host, visibility="public")
        for browser, most in ((at_home, 8), (stranger, 2)):
            browser.open("/lobby")
            with django_assert_max_num_queries(most):
                browser.open("/lobby")
            assert browser.page.count('class="open-table ') == 2
            assert browser.page.count('class="running-match ') == 2

    def test_a_table_is_there_at_once_and_so_is_who_sits_there(self, ada, ben, cleo, stranger):
        stranger.open("/lobby")
        table = opened(ada, "me, open, open", visibility="public", options={"players": 3})
        assert str(table.id) in section(stranger.open("/lobby"), 'class="open-tables"')
        signed_in(ben).open("/lobby").press("Sit down at seat 2: Pişti with Ada")
        stranger.open("/lobby")
        assert '<span class="chair-name" title="Ben">Ben</span>' in stranger.page
        assert str(table.id) not in section(signed_in(ben).open("/lobby"), 'id="running-name"')
        signed_in(cleo).open("/lobby").press("Sit down at seat 3: Pişti with Ada")
        assert 'class="open-tables"' not in stranger.open("/lobby").page

    def test_each_reader_presses_with_a_token_of_their_own(self, ada, stranger):
        opened(ada, "me, open", visibility="public")
        pages = [stranger.open("/lobby").page, signed_in(ada).open("/lobby").page]
        assert not any(TOKEN in page for page in pages)

    def test_nobody_can_be_called_so_that_a_token_stands_for_the_name(self, ada, stranger):
        ada.display_name = "the-token-of-the-reader"
        ada.save()
        opened(ada, "me, open", visibility="public")
        assert f"with {ada.display_name}" in stranger.open("/lobby").text

    def test_an_own_match_changes_with_its_match(self, ada, at_home):
        match = opened(ada, "me, local Twin")
        before = section(at_home.open("/lobby"), 'id="turn-name"')
        Match.objects.filter(id=match.id).update(round=7, to_act=[], updated_at=timezone.now())
        page = at_home.open("/lobby").page
        assert before not in page
        assert "deal 7" in page or "Deal 7" in page

    def test_no_own_match_is_missing_where_no_more_lines_are_kept(self, ada, at_home, monkeypatch):
        monkeypatch.setattr("games.web.lobby.OWN", Kept(most=1))
        matches = [opened(ada, "me, local Twin") for _ in range(2)]
        at_home.open("/lobby")
        matches.append(opened(ada, "me, local Twin"))
        page = section(at_home.open("/lobby"), 'id="turn-name"')
        assert all(f"/matches/{match.id}" in page for match in matches)


class TestFeatured:
    @pytest.fixture(autouse=True)
    def fresh(self):
        cache.delete(FEATURED_KEY)

    def test_nobody_plays_in_public(self, ada, stranger):
        opened(ada, visibility="unlisted")
        assert 'id="featured-name"' not in stranger.open("/").page

    def test_people_come_before_computers(self, ada, ben, stranger):
        table = opened(ada, "me, open", visibility="public")
        joining.join(match_id=table.id, user=ben)
        opened(ada, "me, bot greedy", visibility="public")
        page = stranger.open("/").page.split('id="featured"')[1].split("</section>")[0]
        assert f'href="/matches/{table.id}"' in page
        assert "Ada" in page
        assert "Ben" in page

    def test_it_shows_what_a_spectator_sees(self, ada, stranger, at_home):
        """Also to the player: the fragment is one for all readers."""
        match = played(opened(ada, "me, local Twin", visibility="public"), 3)
        shown = [browser.open("/featured").page for browser in (stranger, at_home)]
        assert shown[0] == shown[1]
        hand = [card for seat in (0, 1) for card in match.rules.view(match.state, seat).hand]
        facts = match.rules.view(match.state, None)
        for card in {*map(str, hand)} - {*map(str, getattr(facts, "pile", ()))}:
            assert f'"{card}"' not in shown[0]

    def test_what_is_shown_already_is_not_sent_again(self, ada, stranger):
        opened(ada, visibility="public")
        page = stranger.open("/featured").page
        tag = page.split('data-tag="')[1].split('"')[0]
        assert stranger.open(f"/featured?shown={tag}").status == 204

    def test_a_table_that_is_closed_to_others_is_gone_at_once(self, ada, stranger):
        match = opened(ada, visibility="public")
        assert str(match.id) in stranger.open("/featured").page
        Match.objects.filter(id=match.id).update(visibility="private")
        assert str(match.id) not in stranger.open("/featured").page


def test_a_table_says_how_many_watch(ada, stranger, monkeypatch):
    match = opened(ada, visibility="public")
    monkeypatch.setattr("games.web.table.acts.watchers_of", lambda ids: {ids[0]: 4})
    assert "Watching: 4" in stranger.open(f"/matches/{match.id}").text
