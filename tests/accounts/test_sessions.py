"""The account page lists where its owner is signed in, and ends each; nobody else's."""

import re
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from accounts import services, visitors
from accounts.models import BrowserSession, Key, User
from games.operations import nights
from games.operations.own_data import data_of
from tests.conftest import BACKEND, PASSWORD

LINUX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)
NEW = "another long and quiet evening"


def signed_in(user, agent=LINUX):
    client = Client(headers={"user-agent": agent})
    client.force_login(user, BACKEND)
    assert client.get("/accounts/").status_code == 200
    return client


def listed(client):
    """The devices of the page, and what ends each."""
    page = client.get("/accounts/").content.decode()
    part = page.partition('id="sessions"')[2].partition("</section>")[0]
    return re.findall(r"<strong>(.+?)</strong>", part), re.findall(r'action="(.+?)"', part)


def test_each_browser_is_listed_with_its_last_use_and_ended(ada):
    here, phone = signed_in(ada), signed_in(ada, PHONE)
    devices, ways = listed(here)
    assert sorted(devices) == ["Firefox, Linux", "Safari, iPhone"]
    (way,) = ways  # that of this browser is the sign-out
    here.post(way)
    assert phone.get("/accounts/").status_code == 302
    assert listed(here) == (["Firefox, Linux"], [])
    assert here.post(way).status_code == 302  # again is no error


def test_nobody_ends_a_browser_of_another(ada, ben):
    phone, stranger = signed_in(ada, PHONE), signed_in(ben)
    row = BrowserSession.objects.get(user=ada)
    stranger.post(f"/accounts/sessions/{row.pk}/end/")
    assert phone.get("/accounts/").status_code == 200
    assert listed(stranger) == (["Firefox, Linux"], [])


def test_no_key_of_a_session_is_shown(ada):
    here, phone = signed_in(ada), signed_in(ada, PHONE)
    page = here.get("/accounts/").content.decode() + str(data_of(ada)["browsers"])
    for client in (here, phone):
        assert client.session.session_key not in page


def test_what_signs_nobody_in_any_more_is_not_listed(ada):
    here, gone, late = signed_in(ada), signed_in(ada, PHONE), signed_in(ada, PHONE)
    gone.post("/accounts/logout/")
    Session.objects.filter(pk=late.session.session_key).update(expire_date=timezone.now())
    assert listed(here)[0] == ["Firefox, Linux"]
    other = signed_in(ada, PHONE)
    fields = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    here.post("/accounts/password/change/", fields)
    assert other.get("/accounts/").status_code == 302
    assert listed(here)[0] == ["Firefox, Linux"]


def test_the_last_use_is_noted_once_an_hour(ada, monkeypatch, django_assert_num_queries):
    client = signed_in(ada)
    begun = timezone.now() - timedelta(days=2)
    BrowserSession.objects.update(last_used_at=begun, started_at=begun)
    client.get("/accounts/")
    assert BrowserSession.objects.get().last_used_at == begun
    visitors._recorded.clear()  # an hour later, or another process
    client.get("/accounts/")
    row = BrowserSession.objects.get()
    assert timezone.now() - row.last_used_at < timedelta(minutes=1)
    assert row.started_at == begun


def test_visitors_and_programs_leave_nothing(ada, keyed):
    Client().get("/")
    keyed(ada).get("/api/v1/accounts/me")
    assert not BrowserSession.objects.exists()


def test_a_lost_database_spoils_no_answer(ada, monkeypatch):
    client = signed_in(ada)
    visitors._recorded.clear()

    def lost(*_args, **_more):
        raise OperationalError

    monkeypatch.setattr(BrowserSession.objects, "bulk_create", lost)
    assert client.get("/accounts/").status_code == 200


@pytest.mark.parametrize(
    ("agent", "device"),
    [
        (LINUX, "Firefox, Linux"),
        (PHONE, "Safari, iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile Safari/537.36", "Chrome, Android"),
        ("curl/8.5.0", ""),
        ("", ""),
        ("<script>" * 1000, ""),
    ],
)
def test_devices_in_words(agent, device):
    assert services.device_of(agent) == device


def test_the_night_takes_what_is_over(ada):
    signed_in(ada)
    gone = signed_in(ada, PHONE)
    gone.post("/accounts/logout/")
    BrowserSession.objects.update(last_used_at=timezone.now() - timedelta(days=5))
    nights.clean_up()
    assert [row.device for row in BrowserSession.objects.all()] == ["Firefox, Linux"]


def test_an_erased_person_leaves_none(ada):
    phone = signed_in(ada, PHONE)
    services.forget_sessions(ada)
    assert not BrowserSession.objects.exists()
    assert phone.get("/accounts/").status_code == 302


class TestNewPasswords:
    def test_a_change_offers_it_and_a_reset_has_it_ticked(self, ada, mailoutbox):
        page = signed_in(ada).get("/accounts/password/change/").content.decode()
        assert "Also end all keys and connected programs" in page
        assert "checked" not in page.partition('name="revoke_keys"')[2].partition(">")[0]
        User.objects.filter(pk=ada.pk).update(email="ada@example.org")
        client = Client()
        client.post("/accounts/password/reset/", {"email": "ada@example.org"})
        (link,) = re.findall(r"http://testserver(\S+)", mailoutbox[0].body)
        page = client.get(link, follow=True).content.decode()
        (box,) = re.findall(r'<input[^>]*name="revoke_keys"[^>]*>', page)
        assert "checked" in box

    @pytest.mark.parametrize("ends", [False, True])
    def test_a_change_ends_keys_where_it_is_ticked(self, ada, keyed, ends):
        keyed(ada)
        body = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
        body |= {"revoke_keys": "on"} if ends else {}
        assert signed_in(ada).post("/accounts/password/change/", body).status_code == 302
        assert Key.objects.filter(user=ada).exists() != ends

    def test_a_reset_ends_keys(self, ada, keyed, mailoutbox):
        keyed(ada)
        User.objects.filter(pk=ada.pk).update(email="ada@example.org")
        client = Client()
        client.post("/accounts/password/reset/", {"email": "ada@example.org"})
        (link,) = re.findall(r"http://testserver(\S+)", mailoutbox[0].body)
        form = client.get(link, follow=True).request["PATH_INFO"]
        client.post(form, {"password1": NEW, "password2": NEW, "revoke_keys": "on"})
        assert not Key.objects.filter(user=ada).exists()

    @pytest.mark.parametrize("keeps", [False, True])
    def test_one_from_the_shell_ends_keys_too(self, ada, keyed, capsys, keeps):
        program = keyed(ada)
        call_command("reset_password", "ada", keep_keys=keeps)
        assert (program.get("/api/v1/accounts/me").status_code == 200) == keeps
        assert Key.objects.filter(user=ada).exists() == keeps
