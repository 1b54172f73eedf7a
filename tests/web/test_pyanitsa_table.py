"""Pyanitsa's table by forms alone: one button, the whole trick, the end, an order by numbers."""

import re
from random import Random

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardroom.rules.cards import TEXT
from cardroom.rules.pyanitsa.events import CardLaid
from cardroom.rules.pyanitsa.state import card_count
from games.matches.selectors.log import log_entries
from games.web.parts.table_page import table_page
from games.web.table.page import motions_of
from games.web.tables import page_of, pyanitsa
from games.web.tables.pyanitsa import MOST_POINTS, drawn_curve
from tests.matches.scenes import move, now, opened, played
from tests.patience import PATIENCE
from tests.web.browsing import alerts_of, signed_in
from tests.web.test_table import let_bots_move, shown_cards


def drunkards(ada, seats="me, bot automaton", **options):
    return opened(ada, seats, "pyanitsa", options={"players": seats.count(",") + 1} | options)


class TestFlipping:
    def test_one_button_lays_one_card(self, ada, at_home):
        match = drunkards(ada)
        at_home.open(f"/matches/{match.id}").press("Turn up your card")
        assert now(match).version == 1
        (laid,) = now(match).state.table
        assert TEXT[laid.card] in shown_cards(at_home)

    def test_a_mortgage_level_says_that_two_are_laid(self, ada, at_home):
        match = self._disputing(ada)
        at_home.open(f"/matches/{match.id}")
        assert "Dispute" in at_home.text
        at_home.press("Lay two")
        assert now(match).version == match.version + 1

    @staticmethod
    def _disputing(ada):
        while True:
            match = drunkards(ada, dispute="mortgage")
            for _ in range(60):
                state = match.state
                if state.level and match.to_act == [0] and len(state.draw[0]) > 1:
                    return match
                if match.is_over:
                    break
                match = played(match, match.version + 1)

    def test_no_handover_where_nobody_sees_more_than_another(self, ada, at_home):
        match = drunkards(ada, "local Ann, local Bob")
        at_home.open(f"/matches/{match.id}")
        assert "Pass the device" not in at_home.text
        assert "Ann, your turn" in at_home.text
        at_home.press("Turn up your card")
        assert "Bob, your turn" in at_home.text


class TestManyCards:
    def test_the_whole_trick_ends_with_the_trick(self, ada, at_home):
        match = drunkards(ada, "me, bot automaton, bot automaton")
        at_home.open(f"/matches/{match.id}").press("The whole trick")
        assert now(match).state.trick_no == 2
        let_bots_move(match)
        at_home.open(at_home.address).press("The whole trick")
        assert now(match).state.trick_no == 3

    def test_to_the_end_plays_the_match_out(self, ada, at_home, monkeypatch):
        monkeypatch.setattr(pyanitsa, "SECONDS_PER_PAGE", PATIENCE)
        match = drunkards(ada, max_tricks=60)
        at_home.open(f"/matches/{match.id}")
        for _ in range(5):
            if not now(match).is_over:
                at_home.press("To the end")
        assert now(match).is_over
        assert "won" in at_home.text

    def test_stops_where_somebody_else_is_to_lay(self, ada, ben, at_home):
        match = opened(ada, "me, user ben", "pyanitsa")
        signed_in(ben).open(f"/matches/{match.id}").press("Sit down here")
        at_home.open(f"/matches/{match.id}").press("To the end")
        assert now(match).version == 1
        assert now(match).to_act == [1]

    def test_stops_at_a_choice(self, ada, at_home):
        match = drunkards(ada, "local Ann, local Bob", collect_order="arbitrary")
        at_home.open(f"/matches/{match.id}").press("To the end")
        assert now(match).state.taker is not None
        assert "You take the trick" in at_home.text

    def test_an_old_page_flips_nothing(self, ada, at_home):
        match = drunkards(ada, "me, local Bob")
        at_home.open(f"/matches/{match.id}")
        match = move(match, "flip", 0)
        at_home.press("To the end")
        assert "went on in the meantime" in at_home.text
        assert now(match).version == 1

    def test_who_does_not_play_runs_nothing(self, ada, stranger):
        match = drunkards(ada)
        stranger.open(f"/matches/{match.id}")
        token = next(v for form in stranger.forms for n, v in form.fields if "csrf" in n)
        sent = {"until": "end", "version": "0", "csrfmiddlewaretoken": token}
        answer = stranger.client.post(f"/matches/{match.id}/run", sent, follow=True)
        assert alerts_of(answer.content.decode())
        assert now(match).version == 0


class TestCollecting:
    def collecting(self, ada, **options):
        match = drunkards(ada, "me, bot hoarder", collect_order="arbitrary", **options)
        while match.state.taker != 0:
            match = played(match, match.version + 1)
        return match

    def test_numbers_say_the_order(self, ada, at_home):
        match = self.collecting(ada)
        laid = [TEXT[each.card] for each in match.state.table]
        at_home.open(f"/matches/{match.id}")
        form = next(form for form in at_home.forms if form.id == "order")
        assert [v for n, v in form.fields if n == "card"] == laid
        sent = {"card": laid, "place": [str(n) for n in range(len(laid), 0, -1)]}
        sent |= {n: v for n, v in form.fields if n not in sent}
        at_home.client.post(form.action, sent)
        won = [TEXT[card] for card in now(match).state.won[0]]
        assert won[-len(laid) :] == laid[::-1]

    @pytest.mark.parametrize("numbers", [["1", "1"], ["", "x"], ["9" * 30, "²"], []])
    def test_any_numbers_are_an_order_or_refused(self, ada, at_home, numbers):
        match = self.collecting(ada)
        laid = [TEXT[each.card] for each in match.state.table]
        at_home.open(f"/matches/{match.id}")
        form = next(form for form in at_home.forms if form.id == "order")
        sent = {n: v for n, v in form.fields if n not in ("card", "place")}
        sent |= {"card": laid, "place": (numbers * 9)[: len(laid)]}
        answer = at_home.client.post(form.action, sent, follow=True)
        assert answer.status_code == 200
        assert now(match).version == match.version + bool(numbers)
        assert bool(alerts_of(answer.content.decode())) == (not numbers)

    @pytest.mark.parametrize("says", ["As laid", "High cards first"])
    def test_one_press_collects(self, ada, at_home, says):
        match = self.collecting(ada)
        at_home.open(f"/matches/{match.id}").press(says)
        assert now(match).version == match.version + 1

    def test_only_the_taker_sees_what_lay_face_down(self, ada, at_home, stranger):
        match = self.collecting(ada, dispute="mortgage")
        while not any(laid.face_down for laid in match.state.table) or match.state.taker != 0:
            match = played(match, match.version + 1)
            match = self.collecting(ada, dispute="mortgage") if match.is_over else match
        hidden = {TEXT[laid.card] for laid in match.state.table if laid.face_down}
        assert hidden <= shown_cards(at_home.open(f"/matches/{match.id}"))
        assert not hidden & shown_cards(stranger.open(f"/matches/{match.id}"))
        for card in hidden:
            assert f'value="{card}"' not in stranger.page


class TestTrick:
    def test_the_trick_taken_last_stays_in_sight(self, ada, at_home):
        match = played(drunkards(ada, "me, local Bob"), 2, Random(1))
        while match.state.table:
            match = played(match, match.version + 1)
        laid = [e.card for p in log_entries(match) for e in p.events if isinstance(e, CardLaid)]
        at_home.open(f"/matches/{match.id}")
        last = at_home.page.split('class="py-last"')[1].split("</div>")[0]
        assert last.count("chip ") == len(laid)
        assert re.search(r"takes \d+ cards", last)

    def test_piles_stay_unknown(self, ada, stranger):
        match = played(drunkards(ada), 41)
        told = {e.card for p in log_entries(match) for e in p.events if isinstance(e, CardLaid)}
        assert shown_cards(stranger.open(f"/matches/{match.id}")) <= told


class TestActs:
    """The motions of plies that the page before did not show."""

    def motions(self, ada, unseen):
        match = played(drunkards(ada), 31)
        page = table_page(match, ada.id, unseen=unseen)
        return match, motions_of(page, page_of("pyanitsa"))

    def test_tricks_turned_up_at_once_are_shown_briefly(self, ada):
        match, motions = self.motions(ada, 31)
        tricks = match.state.trick_no - 1
        kinds = [motion.kind for motion in motions]
        assert kinds.count("rest") == kinds.count("clear") == tricks
        assert kinds.count("lay") == 31
        assert set(kinds) == {"lay", "rest", "clear"}
        quick = 0.4 * sum(motion.milliseconds for motion in motions)
        assert quick <= 4000 / 120 * tricks

    def test_a_card_is_shown_in_full(self, ada):
        _, motions = self.motions(ada, 1)
        assert "move" in {motion.kind for motion in motions}
        assert "lay" not in {motion.kind for motion in motions}

    def test_nothing_that_was_seen_is_shown_again(self, ada):
        _, motions = self.motions(ada, 0)
        assert not motions


class TestCurve:
    def test_follows_the_counts_of_every_trick(self, ada, at_home):
        match = drunkards(ada)
        assert drawn_curve(table_page(match, ada.id)) is None
        match = played(match, 31)
        curve = drawn_curve(table_page(match, ada.id))
        assert curve.tricks == match.state.trick_no - 1
        assert curve.cards == 36
        bars = [card_count(match.state, seat) for seat in range(2)]
        assert [line.held for line in curve.lines] == bars
        assert len(curve.lines[0].points.split()) == curve.tricks + 1
        at_home.open(f"/matches/{match.id}")
        assert f"Cards held over {curve.tricks} tricks" in at_home.text

    def test_is_the_same_read_at_once_or_bit_by_bit(self, ada):
        match = drunkards(ada)
        for version in (1, 2, 9, 30, 64):
            match = played(match, version)
            drawn_curve(table_page(match, ada.id))
        followed = drawn_curve(table_page(match, ada.id))
        cache.clear()
        assert drawn_curve(table_page(match, ada.id)) == followed

    @pytest.mark.parametrize("version", [31, 90])
    def test_a_page_reads_the_log_once(self, ada, at_home, version):
        """News, last trick and curve are told from the same plies."""
        match = played(drunkards(ada), version)
        while min(card_count(match.state, seat) for seat in range(2)) < 12:  # soon over
            match = played(drunkards(ada), version)
        drawn_curve(table_page(match, ada.id))
        match = played(match, match.version + 6)
        with CaptureQueriesContext(connection) as queries:
            at_home.open(f"/matches/{match.id}")
        assert sum("JOIN games_ply p ON p.match_id = w.id" in q["sql"] for q in queries) == 1

    def test_a_long_match_stays_a_short_line(self, ada):
        match = played(drunkards(ada, "bot automaton, bot automaton", low_beats_ace="lowest"), 1200)
        curve = drawn_curve(table_page(match, ada.id))
        assert all(len(line.points.split()) <= MOST_POINTS + 1 for line in curve.lines)
        assert curve.tricks == match.state.trick_no - (not match.is_over)


@pytest.mark.parametrize("seats", ["bot automaton, bot automaton", "me, bot automaton"])
def test_what_plays_itself_is_watched(ada, at_home, seats):
    """A match of bots alone, and pace auto: nothing to press, the page asks for news."""
    pace = "auto" if "me" in seats else "manual"
    match = drunkards(ada, seats, pace=pace)
    page = at_home.open(f"/matches/{match.id}").page
    assert 'data-waits-for="bots"' in page
    assert at_home.moves == []
    let_bots_move(match)
    assert now(match).is_over
    assert "won" in at_home.open(f"/matches/{match.id}").text


def test_the_end_shows_who_went_out_when(ada, stranger):
    match = played(drunkards(ada, "bot automaton, bot automaton, bot automaton"))
    stranger.open(f"/matches/{match.id}")
    for trick in filter(None, match.state.out_in):
        assert f"out in trick {trick}" in stranger.text
