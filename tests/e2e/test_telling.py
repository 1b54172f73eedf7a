"""Notifications in a real browser: choices, and a webhook that is really called."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.serving import House, new_folder, served
from tests.e2e.test_accessibility import faults
from tests.e2e.test_look import PHONE
from tests.e2e.test_people import picture, sign_up
from tests.e2e.test_playing import play_first, wait_for_my_turn
from tests.notifications.receiver import Receiver
from tests.patience import wait_until

pytestmark = pytest.mark.browser

CHANNELS = {
    "VAPID_PRIVATE_KEY": "0" * 42 + "E",
    "EMAIL_URL": "smtp://127.0.0.1:1",
    "WEBHOOK_PRIVATE_ADDRESSES": "true",
    "WEBHOOK_HTTP": "true",
    "WEBHOOK_PORTS": "*",
}
IN_WINDOW = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture(scope="module")
def telling() -> Iterator[House]:
    """A house with every channel set up."""
    with new_folder() as folder, served(folder, "config.settings", CHANNELS) as house:
        yield house


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def browse(telling, chromium):
    """Opens a page at that house and sees that its console stays empty."""
    contexts, complaints = [], []

    def open_page(**options: object) -> Page:
        context = chromium.new_context(base_url=telling, **{"service_workers": "block", **options})
        context.add_init_script(
            "if (location.protocol.startsWith('http')) localStorage.pace = 'off'"
        )
        context.on("console", lambda each: each.type == "error" and complaints.append(each.text))
        context.on("weberror", lambda found: complaints.append(str(found.error)))
        contexts.append(context)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints


def told(receiver: Receiver, kind: str) -> dict[str, object]:
    return wait_until(lambda: [body for body in receiver.bodies if body["type"] == kind])[0]


@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "light")])
def test_a_match_tells_a_program(browse, receiver, viewport, scheme):
    """By forms alone: choices, a webhook of the match at the table, and what it was sent."""
    page = browse(viewport=viewport, color_scheme=scheme)
    sign_up(page, "hooked")
    page.goto("/")
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    table = page.url

    page.goto("/accounts/notifications/")
    page.get_by_label("Quiet from").fill("22:00")
    page.get_by_label("Quiet until").fill("07:00")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert not faults(page)
    assert page.evaluate(IN_WINDOW)
    picture(page, f"notifications-{viewport['width']}")

    page.get_by_label("Address").fill(receiver.url)
    page.get_by_label("What happens in one match").fill(table)
    page.get_by_role("button", name="Make a webhook").click()
    expect(page.get_by_text("whsec_")).to_be_visible()
    assert not faults(page)
    hook = page.locator("form[action$='/secret/']").get_attribute("action")

    page.goto(table)
    wait_for_my_turn(page)
    play_first(page)
    body = told(receiver, "match")
    assert table.endswith(body["data"]["match"])
    assert body["data"]["events"]
    page.goto(hook.removesuffix("secret/"))
    expect(page.get_by_text("What happens in a match").first).to_be_visible()
    sent = page.get_by_text("was sent").first
    while not sent.is_visible():  # the answer is noted after the receiver has it
        page.wait_for_timeout(200)
        page.reload()
    assert not faults(page)
    assert page.evaluate(IN_WINDOW)
    picture(page, f"webhook-{viewport['width']}")
    page.get_by_role("button", name="Send again").first.click()
    expect(page.get_by_text("It is sent again.")).to_be_visible()
    page.wait_for_timeout(3000)
