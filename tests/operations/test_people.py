"""A suspended person keeps nobody waiting; an erased one leaves whole matches behind."""

from datetime import timedelta

import pytest
from axes.models import AccessLog
from django.contrib.admin.models import LogEntry
from django.db import IntegrityError, transaction
from django.forms import model_to_dict
from django.urls import reverse
from django.utils import timezone
from time_machine import travel

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.audit.models import Entry, PersonNotice, Suspension
from accounts.models import User
from cardroom.rules import catalog, record
from decks.models import Deck
from games.matches import folding, joining, records, verification
from games.matches.models import ArchivedMatch, Notice, Seat
from games.matches.selectors.log import log_entries
from games.operations import people, refereeing, reports
from games.operations.models import PlayerReport
from games.operations.people import CannotSuspend
from games.operations.reports import AlreadyReported
from tests.admin.test_acts import staff
from tests.conftest import BACKEND
from tests.matches.scenes import now, opened, played, resigned

pytestmark = pytest.mark.django_db

NOTICES = "/api/v1/accounts/me/notices"


@pytest.fixture
def by(cleo) -> Actor:
    return Actor.of(cleo, "Three reports of insults.")


@pytest.fixture
def match(ada, ben):
    found = opened(ada, "me, user Ben")
    return joining.join(match_id=found.id, user=ben)


def test_a_bot_takes_over_until_the_suspension_ends(match, ada, by, first):
    waiting = opened(ada, "me, open")
    until = timezone.now() + timedelta(days=1)
    people.suspend(user_id=ada.pk, by=by, until=until, resigns=False)
    assert now(match).seats[0].stand_in
    assert now(waiting).status == "aborted"
    assert Notice.objects.filter(match_id=match.id).exists()
    assert first.get("/api/v1/accounts/me").status_code == 403
    with pytest.raises(CannotSuspend):
        people.suspend(user_id=ada.pk, by=by, until=None, resigns=False)
    Suspension.objects.update(until=timezone.now() - timedelta(seconds=1))
    people.lift_what_has_ended()
    assert now(match).seats[0].stand_in == ""
    assert User.objects.get(pk=ada.pk).is_active
    assert first.get("/api/v1/accounts/me").status_code == 200


def test_for_good_the_opponent_wins(match, ada, by):
    people.suspend(user_id=ada.pk, by=by, until=None, resigns=True)
    assert now(match).outcome.winners == (1,)


def test_erased_but_the_matches_stay_whole(match, ada, by):
    Deck.objects.create(owner=ada, name="Ada's own", cards=["P1"] * 10)
    over = played(match, 9)
    people.erase(user_id=ada.pk, by=by)
    after, user = now(over), User.objects.get(pk=ada.pk)
    assert (user.email, user.display_name, user.is_active) == ("", people.ERASED_NAME, False)
    assert user.username.startswith("deleted-")
    assert not Deck.objects.filter(owner=ada).exists()
    assert after.seats[0].name == people.ERASED_NAME
    assert not list(verification.faults(after))
    assert record.verify(records.of(after)) is None


@pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
def test_no_name_is_left_in_what_was_told(game, ada, ben, by):
    """Of a match that runs, one that is over and one that is folded; all of them verify."""
    matches = [
        joining.join(match_id=opened(ada, "me, user Ben", game).id, user=ben) for _ in range(3)
    ]
    for each in matches[1:]:
        resigned(now(each), 0)
    assert folding.fold(matches[2].id)
    people.erase(user_id=ada.pk, by=by)
    assert ArchivedMatch.objects.filter(match=matches[2].id).exists()
    for each in map(now, matches):
        assert list(verification.faults(each)) == []
        assert each.names[0] == people.ERASED_NAME
        told = [event for entry in log_entries(each) for event in entry.events]
        assert "Ada" not in str(told)
    assert record.verify(records.of(now(matches[2]))) is None


def test_no_name_is_left_at_the_tables(match, ada, ben, by, client, second):
    """Nor in what their opponents were told, nor where they were invited, nor their addresses."""
    refereeing.hand_to_bot(match_id=match.id, by=by, seat=0)
    private, unlisted = (
        opened(ben, "me, user Ada", visibility=kind) for kind in ("private", "unlisted")
    )
    AccessLog.objects.create(username="ada", ip_address="198.51.100.7", attempt_time=timezone.now())
    people.erase(user_id=ada.pk, by=by)
    for one in (private, unlisted):
        assert (now(one).status, now(one).seats[1].declined) == ("open", "generic")
    for one in (match, private, unlisted):
        assert not Seat.objects.filter(match_id=one.id, name="Ada").exists()
    told = second.get(f"/api/v1/matches/{match.id}/notices").json()
    assert any(people.ERASED_NAME in notice["text"] for notice in told)
    assert not any("Ada" in notice["text"] for notice in told)
    assert not AccessLog.objects.exists()


def test_the_audit_log_forgets_the_name_and_nothing_else(match, ada, by):
    """Not of somebody whose name begins alike, and nothing but the subject."""
    adam = User.objects.create_user("Adam")
    other = joining.join(match_id=opened(adam, "me, user Ada").id, user=ada)
    for one in (match, other):
        refereeing.send_notice(match_id=one.id, by=by, text="Hello.")
    people.note(user_id=ada.pk, by=by)
    log.write(adam, "change_user", "person", ada.pk, "Ada", changed={})
    LogEntry.objects.create(
        user=adam, object_id=str(ada.pk), object_repr="Ada", action_flag=2, change_message="Ada"
    )
    before = {entry.pk: entry for entry in Entry.objects.all()}
    people.erase(user_id=ada.pk, by=by)
    after = Entry.objects.filter(pk__in=before)
    assert set(after.values_list("action", "subject")) == {
        ("message_players", "Pişti: Deleted player, Ben"),
        ("message_players", "Pişti: Adam, Deleted player"),
        ("note", people.ERASED_NAME),
        ("change_user", people.ERASED_NAME),
    }
    for entry in Entry.objects.filter(pk__in=before):
        entry.subject = before[entry.pk].subject
        assert model_to_dict(entry) == model_to_dict(before[entry.pk])
    assert not Entry.objects.filter(subject__regex=r"\mAda\M").exists()
    assert not LogEntry.objects.filter(object_repr="Ada").exists()
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        Entry.objects.filter(pk__in=before).update(subject="Somebody else")
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        Entry.objects.filter(pk__in=before).update(subject="Deleted player", actor="nobody")


def test_nobody_is_erased_by_a_slip(ada):
    """The username is typed, and a day is waited for (issue 59.6)."""
    page, browser = (
        reverse("admin:operations_person_act", args=[ada.pk, "erase"]),
        staff("administrator"),
    )
    for typed in ("", "ben", "ADA!", "deleted-x"):
        answer = browser.post(page, {"reason": "Her wish.", "username": typed}, follow=True)
        assert "Type the username Ada" in answer.content.decode()
    assert User.objects.get(pk=ada.pk).is_active
    browser.post(page, {"reason": "Her wish.", "username": "Ada"})
    assert not User.objects.get(pk=ada.pk).is_active
    people.finish_erasures()
    assert User.objects.get(pk=ada.pk).display_name == "Ada"
    with travel(timezone.now() + timedelta(hours=25)):
        people.finish_erasures()
    assert User.objects.get(pk=ada.pk).display_name == people.ERASED_NAME


def test_who_else_signed_in_from_there(ada, ben):
    for name, address in (("ada", "198.51.100.7"), ("ben", "198.51.100.7"), ("cleo", "192.0.2.1")):
        AccessLog.objects.create(username=name, ip_address=address, attempt_time=timezone.now())
    page = staff("referee").get(reverse("admin:operations_person_change", args=[ada.pk]))
    ((address, _, others),) = page.context["addresses"]
    assert (address, others) == ("198.51.100.7", ["ben"])


def test_what_is_kept_of_a_person(match, ada, by):
    kept = people.personal_data(user_id=ada.pk, by=by)
    assert [found["id"] for found in kept["matches"]] == [match.id]
    assert "digest" not in str(kept)
    assert Entry.objects.get(action="export_person").subject_id == str(ada.pk)


def test_a_report_from_the_table_to_its_resolution(match, ada, ben, client):
    client.force_login(ada, BACKEND)
    sent = {"seat": "1", "reason": "stalling", "text": "He left."}
    client.post(f"/matches/{match.id}/report", sent)
    found = PlayerReport.objects.get()
    assert (found.reported, found.ply) == (ben, match.version)
    with pytest.raises(AlreadyReported):
        reports.report(match_id=match.id, user=ada, seat=1, reason="name", text="")
    referee = staff("referee")
    page = reverse("admin:operations_playerreport_change", args=[found.pk])
    assert f"?ply={match.version}#time-machine" in referee.get(page).content.decode()
    referee.post(page, {"what": "assign"})
    referee.post(page, {"what": "resolve", "reason": "Talked to Ben."})
    found.refresh_from_db()
    assert (found.assignee.username, found.resolution) == ("referee", "Talked to Ben.")


@pytest.mark.parametrize(
    ("what", "role", "status"),
    [
        ("suspend", "viewer", 403),
        ("erase", "referee", 403),
        ("suspend", "referee", 302),
        ("erase", "administrator", 302),
    ],
)
def test_who_may_do_what(ada, what, role, status):
    page = reverse("admin:operations_person_act", args=[ada.pk, what])
    sent = {"reason": "A reason.", "days": "3", "username": ada.username}
    assert staff(role).post(page, sent).status_code == status
    assert User.objects.get(pk=ada.pk).is_active == (status == 403)


def test_nobody_suspends_who_has_more_rights(ada):
    root = User.objects.create_superuser("root", password="a long and quiet evening")
    page = reverse("admin:operations_person_act", args=[root.pk, "suspend"])
    assert staff("administrator").post(page, {"reason": "A coup."}).status_code == 403


def test_the_page_of_a_person(ada, match, by):
    people.note(user_id=ada.pk, by=by)
    page = staff("referee").get(reverse("admin:operations_person_change", args=[ada.pk]))
    shown = page.content.decode()
    assert by.reason in shown
    assert str(match.id) in shown


def test_a_message_to_one_person_until_it_is_read(ada, ben, client, first, second):
    page = reverse("admin:operations_person_act", args=[ada.pk, "message"])
    sent = {"reason": "Three reports.", "text": "Please choose a friendlier name."}
    assert staff("viewer").post(page, sent).status_code == 403
    referee = staff("referee")
    referee.post(page, sent | {"text": "  "})
    assert not PersonNotice.objects.exists()
    shown = referee.post(page, sent, follow=True).content.decode()
    assert sent["text"] in shown
    entry = Entry.objects.get(action="message_person")
    assert (entry.reason, entry.details["text"]) == (sent["reason"], sent["text"])

    client.force_login(ada, BACKEND)
    table = f"/matches/{opened(ada).id}"
    for address in ("/lobby", "/accounts/", table):
        assert sent["text"] in client.get(address).content.decode()
    (told,) = first.get(NOTICES).json()
    assert (told["text"], told["read_at"]) == (sent["text"], None)
    assert second.get(NOTICES).json() == []
    assert second.post(f"{NOTICES}/{told['id']}/read").status_code == 404

    read = reverse("account_read_notice", args=[told["id"]])
    assert client.post(read, {"next": table})["Location"] == table
    assert sent["text"] not in client.get("/lobby").content.decode()
    assert first.get(NOTICES).json()[0]["read_at"] is not None
    assert first.post(f"{NOTICES}/{told['id']}/read").status_code == 204


def test_messages_belong_to_what_is_kept_and_erased(ada, by):
    people.message(user_id=ada.pk, by=by, text="Welcome back.")
    kept = people.personal_data(user_id=ada.pk, by=by)
    assert [told["text"] for told in kept["messages_from_operators"]] == ["Welcome back."]
    people.erase(user_id=ada.pk, by=by)
    assert not PersonNotice.objects.exists()


@pytest.mark.parametrize("days", ["0", "-1", "x", "3651", "9" * 5000, "²"])
def test_a_suspension_without_a_sensible_end_is_refused(ada, days):
    """Nobody is suspended for good because of a slip of the hand."""
    page = reverse("admin:operations_person_act", args=[ada.pk, "suspend"])
    answer = staff("referee").post(page, {"reason": "Insults.", "days": days}, follow=True)
    assert "Name 1 to 3650 days" in answer.content.decode()
    assert User.objects.get(pk=ada.pk).is_active
