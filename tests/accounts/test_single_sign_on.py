"""Sign-in of the club's own (issue 59, 8), against a provider that answers over HTTP."""

import base64
import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse

from accounts import services, single_sign_on
from accounts.audit.log import Actor
from accounts.audit.models import Entry
from accounts.models import User
from config.environment import Environment
from config.settings.libraries import oidc, providers, second_factor
from games.matches.models import Match
from games.operations import people
from tests.admin.test_acts import staff
from tests.conftest import PASSWORD
from tests.matches.scenes import opened
from tests.patience import PATIENCE

pytestmark = pytest.mark.django_db
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Provider(BaseHTTPRequestHandler):
    """Signs everybody in as ``person``; a code works once, and with its verifier."""

    person: ClassVar[dict] = {}
    codes: ClassVar[dict] = {}

    def log_message(self, *_):
        pass

    def do_GET(self):
        parts = urlsplit(self.path)
        here = f"http://{self.headers['Host']}/realms/club"
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        match parts.path:
            case "/realms/club/.well-known/openid-configuration":
                ends = {
                    f"{one}_endpoint": f"{here}/{one}"
                    for one in ("authorization", "token", "userinfo")
                }
                ways = {"token_endpoint_auth_methods_supported": ["client_secret_basic"]}
                self._say({"issuer": here, "jwks_uri": f"{here}/keys", **ends, **ways})
            case "/realms/club/authorization":
                assert {"openid", "email"} <= set(asked["scope"].split())
                self.codes["a code"] = asked
                back = urlencode({"code": "a code", "state": asked["state"]})
                self._say({}, 302, Location=f"{asked['redirect_uri']}?{back}")
            case "/realms/club/userinfo":
                assert self.headers["Authorization"] == "Bearer a token"
                self._say(self.person)

    def do_POST(self):
        here = f"http://{self.headers['Host']}/realms/club"
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        sent = {name: values[0] for name, values in parse_qs(body).items()}
        if (
            self.headers["Authorization"]
            != f"Basic {base64.b64encode(b'cardroom:s3cret').decode()}"
        ):
            return self._say({"error": "invalid_client"}, 401)
        asked = self.codes.pop(sent["code"], None)
        if asked is None:
            return self._say({"error": "invalid_grant"}, 400)
        digest = hashlib.sha256(sent["code_verifier"].encode()).digest()
        assert base64.urlsafe_b64encode(digest).decode().rstrip("=") == asked["code_challenge"]
        claims = {"iss": here, "aud": "cardroom", "exp": 4e9, "iat": 1, **self.person}
        token = jwt.encode(claims, KEY, "RS256", {"kid": "one"})
        return self._say({"access_token": "a token", "token_type": "Bearer", "id_token": token})

    def _say(self, answer, status=200, **headers):
        body = json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def provider(settings):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/realms/club"
    settings.OIDC = {
        "server": address, "client": "cardroom", "secret": "s3cret", "name": "Chess Club",
        "claim": "groups", "signup": True,
        "roles": {"board": "administrator", "arbiters": "referee"},
    }  # fmt: skip
    settings.SOCIALACCOUNT_PROVIDERS = providers(settings.OIDC)
    Provider.person = {
        "sub": "42", "preferred_username": "grace", "email": "grace@example.org",
        "email_verified": True, "groups": ["members"],
    }  # fmt: skip
    yield settings.OIDC
    server.shutdown()
    server.server_close()


def sign_in(browser):
    """Follows the link of the sign-in page to the provider and back."""
    page = browser.get(reverse("account_login")).content.decode()
    assert "Sign in with Chess Club" in page
    return there_and_back(browser, "next=/play")


def there_and_back(browser, query):
    there = browser.get(f"/accounts/oidc/club/login/?{query}")
    assert there.status_code == 302, there.content
    back = requests.get(there["Location"], allow_redirects=False, timeout=PATIENCE)
    parts = urlsplit(back.headers["Location"])
    return browser.get(f"{parts.path}?{parts.query}")


def test_a_new_person_gets_an_account_and_is_known_again(provider, settings):
    browser = Client()
    assert sign_in(browser)["Location"] == "/play"
    grace = User.objects.get(username="grace")
    assert (grace.email, grace.has_usable_password(), grace.is_staff) == (
        "grace@example.org",
        False,
        False,
    )
    assert browser.session["_auth_user_id"] == str(grace.pk)
    again = Client()
    sign_in(again)
    settings.CLUB = {**settings.CLUB, "terms": "Be kind."}
    html = {"accept": "text/html"}  # nobody asked for it there
    assert again.get("/lobby", headers=html)["Location"] == "/accounts/terms/?next=%2Flobby"
    again.post("/accounts/terms/", {"next": "/lobby"})
    assert again.get("/lobby", headers=html).status_code == 200
    assert again.session["_auth_user_id"] == str(grace.pk)
    kept = grace.socialaccount_set.get()
    assert (kept.uid, kept.extra_data) == ("42", {"name": "grace"})


def test_a_name_that_is_taken_or_refused_is_another_one(provider, ada):
    Provider.person |= {"preferred_username": ada.username}
    sign_in(Client())
    Provider.person |= {"sub": "43", "preferred_username": "Zoë X", "email": "grace@example.org"}
    sign_in(Client())
    names = set(User.objects.filter(socialaccount__isnull=False).values_list("username", flat=True))
    assert names == {f"{ada.username}2", "Zo-X"}
    assert User.objects.get(username="Zo-X").email == ""  # it is another account's


@pytest.mark.parametrize("query", ["next=/play", "process=connect"])
def test_a_guest_keeps_the_matches(provider, query):
    """A guest has nothing that could be connected: it signs up."""
    browser, guest = Client(), services.open_guest()
    browser.force_login(guest, "allauth.account.auth_backends.AuthenticationBackend")
    match = opened(guest)
    there_and_back(browser, query)
    creator = Match.objects.get(id=match.id).creator
    assert (creator.username, creator.is_guest) == ("grace", False)


def test_a_suspended_person_reads_why_and_is_not_signed_in(provider, ada):
    sign_in(Client())
    grace = User.objects.get(username="grace")
    by = Actor.of(ada, "Rude at the table")
    people.suspend(user_id=grace.pk, by=by, until=None, resigns=True)
    browser = Client()
    assert "Rude at the table" in sign_in(browser).content.decode()
    assert "_auth_user_id" not in browser.session


def test_groups_are_roles_at_each_sign_in(provider):
    Provider.person["groups"] = ["board", "members"]
    sign_in(Client())
    grace = User.objects.get(username="grace")
    assert (grace.is_staff, [one.name for one in grace.groups.all()]) == (True, ["administrator"])
    Provider.person["groups"] = "arbiters"
    sign_in(Client())
    grace.refresh_from_db()
    assert (grace.is_staff, [one.name for one in grace.groups.all()]) == (True, ["referee"])
    Provider.person["groups"] = []
    sign_in(Client())
    grace.refresh_from_db()
    assert (grace.is_staff, grace.groups.count()) == (False, 0)
    told = [(one.details["before"], one.details["after"]) for one in Entry.objects.order_by("id")]
    assert told == [
        ([], ["administrator"]),
        (["administrator"], ["referee"]),
        (["referee"], []),
    ]


def test_only_people_who_are_known_where_signing_up_is_off(provider, settings, ada):
    settings.OIDC["signup"] = False
    browser = Client()
    sign_in(browser)
    assert not User.objects.filter(username="grace").exists()
    browser.force_login(ada, "allauth.account.auth_backends.AuthenticationBackend")
    asks = there_and_back(browser, "process=connect")["Location"]
    assert not ada.socialaccount_set.exists()  # not by a link of another site
    assert "token" not in browser.session["account_reauthentication_state"]["state"]
    browser.post(asks, {"password": PASSWORD})
    other = Client()
    sign_in(other)
    assert other.session["_auth_user_id"] == str(ada.pk)


def test_registration_that_is_closed_is_not_closed_to_the_club(provider, monkeypatch):
    monkeypatch.setattr(services.club, "value", {"club.registration": "closed"}.get)
    sign_in(Client())
    assert User.objects.filter(username="grace").exists()


def test_a_button_tests_it(provider, settings):
    viewer, administrator = staff("viewer"), staff("administrator")
    page = reverse("admin:health")
    assert viewer.post(page).status_code == 403
    assert "knows this client" in administrator.post(page, follow=True).content.decode()
    settings.OIDC["secret"] = "another"
    with pytest.raises(single_sign_on.ProviderFails, match="its secret is another one"):
        single_sign_on.try_provider()
    right = settings.OIDC["server"]
    for server, fault in {
        f"{right}/other": "does not answer with JSON|cannot be reached",
        "http://127.0.0.1:9": "cannot be reached",
        "": "is not set",
    }.items():
        settings.OIDC["server"] = server
        with pytest.raises(single_sign_on.ProviderFails, match=fault):
            single_sign_on.try_provider()


@pytest.mark.parametrize(
    ("variables", "fault"),
    [
        ({"OIDC_ROLES": "board=boss"}, "board=boss is not a group and its role"),
        ({"OIDC_SERVER": "https://id.example.org"}, "needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET"),
        ({"OIDC_SERVER": "id.example.org", "OIDC_CLIENT_ID": "a"}, "is an address such as"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(monkeypatch, variables, fault):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=fault):
        oidc(Environment(), "a secret" if len(variables) == 2 else "")


@pytest.mark.parametrize(
    ("value", "parsed"),
    [
        ("true", True),
        ("off", False),
        ("", True),
        ("referee,administrator", ("referee", "administrator")),
    ],
)
def test_a_second_factor_may_be_for_some_roles(monkeypatch, value, parsed):
    monkeypatch.setenv("STAFF_SECOND_FACTOR", value)
    assert second_factor(Environment(), usual=True) == parsed
    monkeypatch.setenv("STAFF_SECOND_FACTOR", "boss")
    with pytest.raises(ImproperlyConfigured, match="STAFF_SECOND_FACTOR=boss is not true, false"):
        second_factor(Environment(), usual=True)


def test_a_role_that_needs_none_opens_the_admin(settings):
    settings.STAFF_SECOND_FACTOR = ("administrator",)
    assert staff("viewer").get(reverse("admin:index")).status_code == 200
    assert staff("administrator").get(reverse("admin:index")).status_code == 302
