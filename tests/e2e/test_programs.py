"""A program of somebody else's, in a real browser: registered, allowed, used, disconnected."""

import base64
import hashlib
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from tests.e2e.test_accessibility import faults
from tests.e2e.test_look import PHONE
from tests.e2e.test_people import picture, sign_up

pytestmark = pytest.mark.browser

VERIFIER = "a-verifier-of-at-least-forty-three-characters-1"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode()


class Back(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>Back</title>The program thanks you.")

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def program_site() -> Iterator[str]:
    """Where the program lets people return: another origin, on this machine."""
    with HTTPServer(("127.0.0.1", 0), Back) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/back"
        server.shutdown()
        thread.join()


def post(house: str, path: str, **body: str) -> dict[str, str]:
    with urlopen(house + path, urlencode(body).encode()) as answer:
        return json.loads(answer.read() or b"{}")


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1280, "height": 800}])
def test_from_the_registration_to_the_end(house, chromium, program_site, viewport):
    """The policy of the page lets the answer to its form lead to the program."""
    author, person = (
        chromium.new_context(base_url=house, viewport=viewport, color_scheme=scheme).new_page()
        for scheme in ("light", "dark")
    )
    complaints: list[str] = []
    person.on("console", lambda said: said.type == "error" and complaints.append(said.text))
    sign_up(author, "author")
    author.goto("/accounts/programs/")
    author.get_by_label("Name of the program").fill("Card tracker")
    author.get_by_label("Where people return to").fill("http://127.0.0.1/back")
    author.get_by_role("button", name="Register", exact=True).click()
    expect(author.get_by_text("Card tracker is registered.")).to_be_visible()
    client_id = author.locator(".note code").first.inner_text()
    assert not faults(author)
    picture(author, f"programs-{viewport['width']}")

    sign_up(person, "person")
    asked = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": program_site,
        "scope": "read play account",
        "state": "xyz",
        "code_challenge": CHALLENGE.rstrip("="),
        "code_challenge_method": "S256",
    }
    person.goto(f"/oauth/authorize?{urlencode(asked)}")
    expect(person.get_by_role("heading", name="Allow Card tracker?")).to_be_visible()
    assert not faults(person)
    picture(person, f"consent-{viewport['width']}")
    person.get_by_label("Change your account").uncheck()
    person.get_by_role("button", name="Allow", exact=True).click()
    person.wait_for_url(f"{program_site}?**")
    answer = {name: values[0] for name, values in parse_qs(urlsplit(person.url).query).items()}
    assert (answer["state"], answer["iss"]) == ("xyz", house)
    token = post(
        house,
        "/oauth/token",
        grant_type="authorization_code",
        client_id=client_id,
        code=answer["code"],
        redirect_uri=program_site,
        code_verifier=VERIFIER,
    )
    assert token["scope"] == "play read"
    use = Request(f"{house}/api/v1/accounts/me")
    use.add_header("Authorization", f"Bearer {token['access_token']}")
    with urlopen(use) as me:
        assert json.loads(me.read())["username"].startswith("person")

    person.goto("/accounts/")
    assert not faults(person)
    picture(person, f"connected-{viewport['width']}")
    person.get_by_role("button", name="Disconnect Card tracker").click()
    expect(person.get_by_text("No program is connected.")).to_be_visible()
    with pytest.raises(OSError, match="401"):
        urlopen(use)
    assert not complaints
    for page in (author, person):
        page.context.close()


def test_the_calendar_by_its_page(visit):
    page = visit(viewport=PHONE)
    sign_up(page, "planner")
    page.goto("/accounts/")
    page.get_by_role("link", name="Calendar of your moves and tournaments").click()
    page.get_by_role("button", name="Make an address").click()
    assert not faults(page)
    picture(page, "calendar")
    address = page.locator(".note code").inner_text()
    with urlopen(address) as answer:
        assert answer.read().startswith(b"BEGIN:VCALENDAR")
    page.get_by_role("button", name="End the address").click()
    with pytest.raises(OSError, match="404"):
        urlopen(address)
