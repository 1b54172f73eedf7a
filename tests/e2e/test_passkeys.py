"""A passkey (issue 59, 8): made on the account's page, it signs in without a password."""

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser
PASSWORD = "a long and quiet evening"
KEEPER = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}


def with_passkeys(chromium: Browser, house: str, faults: list[str]) -> Page:
    """A page whose browser keeps passkeys; they belong to a name, never to an address."""
    context = chromium.new_context(base_url=house.replace("127.0.0.1", "localhost"))
    context.on("weberror", lambda found: faults.append(str(found.error)))
    context.on("console", lambda said: said.type == "error" and faults.append(said.text))
    page = context.new_page()
    keys = context.new_cdp_session(page)
    keys.send("WebAuthn.enable")
    keys.send("WebAuthn.addVirtualAuthenticator", {"options": KEEPER})
    return page


def test_a_passkey_signs_in(chromium: Browser, house: str) -> None:
    faults: list[str] = []
    page = with_passkeys(chromium, house, faults)
    page.goto("/accounts/signup/")
    page.get_by_label("Username").fill("hedy")
    for field in page.locator("input[type=password]").all():
        field.fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url("**/welcome/")
    page.goto("/accounts/")
    page.get_by_role("link", name="Passkeys").click()
    page.get_by_role("link", name="Add").click()
    page.locator("[type=password]").fill(PASSWORD)  # whoever adds a key proves who it is
    page.get_by_role("button", name="Confirm").click()
    page.get_by_label("Passwordless").check()
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_text("Recovery Codes").first).to_be_visible()

    page.context.clear_cookies()
    page.goto("/accounts/login/?next=/accounts/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_text("Username: hedy")).to_be_visible()
    page.context.close()
    assert faults == []
