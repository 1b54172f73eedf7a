"""The inbox of reports: who works on each, what was before, acts from its page (issue 59.5)."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.audit import wording
from accounts.audit.log import Actor
from accounts.audit.models import Entry, PersonNotice, Suspension
from accounts.models import User
from games.matches import joining
from games.operations import figures, people, reports
from games.operations.models import PlayerReport
from games.operations.reports import Earlier
from games.phrases.models import Silence
from tests.admin.test_acts import WHY, Client, staff, told
from tests.conftest import BACKEND
from tests.matches.scenes import opened

pytestmark = pytest.mark.django_db
INBOX = "admin:operations_playerreport_changelist"


@pytest.fixture
def by(cleo) -> Actor:
    return Actor.of(cleo, "Three reports of insults.")


@pytest.fixture
def match(ada, ben):
    return joining.join(match_id=opened(ada, "me, user Ben").id, user=ben)


@pytest.fixture
def report(match, ada) -> PlayerReport:
    reports.report(match_id=match.id, user=ada, seat=1, reason="phrases", text="He insults.")
    return PlayerReport.objects.get()


def page_of(report) -> str:
    return reverse("admin:operations_playerreport_change", args=[report.pk])


def decided(report, role="referee", **sent):
    browser = staff(role)
    answer = browser.post(page_of(report), WHY | {"what": "resolve"} | sent)
    report.refresh_from_db()
    return told(browser, answer) if answer.status_code == 302 else answer.status_code


def test_the_list_says_what_was_before(report, match, ada, ben, by):
    people.message(user_id=ben.pk, by=by, text="Be friendly.", action="warn")
    reports.resolve(report_id=report.pk, by=by)
    reports.report(match_id=match.id, user=ada, seat=1, reason="name", text="Again.")
    listed = staff("viewer").get(reverse(INBOX)).content.decode()
    assert "2 reports, 1 warning" in listed
    newest = staff("referee").get(page_of(PlayerReport.objects.first())).content.decode()
    assert "He insults." in newest
    assert "warn" in newest


def test_assigned_to_another_or_several_to_oneself(report):
    referee, administrator = staff("referee"), staff("administrator")
    to = User.objects.get(username="administrator")
    answer = referee.post(page_of(report), {"what": "assign", "to": str(to.pk)})
    assert told(referee, answer) == ["Assigned to administrator."]
    report.refresh_from_db()
    assert report.assignee == to
    listed = administrator.get(reverse(INBOX), {"state": "mine"}).content.decode()
    assert "He insults." in listed
    for stranger in (str(User.objects.get(username="Ada").pk), "nobody"):
        answer = referee.post(page_of(report), {"what": "assign", "to": stranger})
        assert told(referee, answer) == ["This person does not work on reports."]
    referee.post(reverse(INBOX), {"action": "assign_to_me", "_selected_action": [report.pk]})
    report.refresh_from_db()
    assert report.assignee.username == "referee"


def test_a_warning_in_the_language_of_its_reader(report, ada, ben):
    """Both read a template in their own language, and the report is closed."""
    User.objects.filter(pk=ben.pk).update(language="tr")
    User.objects.filter(pk=ada.pk).update(language="cs")
    sent = {"verdict": "warn", "template": "insults", "answer_template": "acted"}
    assert decided(report, **sent) == [
        "The person is told on the next page. Resolved. Its writer is told."
    ]
    ben.refresh_from_db(), ada.refresh_from_db()
    for person, template in (
        (ben, wording.TO_PERSON["insults"]),
        (ada, wording.TO_WRITER["acted"]),
    ):
        text = PersonNotice.objects.get(user=person).text
        assert text == reports.written_for(person, template) != str(template)
    assert report.assignee.username == "referee"
    assert Entry.objects.get(action="warn").subject_id == str(ben.pk)


@pytest.mark.parametrize("what", ["silence", "suspend"])
def test_each_length_is_longer_than_the_one_before(what):
    counts = [Earlier(0, 0, n, n).days(what) for n in range(7)]
    known = [days for days in counts if days is not None]
    assert known == sorted(set(known))
    assert counts[-1] is None


def test_a_second_suspension_is_longer(report, ben, by):
    people.suspend(user_id=ben.pk, by=by, until=timezone.now() + timedelta(days=1), resigns=False)
    people.lift(user_id=ben.pk, by=by)
    assert decided(report, verdict="suspend")[0].startswith("Suspended")  # undone within the hour
    first = ben.suspensions.get(lifted_at=None)
    assert first.until - timezone.now() < timedelta(days=1)
    Suspension.objects.update(at=timezone.now() - timedelta(days=2))
    people.lift(user_id=ben.pk, by=by)
    reports.reopen(report_id=report.pk, by=by)
    assert "suspend, days: 7" in staff("administrator").get(page_of(report)).content.decode()


@pytest.mark.parametrize(
    ("sent", "days"), [({}, 1), ({"length": "30"}, 30), ({"length": "good"}, None)]
)
def test_silenced_from_the_page_of_the_report(report, ben, sent, days):
    decided(report, verdict="silence", words="Not like this.", **sent)
    row = Silence.objects.get(account=ben)
    assert (row.until is None) == (days is None)
    if days:
        assert timedelta(days=days) - (row.until - row.at) < timedelta(minutes=1)
    assert PersonNotice.objects.filter(user=ben, text="Not like this.").exists()


def test_the_suspended_read_words_and_not_the_reason(report, ben):
    decided(report, verdict="suspend", template="insults", length="3")
    row = ben.suspensions.get()
    assert row.reason == wording.TO_PERSON["insults"] != WHY["reason"]


def test_of_two_operators_at_once_one_acts(report, ben, by, monkeypatch):
    act_on = reports.act_on

    def acts(*sent):
        with pytest.raises(reports.AlreadyReported):  # the other one, who pressed a moment later
            reports.resolve(report_id=report.pk, by=by, what="suspend")
        return act_on(*sent)

    monkeypatch.setattr(reports, "act_on", acts)
    reports.resolve(report_id=report.pk, by=by, what="warn", words="Be friendly.")
    assert PersonNotice.objects.filter(user=ben).count() == 1
    assert not ben.suspensions.exists()


def test_an_act_that_is_refused_leaves_the_report_open(report, ada, ben, by):
    people.suspend(user_id=ben.pk, by=by, until=None, resigns=False)
    assert decided(report, verdict="suspend") == ["This person is suspended already."]
    assert (report.resolved_at, report.resolution, report.answer) == (None, "", "")
    assert not PersonNotice.objects.filter(user=ada).exists()


def test_nobody_is_given_a_report_of_their_own(report, ada):
    ada.is_staff = ada.is_superuser = True
    ada.save()
    browser = staff("referee")
    assert ada not in browser.get(page_of(report)).context["moderators"]
    answer = browser.post(page_of(report), {"what": "assign", "to": str(ada.pk)})
    assert told(browser, answer) == ["This person does not work on reports."]


@pytest.mark.parametrize("sent", [{"verdict": "lift"}, {"verdict": "erase"}, {"verdict": ""}])
def test_no_other_verdict(report, sent):
    assert decided(report, **sent) == 403
    assert report.resolved_at is None


@pytest.mark.parametrize("length", ["0", "-1", "9" * 30, "a"])
def test_no_other_length(report, ben, length):
    assert "Name 1 to" in decided(report, verdict="suspend", length=length)[0]
    assert report.resolved_at is None
    assert not ben.suspensions.exists()


def test_a_viewer_reads_and_does_nothing(report):
    assert decided(report, role="viewer", verdict="warn", template="name") == 403


def test_an_appeal_is_granted_from_its_page(ben, by):
    people.suspend(user_id=ben.pk, by=by, until=None, resigns=True)
    reports.appeal(ben.suspensions.get().pk, "It was my brother.")
    appeal = PlayerReport.objects.get()
    listed = staff("viewer").get(reverse(INBOX)).content.decode()
    assert "1 suspension" in listed
    said = decided(appeal, verdict="lift", answer_template="lifted")
    assert "The suspension is lifted." in said[0]
    assert User.objects.get(pk=ben.pk).is_active
    assert appeal.answer == wording.TO_SUSPENDED["lifted"]


def test_ten_queries_a_page(report, django_assert_max_num_queries):
    """Without those of the session and its rights, which every page of the admin needs."""
    browser = staff("referee")
    for page in (reverse(INBOX), page_of(report)):
        browser.get(page)
        with django_assert_max_num_queries(14):
            assert browser.get(page).status_code == 200


class TestSeveralPeople:
    def page(self, *people) -> str:
        ids = "&".join(f"id={one.pk}" for one in people)
        return f"{reverse('admin:several_people')}?{ids}"

    def test_each_is_shown_before_and_has_a_length_of_its_own(self, ada, ben, by):
        people.suspend(user_id=ben.pk, by=by, until=None, resigns=False)
        people.lift(user_id=ben.pk, by=by)
        Suspension.objects.update(at=timezone.now() - timedelta(days=2))
        browser = staff("referee")
        chosen = {"action": "act_on_them", "_selected_action": [ada.pk, ben.pk]}
        page = browser.post(reverse("admin:operations_person_changelist"), chosen)["Location"]
        lines = browser.get(page).context["lines"]
        assert [line[-1][-1] for line in lines] == ["suspend, days: 1", "suspend, days: 3"]
        browser.post(page, WHY | {"verdict": "suspend", "template": "accounts"})
        ends = [one.suspensions.get(lifted_at=None).until for one in (ada, ben)]
        assert timedelta(days=1) < ends[1] - ends[0] < timedelta(days=3)

    def test_staff_and_those_whose_match_one_plays_are_passed_over(self, ada, ben, cleo, match):
        root = User.objects.create_superuser("root")
        ada.is_staff = ada.is_superuser = True
        ada.save()
        browser = Client()
        browser.force_login(ada, backend=BACKEND)
        browser.post(self.page(ben, cleo, root), WHY | {"verdict": "suspend"})
        assert [one.suspensions.exists() for one in (ben, cleo, root)] == [False, True, False]

    def test_not_by_a_viewer_and_not_without_a_reason(self, ada, ben):
        viewer, referee = staff("viewer"), staff("referee")
        assert viewer.get(self.page(ada)).status_code == 200
        assert viewer.post(self.page(ada), WHY | {"verdict": "warn"}).status_code == 403
        referee.post(self.page(ada, ben), {"verdict": "silence"})
        assert not Silence.objects.exists()
        assert (
            referee.get(f"{self.page(ada)}&id=x&id={'z' * 36}&id={str(ada.pk)[:-1]}z").status_code
            == 200
        )


def test_who_works_on_how_many_and_how_fast(report, match, ada, by):
    """Open, answered, and the median of hours (5)."""
    PlayerReport.objects.update(at=timezone.now() - timedelta(hours=5))
    reports.resolve(report_id=report.pk, by=by)
    reports.report(match_id=match.id, user=ada, seat=1, reason="name", text="Again.")
    assert figures._count(4)[-1] == [["nobody", 1, 0, 0], [by.name, 0, 1, 5]]
