"""A league on a phone and on a desk: joined and left by its forms, with nothing that axe minds."""

import pytest
from playwright.sync_api import expect

from tests.e2e.test_accessibility import faults
from tests.e2e.test_pairing import PHONE, fits
from tests.e2e.test_people import picture, sign_up

pytestmark = pytest.mark.browser
DESK = {"width": 1280, "height": 800}


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (DESK, "dark")])
def test_a_person_joins_and_leaves(visit, size, scheme):
    page = visit(viewport=size, color_scheme=scheme)
    sign_up(page, f"league-{scheme}")
    page.goto("/leagues")
    assert not faults(page)
    page.locator("main").get_by_role("link", name="Pazaak").click()
    page.get_by_role("button", name="Join the league").click()
    expect(page.locator(".leaderboard .is-own")).to_be_visible()
    picture(page, f"league-{size['width']}")
    assert size != PHONE or fits(page)
    assert not faults(page)
    page.get_by_role("button", name="Leave the league").click()
    expect(page.locator("main")).to_contain_text("your line stays until the week is over")
    assert not faults(page)
