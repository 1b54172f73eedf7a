"""A program of Ben's, and Ada who uses it."""

import base64
import hashlib
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import User
from accounts.programs import services
from accounts.programs.services import NewProgram
from tests.conftest import client_of

BACK = "https://program.example/back"
VERIFIER = "a-verifier-of-at-least-forty-three-characters-1"


def challenge(verifier: str = VERIFIER) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def query_of(answer) -> dict[str, str]:
    found = parse_qs(urlsplit(answer["Location"]).query)
    return {name: values[0] for name, values in found.items()}


@dataclass
class Flow:
    """The calls of a program and its user, each with what a scene wants otherwise."""

    program: NewProgram
    browser: Client

    @property
    def client_id(self) -> str:
        return self.program.client.pk

    def request(self, **otherwise: str | None) -> dict[str, str]:
        usual = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": BACK,
            "scope": "read play",
            "state": "xyz",
            "code_challenge": challenge(),
            "code_challenge_method": "S256",
        }
        return {name: value for name, value in {**usual, **otherwise}.items() if value is not None}

    def ask(self, **otherwise):
        return self.browser.get("/oauth/authorize", self.request(**otherwise))

    def allow(self, scopes=("read", "play"), answer="allow", **otherwise):
        asked = self.request(**otherwise)
        return self.browser.post(
            "/oauth/authorize",
            {"scopes": scopes, "answer": answer},
            query_params=asked,
        )

    def code(self, **otherwise) -> str:
        return query_of(self.allow(**otherwise))["code"]

    def redeem(self, code: str, **otherwise: str | None):
        return self.token(
            grant_type="authorization_code",
            code=code,
            redirect_uri=otherwise.pop("redirect_uri", BACK),
            code_verifier=otherwise.pop("code_verifier", VERIFIER),
            **otherwise,
        )

    def refresh(self, token: str, **otherwise: str | None):
        return self.token(grant_type="refresh_token", refresh_token=token, **otherwise)

    def token(self, path="/oauth/token", **body: str | None):
        body = {"client_id": self.client_id, "client_secret": self.program.secret or None, **body}
        sent = {name: value for name, value in body.items() if value is not None}
        return Client(enforce_csrf_checks=True).post(path, sent)

    def tokens(self, **otherwise) -> dict[str, object]:
        answer = self.redeem(self.code(**otherwise))
        assert answer.status_code == 200, answer.content
        return answer.json()

    def revoke(self, token: str, **otherwise: str | None):
        return self.token("/oauth/revoke", token=token, **otherwise)


def bearing(token: object) -> APIClient:
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return program


def works(token: object) -> bool:
    return bearing(token).get("/api/v1/accounts/me").status_code == 200


@pytest.fixture
def browser(ada: User) -> Client:
    return client_of(ada)


@pytest.fixture
def program(ben: User) -> NewProgram:
    return services.register(
        owner=ben, name="Card tracker", redirect_uris=[BACK], confidential=False
    )


@pytest.fixture
def flow(program: NewProgram, browser: Client) -> Flow:
    return Flow(program, browser)


@pytest.fixture
def on_a_server(ben: User, browser: Client) -> Flow:
    """A confidential program."""
    made = services.register(owner=ben, name="Night bot", redirect_uris=[BACK], confidential=True)
    return Flow(made, browser)
