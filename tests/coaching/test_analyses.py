"""An analysis is asked for once, judged in turns by any worker, and read by who may know all."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games.coaching import analyses
from games.coaching.analyses import NothingToJudge, NotYourAnalysis, TooManyAnalyses
from games.coaching.models import Analysis
from games.matches.loading import load
from games.matches.models import Match
from games.matches.refusals import MatchNotOver, ParentStillRunning
from tests.api.calls import get, post, refused
from tests.coaching.scenes import QUICK, analysed, given_up, judged
from tests.daily import days
from tests.matches.scenes import now, opened, played, resigned

pytestmark = pytest.mark.django_db
NO_SEATS = ["9", "-1", "x", "٣", "99999999999"]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(analyses.judging, "PLAYOUTS", QUICK)
    monkeypatch.setattr(analyses.judging, "CLOSER", (1,))


@pytest.fixture
def over(ada):
    return given_up(ada, plies=6)


def test_a_match_is_judged_in_turns_from_where_the_last_one_stopped(over, ada, monkeypatch):
    monkeypatch.setattr(analyses, "SECONDS_A_TURN", 0.0)  # one decision a turn
    row = analyses.analyse(match=over, user=ada)
    analyses.judge_for_a_while()
    row.refresh_from_db()
    assert (row.status, row.reached) == ("running", 1)
    row = judged(over)
    assert row.status == "finished"
    assert row.reached == row.decisions
    assert len(analyses.summary_of(row)) == len(over.seats)


def test_asking_again_begins_nothing(over, ada, ben):
    first = analyses.analyse(match=over, user=ada)
    assert analyses.analyse(match=over, user=ada).id == first.id
    judged(over)
    assert analyses.analyse(match=over, user=ada).status == "finished"


def test_that_of_an_earlier_coach_makes_room(over, ada):
    old = Analysis.objects.create(match_id=over.id, version=1, requester=ada)
    assert analyses.analyse(match=over, user=ada).id != old.id
    assert Analysis.objects.count() == 1


def test_an_analysis_whose_worker_was_lost_is_taken_again(over, ada):
    analyses.analyse(match=over, user=ada)
    assert analyses._taken() is not None
    assert analyses._taken() is None
    Analysis.objects.update(given_at=timezone.now() - timedelta(minutes=5))
    assert judged(over).status == "finished"


def test_of_two_workers_at_one_analysis_the_first_one_counts(over, ada, monkeypatch):
    monkeypatch.setattr(analyses, "SECONDS_A_TURN", 0.0)
    row = analyses.analyse(match=over, user=ada)
    analyses._judge(row, 0.0)
    analyses._judge(row, 0.0)  # it read the row before the other wrote
    row.refresh_from_db()
    assert row.reached == 1


def test_a_failure_is_told_and_can_be_tried_again(over, ada, monkeypatch):
    analyses.analyse(match=over, user=ada)
    with monkeypatch.context() as broken:
        broken.setattr(analyses.judging, "played", lambda *_: 1 / 0)
        for _ in range(analyses.rows.TRIES):
            assert analyses.find_analysis(over.id).status == "running"
            analyses.judge_for_a_while()
            Analysis.objects.update(given_at=None)
    assert analyses.find_analysis(over.id).status == "failed"
    assert analyses.analyse(match=over, user=ada).status == "running"
    assert judged(over).status == "finished"


def test_a_running_match_is_not_judged(ada):
    with pytest.raises(MatchNotOver):
        analyses.analyse(match=played(opened(ada), 4), user=ada)


def test_a_match_whose_cards_another_one_uses_is_not_judged(ada, ben):
    """FORMAT.md §2: the record holds cards of a match that runs."""
    running = played(opened(ada, "me, local Twin"), 6)
    load(match_id=running.id, user=ada, version=4, cards="same")
    over = now(resigned(running, 0))
    with pytest.raises(ParentStillRunning):
        analyses.analyse(match=over, user=ben)
    analyses.analyse(match=over, user=ada)  # who plays both alone knows them
    judged(over)
    with pytest.raises(ParentStillRunning):
        analyses.check_may_read(now(over), ben.pk)


def test_a_deal_of_the_day_is_not_judged_before_it_is_revealed(settings, ada, ben):
    """Neither for its player, nor for anybody else: an analysis would tell the deal."""
    days.begun(settings, ada)
    match = days.to_its_end(ada)
    for reader in (ada.pk, ben.pk, None):
        with pytest.raises(ParentStillRunning):
            analyses.check_may_read(now(match), reader)


def test_pyanitsa_has_nothing_to_judge(ada):
    match = resigned(played(opened(ada, "me, local Twin", "pyanitsa"), 4), 0)
    with pytest.raises(NothingToJudge):
        analyses.analyse(match=match, user=ada)


def test_an_account_has_so_many_at_a_time(ada, settings):
    settings.LIMITS = settings.LIMITS | {"analyses": 1}
    one, other = (resigned(played(opened(ada, "me, local Twin"), 4), 0) for _ in range(2))
    analyses.analyse(match=one, user=ada)
    with pytest.raises(TooManyAnalyses):
        analyses.analyse(match=other, user=ada)


def test_only_who_asked_stops_it(over, ada, ben):
    analyses.analyse(match=over, user=ada)
    with pytest.raises(NotYourAnalysis):
        analyses.stop(match=over, user=ben)
    analyses.stop(match=over, user=ada)
    assert analyses.find_analysis(over.id) is None


class TestApi:
    def test_nobody_reads_what_is_not_theirs_to_see(self, keyed, over, ada, ben):
        Match.objects.filter(id=over.id).update(visibility="private")
        analyses.analyse(match=over, user=ada)
        here = f"matches/{over.id}/analysis"
        stranger = keyed(ben)
        refused(get(stranger, here), "not_found")
        refused(post(stranger, here), "not_found")
        assert stranger.delete(f"/api/v1/{here}").status_code == 404


class TestPage:
    def test_asked_for_waited_for_and_read(self, client, over, ada):
        client.force_login(ada)
        here = reverse("analysis", args=[over.id])
        assert b"Analyse this match" in client.get(here).content
        assert client.post(here).status_code == 302
        assert b"The coach is at work" in client.get(here).content
        judged(over)
        page = client.get(here, {"show": "all"}).content.decode()
        assert "chance to win" in page
        assert "Every move" in page

    def test_a_running_match_says_why_not(self, client, ada):
        client.force_login(ada)
        match = played(opened(ada), 4)
        answer = client.get(reverse("analysis", args=[match.id]))
        assert "analysed when it is over" in answer.content.decode()

    def test_a_seat_that_is_not_there_is_the_own_one(self, client, over, ada):
        client.force_login(ada)
        analysed(over, ada)
        here = reverse("analysis", args=[over.id])
        answers = {seat: client.get(here, {"seat": seat}) for seat in NO_SEATS}
        assert {seat: answer.status_code for seat, answer in answers.items()} == dict.fromkeys(
            NO_SEATS, 200
        )
