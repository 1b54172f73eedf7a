"""The pages help a referee: what is wrong is said, what cannot be done is not offered."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.audit.log import Actor
from accounts.audit.models import Entry, PersonNotice
from accounts.models import User
from cardroom.rules import record
from games.matches import bot_turns, joining, records
from games.matches.models import Match, Seat
from games.operations import people, refereeing, reports
from games.operations.acts import ACTS
from games.operations.finding import troubles_of
from games.operations.models import PlayerReport
from games.operations.own_data import data_of
from games.operations.refereeing import CannotReferee
from tests.api.calls import get
from tests.conftest import PASSWORD, client_of
from tests.matches.scenes import called_off, move, now, opened, played, played_until, resigned
from tests.web.browsing import Browser, signed_in

pytestmark = pytest.mark.django_db
WHY = "It was asked for."


@pytest.fixture
def referee(cleo):
    return Actor.of(cleo, WHY)


@pytest.fixture
def admin(db):
    return client_of(User.objects.create_superuser("Super"))


@pytest.fixture
def match(ada, ben):
    match = opened(ada, "me, user Ben", turn_seconds=600)
    return joining.join(match_id=match.id, user=ben)


@pytest.fixture
def gone(ada):
    """Ada has moved; the computer of the other seat is one that nobody has."""
    match = move(opened(ada, "me, bot greedy"))
    Seat.objects.filter(match=match.id, index=1).update(bot="gone")
    return now(match)


def offered(admin, match):
    page = admin.get(reverse("admin:games_match_change", args=[match.id])).content.decode()
    return {
        slug for slug in ACTS if reverse("admin:games_match_act", args=[match.id, slug]) in page
    }


def act_page(admin, match, slug, **sent):
    path = reverse("admin:games_match_act", args=[match.id, slug])
    answer = admin.post(path, sent, follow=True) if sent else admin.get(path)
    return answer.content.decode()


def test_a_computer_that_is_not_installed_is_named_and_replaced(gone, referee, admin):
    with pytest.raises(CannotReferee, match=r"not installed here: 'gone' \(seat 1\)"):
        refereeing.play_bot_turn(match_id=gone.id, by=referee)
    trouble = next(troubles_of(gone, timezone.now()))
    assert (trouble.act, trouble.is_grave) == ("hand-to-bot", True)
    assert '<option value="1" selected>' in act_page(admin, gone, "hand-to-bot")
    assert "pay-bot-turn" not in offered(admin, gone)
    refused = act_page(admin, gone, "pay-bot-turn", reason=WHY)
    assert "This computer is not installed here" in refused
    assert reverse("admin:games_match_act", args=[gone.id, "hand-to-bot"]) in refused
    refereeing.hand_to_bot(match_id=gone.id, by=referee, seat=1, bot="random")
    assert list(troubles_of(now(gone), timezone.now())) == []
    with pytest.raises(CannotReferee):  # no person is to be given the seat
        refereeing.give_back(match_id=gone.id, by=referee, seat=1)
    refereeing.play_bot_turn(match_id=gone.id, by=referee)
    over = played(now(gone))
    assert over.status == "finished"
    assert record.verify(records.of(over)) is None


def test_what_else_fails_is_named_by_its_class_alone(ada, referee, monkeypatch):
    match = move(opened(ada, "me, bot greedy"))

    def fail(*_):
        raise ZeroDivisionError("The stock is 7♥.")

    monkeypatch.setattr(bot_turns, "_run", fail)
    with pytest.raises(CannotReferee, match=r"failed: ZeroDivisionError\.") as refused:
        refereeing.play_bot_turn(match_id=match.id, by=referee)
    assert "7♥" not in str(refused.value)


def test_the_overdue_seat_is_chosen(match, admin):
    for _ in range(2):
        waits = now(match).to_act[0]
        assert f'<option value="{waits}" selected>' in act_page(admin, match, "hand-to-bot")
        move(now(match))


def test_acts_that_cannot_apply_are_not_offered(match, admin, referee, ada):
    running = {"hand-to-bot", "change-deadline", "clear-deadline", "message", "close", "verify"}
    assert offered(admin, match) == running | {"roll-back", "adjudicate", "abort"}
    refereeing.hand_to_bot(match_id=match.id, by=referee, seat=0)
    assert {"give-back", "pay-bot-turn"} <= offered(admin, now(match))
    waiting = opened(ada, "me, open")
    assert offered(admin, waiting) == {"message", "abort"}
    over = resigned(now(match), 1)
    assert offered(admin, over) == {"message", "close", "verify"}
    alone = played_until(opened(ada, "bot greedy, bot random"), lambda now: now.version > 3)
    assert "hand-to-bot" not in offered(admin, alone)
    assert "annul-rating" not in offered(admin, called_off(waiting))


def test_only_seats_that_fit_are_offered(match, admin, referee):
    refereeing.hand_to_bot(match_id=match.id, by=referee, seat=0)
    assert 'value="0"' not in act_page(admin, match, "hand-to-bot").split('name="bot"')[0]
    assert "(seat 1)" not in act_page(admin, match, "give-back").split("What will happen")[0]


def test_a_roll_back_says_what_goes_and_asks_once_more(match, admin):
    later = played(now(match), 4)
    sent = {"round": "1", "reason": WHY}
    shown = act_page(admin, later, "roll-back", **sent)
    assert "Plies 1 to 4 go: Ada 2, Ben 2." in shown
    assert now(match).version == 4
    token = shown.split('name="shown" value="')[1].split('"')[0]
    move(now(match))  # what was shown is not what would go now
    again = act_page(admin, later, "roll-back", **sent, shown=token)
    assert "Plies 1 to 5 go" in again
    assert not Entry.objects.filter(action="roll_back").exists()
    token = again.split('name="shown" value="')[1].split('"')[0]
    assert "was dealt again" in act_page(admin, later, "roll-back", **sent, shown=token)
    assert Entry.objects.filter(action="roll_back").count() == 1


def suspended(user, referee):
    people.suspend(user_id=user.pk, by=referee, until=None, resigns=False)


def test_a_suspended_person_answers_once_and_reads_what_became_of_it(ada, referee, admin):
    browser = signed_in(ada)
    suspended(ada, referee)
    browser.open("/lobby").press("Send", text="It was my brother.")
    assert "You answered: It was my brother." in browser.text
    assert "have not looked at it yet" in browser.text
    assert "Send" not in browser.text
    row = PlayerReport.objects.get()
    assert (row.reason, row.match_id, row.reporter) == ("appeal", None, ada)
    inbox = admin.get(reverse("admin:operations_playerreport_changelist")).content.decode()
    assert "A suspended person answers" in inbox
    page = reverse("admin:operations_playerreport_change", args=[row.pk])
    assert "It was my brother." in admin.get(page).content.decode()
    admin.post(page, {"what": "resolve", "reason": WHY, "answer": "Choose another password."})
    assert "Choose another password." in browser.open("/lobby").text
    assert not PersonNotice.objects.exists()


def test_it_is_answered_after_signing_in_too_and_twice_never(ada, referee):
    suspended(ada, referee)
    browser = Browser()
    browser.open("/accounts/login/").press("Sign in", login="Ada", password=PASSWORD)
    twin = Browser()
    twin.open("/accounts/login/").press("Sign in", login="Ada", password=PASSWORD)
    browser.press("Send", text="One.")
    twin.press("Send", text="Two.")
    assert [row.text for row in PlayerReport.objects.all()] == ["One."]
    assert "You answered: One." in twin.text


def test_nobody_else_answers_for_them(ada, ben, referee):
    suspended(ada, referee)
    for token in ("", "1", "1:x:y"):
        answer = Client().post("/accounts/appeal/", {"token": token, "text": "Me."})
        assert answer.status_code == 302
    assert not PlayerReport.objects.exists()


def test_another_suspension_may_be_answered_too(ada, referee):
    browser = signed_in(ada)
    suspended(ada, referee)
    browser.open("/lobby").press("Send", text="One.")
    people.lift(user_id=ada.pk, by=referee)
    suspended(ada, referee)
    signed_in(ada)
    row = ada.suspensions.get(lifted_at=None)
    reports.appeal(row.pk, "Two.")
    with pytest.raises(reports.CannotAppeal):
        reports.appeal(row.pk, "Three.")
    assert [one.text for one in PlayerReport.objects.filter(resolved_at=None)] == ["Two."]


@pytest.fixture
def report(match, ada):
    reports.report(match_id=match.id, user=ada, seat=1, reason="stalling", text="He waits.")
    return PlayerReport.objects.get()


def test_the_reporter_is_told_the_outcome(report, ada, referee, first):
    reports.resolve(report_id=report.pk, by=referee, answer="He was warned. Thank you.")
    assert [notice.text for notice in ada.notices.all()] == ["He was warned. Thank you."]
    assert "He was warned." in signed_in(ada).open("/lobby").text
    told = get(first, "accounts/me/data").json()["reports_made"]
    assert [one["answer"] for one in told] == ["He was warned. Thank you."]


def test_without_words_of_their_own_too(report, ada, referee):
    reports.resolve(report_id=report.pk, by=referee)
    assert ada.notices.get().text == reports.CLOSED_NOTICE


def test_a_resolved_report_is_reopened(report, admin, referee, ada):
    reports.resolve(report_id=report.pk, by=referee)
    page = reverse("admin:operations_playerreport_change", args=[report.pk])
    assert "Reopen" in admin.get(page).content.decode()
    admin.post(page, {"what": "reopen", "reason": "Ben did it again."})
    report.refresh_from_db()
    assert (report.resolved_at, report.resolution) == (None, "")
    entry = Entry.objects.get(action="reopen_report")
    assert entry.details["was"] == WHY
    reports.resolve(report_id=report.pk, by=referee)
    reports.report(match_id=report.match_id, user=ada, seat=1, reason="stalling", text="Again.")
    with pytest.raises(reports.AlreadyReported):
        reports.reopen(report_id=report.pk, by=referee)


def test_notes_are_in_the_export_of_the_person(ada, referee, first):
    people.note(user_id=ada.pk, by=referee)
    assert [note["text"] for note in data_of(ada)["notes_of_operators"]] == [WHY]
    assert get(first, "accounts/me/data").json()["notes_of_operators"][0]["text"] == WHY


def test_times_name_their_zone(match, admin, report):
    Match.objects.filter(pk=match.id).update(deadline_at=timezone.now() + timedelta(hours=1))
    paths = [
        reverse("admin:games_match_change", args=[match.id]),
        reverse("admin:operations_playerreport_change", args=[report.pk]),
        reverse("admin:operations_person_change", args=[report.reporter_id]),
    ]
    for path in paths:
        assert " UTC" in admin.get(path).content.decode()
    lists = admin.get(reverse("admin:operations_playerreport_changelist")).content.decode()
    assert "UTC" in lists
