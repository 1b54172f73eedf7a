"""Acts in the admin: the page says what will happen, rights are judged, bulk runs report each."""

from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.models import Group, Permission
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from accounts.audit.log import Actor
from accounts.audit.models import Entry
from accounts.models import User
from games.matches import joining, loading
from games.matches.models import Match, Seat
from games.operations import acts, refereeing, reports
from games.operations.acts import ACTS
from games.operations.models import BulkRun, PlayerReport
from games.operations.refereeing import moment
from tests.conftest import client_of
from tests.matches.scenes import now, opened, played

pytestmark = pytest.mark.django_db

WHY = {"reason": "A player asked for it."}


def staff(role: str) -> Client:
    user = User.objects.create_user(role, is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    return client_of(user)


def told(browser: Client, answer) -> list[str]:
    """The messages for the next page, which are removed."""
    said = [str(message) for message in get_messages(answer.wsgi_request)]
    browser.cookies.pop("messages", None)
    return said


def act_page(match, slug: str) -> str:
    return reverse("admin:games_match_act", args=[match.id, slug])


def test_who_may_act(ada):
    match, viewer, referee = opened(ada), staff("viewer"), staff("referee")
    for slug in ACTS:
        assert viewer.get(act_page(match, slug)).status_code == 403, slug
        page = referee.get(act_page(match, slug))
        assert "What will happen" in page.content.decode(), slug


def test_without_a_reason_nothing_happens(ada):
    match, referee = opened(ada), staff("referee")
    assert referee.post(act_page(match, "abort"), {"reason": ""}).status_code == 200
    assert now(match).status == "active"
    assert referee.post(act_page(match, "abort"), WHY).status_code == 302
    assert now(match).status == "aborted"
    assert Entry.objects.get(action="abort").actor == "referee"


def test_many_matches_a_result_for_each(ada):
    """One that refuses does not stop the others."""
    matches, referee = [opened(ada) for _ in range(3)], staff("referee")
    referee.post(act_page(matches[0], "abort"), WHY)
    chosen = {"action": "abort", "_selected_action": [str(match.id) for match in matches]}
    page = referee.post(reverse("admin:games_match_changelist"), chosen)["Location"]
    assert Match.objects.filter(status="active").count() == 2
    assert "3 matches" in referee.get(page).content.decode()
    referee.post(page, WHY)
    run = BulkRun.objects.get()
    acts.work_off(run.id)
    assert not Match.objects.filter(status="active").exists()
    assert sorted(run.results.values_list("succeeded", flat=True)) == [False, True, True]
    shown = referee.get(page)
    assert "3 of 3" in shown.content.decode()
    assert "Refresh" not in shown


class TestTheDeadline:
    """Old and new are shown for each match before anything happens, and told after it."""

    @pytest.fixture
    def match(self, ada, ben):
        found = opened(ada, "me, user Ben", turn_seconds=3 * 86400)
        return joining.join(match_id=found.id, user=ben)

    def test_is_shown_before_it_is_changed(self, match):
        referee, page = staff("referee"), act_page(match, "change-deadline")
        was, later = match.deadline_at, match.deadline_at + timedelta(hours=1)
        assert moment(was) in referee.get(page).content.decode()
        shown = referee.post(page, WHY | {"minutes": "60"})
        assert shown.context["changes"][0][1:] == (moment(was), moment(later))
        assert moment(later) in shown.content.decode()
        assert now(match).deadline_at == was
        press = WHY | {"minutes": "60", "shown": shown.context["token"]}
        assert referee.post(page, press | {"minutes": "9"}).status_code == 200  # not what it saw
        assert now(match).deadline_at == was
        done = referee.post(page, press, follow=True).content.decode()
        assert f"{moment(was)} → {moment(later)}" in done
        assert now(match).deadline_at == later
        assert referee.post(page, press).status_code == 200  # the deadline is another one by now
        assert now(match).deadline_at == later

    def test_of_many_matches(self, match, ada, ben):
        others = [opened(ada, "me, local Twin", turn_seconds=s) for s in (60, 86400, None)]
        matches = [match, *(now(other) for other in others)]
        referee = staff("referee")
        chosen = {"action": "change-deadline", "_selected_action": [m.id for m in matches]}
        page = referee.post(reverse("admin:games_match_changelist"), chosen)["Location"]
        shown = referee.post(page, WHY | {"minutes": "60"})
        later = {m.id: m.deadline_at and m.deadline_at + timedelta(hours=1) for m in matches}
        assert {c.match.pk: c.will_be for c in shown.context["changes"]} == {
            match_id: moment(at) for match_id, at in later.items()
        }
        assert BulkRun.objects.get().confirmed_at is None
        referee.post(page, WHY | {"minutes": "60", "shown": shown.context["token"]})
        acts.work_off(BulkRun.objects.get().id)
        assert {m.id: now(m).deadline_at for m in matches} == later
        told = referee.get(page).content.decode()
        for one in matches[:3]:
            assert f"{moment(one.deadline_at)} → {moment(later[one.id])}" in told

    def test_is_cleared_after_it_was_shown(self, match):
        referee, page = staff("referee"), act_page(match, "clear-deadline")
        shown = referee.get(page)
        assert shown.context["changes"][0][1:] == (moment(match.deadline_at), "none")
        referee.post(page, WHY | {"shown": shown.context["token"]})
        assert now(match).deadline_at is None


class TestOwnMatches:
    """A person who plays, or plays on with the same cards, decides nothing here."""

    @pytest.fixture
    def referee(self, db) -> User:
        staff("referee")
        return User.objects.get(username="referee")

    @pytest.fixture
    def browser(self, referee) -> Client:
        return client_of(referee)

    @pytest.fixture
    def match(self, ada, referee):
        found = opened(ada, "me, user referee", turn_seconds=600)
        return joining.join(match_id=found.id, user=referee)

    def test_no_act_on_the_own_match(self, browser, match):
        for slug in ACTS:
            self.refused(browser, match, slug)
        shown = browser.get(reverse("admin:games_match_change", args=[match.id]))
        assert shown.context["acts"] == []

    def refused(self, browser, match, slug):
        """As it is sent, and as it is sent once more by who was shown what will happen."""
        page = act_page(match, slug)
        sent = {"seat": 0, "bot": "random", "winner": 1, "round": 1, "minutes": 5, "text": "Hm."}
        for shown in ({}, {"shown": f"5|{moment(match.deadline_at)}"}):
            answer = browser.post(page, WHY | sent | shown)
            assert answer.status_code == 302, slug
            assert told(browser, answer) == [refereeing.OWN_MATCH], slug
        asked = browser.get(page)
        assert (asked.status_code, told(browser, asked)) == (302, [refereeing.OWN_MATCH]), slug
        after = now(match)
        assert (after.status, after.version, after.seats) == ("active", match.version, match.seats)
        assert after.deadline_at == match.deadline_at, slug
        assert not Entry.objects.exists(), slug

    def test_nor_in_a_bulk_run(self, browser, match, referee):
        for slug in (slug for slug, act in ACTS.items() if act.bulk):
            run = acts.draft(act=slug, match_ids=[match.id], user=referee)
            given = {"minutes": 5, "text": "Hm."}
            acts.confirm(run_id=run.id, user=referee, reason="A reason.", values=given)
            acts.work_off(run.id)
            results = [(r.succeeded, r.said) for r in run.results.all()]
            assert results == [(False, refereeing.OWN_MATCH)], slug
            assert now(match).status == "active", slug

    def test_nor_on_a_match_of_the_same_cards(self, browser, ada, ben, referee):
        """A match, one loaded from it, and one loaded from that one."""
        family = [joining.join(match_id=opened(ada, "me, user Ben").id, user=ben)]
        for version in (4, 6):
            played(family[-1], version + 1)
            load = partial(loading.load, user=ada, cards="reshuffled", version=version)
            load = load(match_id=family[-1].id)
            family.append(joining.join(match_id=load.id, user=ben))
        for own in family:
            seat = Seat.objects.filter(match_id=own.id, index=1)
            seat.update(user=referee)
            for match in family:
                answer = browser.post(act_page(match, "abort"), WHY)
                assert told(browser, answer) == [refereeing.OWN_MATCH], (own.id, match.id)
                assert now(match).status == "active"
            seat.update(user=ben)

    def test_nor_on_the_rival(self, browser, match, ada, referee):
        """To suspend or erase the rival would end the match; the export has the rival's decks."""
        referee.user_permissions.set(Permission.objects.filter(codename__endswith="_person"))
        for what in ("suspend", "erase", "export", "lift"):
            page = reverse("admin:operations_person_act", args=[ada.pk, what])
            sent = WHY | {"seats": "resign", "username": ada.username}
            answer = browser.post(page, sent, follow=True)
            assert "You play a match with this person" in answer.content.decode(), what
            assert User.objects.get(pk=ada.pk).is_active, what
            assert now(match).status == "active", what

    def test_nor_a_report_about_oneself(self, browser, match, ada, referee):
        reports.report(match_id=match.id, user=ada, seat=1, reason="stalling", text="Slow.")
        found = PlayerReport.objects.get()
        page = reverse("admin:operations_playerreport_change", args=[found.pk])
        assert browser.post(page, WHY | {"what": "resolve"}).status_code == 404
        assert "Slow." not in browser.get(page, follow=True).content.decode()
        with pytest.raises(refereeing.OwnMatter):
            reports.resolve(report_id=found.pk, by=Actor.of(referee, "It is nothing."))
        with pytest.raises(refereeing.OwnMatter):
            reports.assign(report_id=found.pk, user=referee)


def test_a_run_stops_with_the_rights_of_its_operator(ada):
    match, referee = opened(ada), staff("referee")
    chosen = {"action": "abort", "_selected_action": [str(match.id)]}
    page = referee.post(reverse("admin:games_match_changelist"), chosen)["Location"]
    referee.post(page, WHY)
    User.objects.get(username="referee").groups.clear()
    acts.work_off(BulkRun.objects.get().id)
    assert now(match).status == "active"
