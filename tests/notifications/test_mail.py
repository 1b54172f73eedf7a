"""Mail: what was chosen, in the reader's language, and never to an address of somebody else."""

from datetime import UTC, datetime, time, timedelta

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from accounts.notifications import channels, choices, delivering
from accounts.notifications.models import Choices, Delivery
from accounts.notifications.outbox import note_looking, owe
from accounts.notifications.refusals import BadChoices, ChannelIsOff, NoAddress

pytestmark = pytest.mark.django_db(transaction=True)


def friend(user, other, number=1):
    owe(user.pk, "friend", f"friend:{number}", {"what": "asked", "person": str(other.pk)})


def states():
    return [(one.state, one.why) for one in Delivery.objects.order_by("id")]


def test_is_plain_and_html_and_ends_with_one_press(ada, ben, mailed, client, settings):
    mailed(ada)
    friend(ada, ben)
    delivering.deliver()
    (sent,) = mail.outbox
    assert sent.to == ["ada@example.org"]
    assert sent.subject == "Ben wants to be your friend"
    (html, kind), *_ = sent.alternatives
    assert kind == "text/html"
    assert f"{settings.SITE_URL}/friends" not in html
    stop = sent.extra_headers["List-Unsubscribe"].strip("<>")
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert stop in sent.body
    assert stop in html
    page = client.get(stop.removeprefix(settings.SITE_URL))
    assert page.status_code == 200
    assert Choices.objects.get().mail  # looking at it changes nothing
    client.post(stop.removeprefix(settings.SITE_URL), {"List-Unsubscribe": "One-Click"})
    assert Choices.objects.get().mail == []
    friend(ada, ben, 2)
    delivering.deliver()
    assert len(mail.outbox) == 1


def test_is_in_the_readers_language(ada, ben, mailed):
    ada.language = "cs"
    mailed(ada)
    friend(ada, ben)
    delivering.deliver()
    assert mail.outbox[0].subject != "Ben wants to be your friend"
    assert '<html lang="cs">' in mail.outbox[0].alternatives[0][0]


def test_an_erased_person_is_named_no_more(ada, ben, mailed):
    mailed(ada)
    friend(ada, ben)
    ben.display_name = "Deleted"
    ben.save()
    delivering.deliver()
    assert "Ben" not in mail.outbox[0].subject


def test_html_shows_names_as_text(ada, ben, mailed):
    mailed(ada)
    ben.display_name = "<b>Ben</b>"
    ben.save()
    friend(ada, ben)
    delivering.deliver()
    assert "<b>Ben</b>" not in mail.outbox[0].alternatives[0][0]
    assert "\n" not in mail.outbox[0].subject


def test_nothing_is_sent_to_who_looks_at_a_page(ada, ben, mailed):
    mailed(ada)
    note_looking([ada.pk])
    friend(ada, ben)
    delivering.deliver()
    assert (mail.outbox, states()) == ([], [("skipped", "seen")])


def test_a_turn_that_is_over_is_not_written_about(ada, mailed):
    mailed(ada)
    payload = {"match": "00000000-0000-7000-8000-000000000000", "version": 1, "seat": 0}
    owe(ada.pk, "your_turn", "turn:1", payload)
    assert delivering.deliver() == 0
    (row,) = Delivery.objects.all()
    assert timedelta(seconds=50) < row.next_at - timezone.now() < timedelta(seconds=61)
    Delivery.objects.update(next_at=timezone.now())
    delivering.deliver()
    assert (mail.outbox, states()) == ([], [("skipped", "over")])


def test_an_address_that_is_not_confirmed_gets_none(ada, ben, mailed):
    mailed(ada, mail_address="somebody@example.org")
    friend(ada, ben)
    delivering.deliver()
    assert (mail.outbox, states()) == ([], [("skipped", "off")])


def test_quiet_hours_are_kept_where_the_person_is(ada, ben, mailed):
    quiet = {"quiet_from": time(22), "quiet_until": time(7), "time_zone": "Europe/Istanbul"}
    row = mailed(ada, **quiet)
    soon = timezone.now().date() + timedelta(days=2)
    night = datetime.combine(soon, time(20, 30), UTC)  # 23:30 in Istanbul
    morning = night + timedelta(hours=7.5)
    assert choices.quiet_until(row, night) == morning
    assert choices.quiet_until(row, night - timedelta(hours=2)) is None
    friend(ada, ben)
    with time_machine.travel(night, tick=False):
        Delivery.objects.update(next_at=night)
        delivering.route()
        Delivery.objects.update(next_at=night - timedelta(days=700))
        delivering.deliver()
    assert mail.outbox == []
    (waiting,) = Delivery.objects.all()
    assert (waiting.state, waiting.attempts) == ("waiting", 0)
    assert waiting.next_at == morning


def test_a_day_comes_in_one_mail(ada, ben, cleo, mailed):
    mailed(ada, mail=[], daily=["friend"], time_zone="Europe/Prague")
    friend(ada, ben, 1), friend(ada, cleo, 2)
    assert delivering.deliver() == 0
    (at,) = {one.next_at for one in Delivery.objects.all()}
    assert choices.timezone.localtime(at, choices.ZoneInfo("Europe/Prague")).time() == time(8)
    Delivery.objects.update(next_at=timezone.now())
    delivering.deliver()
    (sent,) = mail.outbox
    assert "Ben wants" in sent.body
    assert "Cleo wants" in sent.body
    assert states() == [("sent", "")] * 2


class TestChoosing:
    def test_everything_is_off_at_first(self, ada, settings):
        settings.MAIL_IS_SET_UP = True
        row = choices.choices_of(ada.pk)
        assert (row.mail, row.daily, row.push) == ([], [], [])

    def test_needs_a_mail_server_and_an_address(self, ada, settings):
        settings.MAIL_IS_SET_UP = False
        with pytest.raises(ChannelIsOff):
            choices.change(user=ada, mail=["friend"])
        settings.MAIL_IS_SET_UP = True
        with pytest.raises(NoAddress):
            choices.change(user=ada, mail=["friend"])

    def test_asks_the_owner_of_the_address_once_an_hour(self, ada, settings, client):
        settings.MAIL_IS_SET_UP = True
        ada.email = "somebody@example.org"
        ada.save()
        for kinds in (["friend"], ["friend", "result"], ["result"]):
            choices.change(user=ada, mail=kinds)
            channels.ask_addresses()
        (asked,) = mail.outbox
        assert asked.to == ["somebody@example.org"]
        link = next(word for word in asked.body.split() if "/confirm/" in word)
        path = link.removeprefix(settings.SITE_URL)
        client.get(path)
        assert not Choices.objects.get().mail_address
        client.post(path)
        assert Choices.objects.get().mail_address == "somebody@example.org"

    def test_a_link_holds_for_its_address_and_three_days(self, ada, settings):
        ada.email = "one@example.org"
        ada.save()
        Choices.objects.create(account=ada)
        token = choices.confirm_token(ada)
        with time_machine.travel(timezone.now() + timedelta(days=4)):
            assert not choices.confirm(token)
        assert not choices.confirm(token + "x")
        assert not choices.confirm(choices.unsubscribe_token(ada.pk))
        ada.email = "two@example.org"
        ada.save()
        assert not choices.confirm(token)

    def test_a_forged_link_ends_nothing(self, ada, client, mailed):
        mailed(ada)
        assert client.post("/accounts/notifications/unsubscribe/forged/").status_code == 404
        assert Choices.objects.get().mail

    @pytest.mark.parametrize(
        "wrong",
        [
            {"time_zone": "Mars/Olympus"},
            {"quiet_from": time(22)},
            {"mail": ["friend"], "daily": ["friend"]},
        ],
    )
    def test_what_makes_no_sense_is_refused(self, ada, wrong, settings):
        settings.MAIL_IS_SET_UP = True
        with pytest.raises(BadChoices):
            choices.change(user=ada, **wrong)
