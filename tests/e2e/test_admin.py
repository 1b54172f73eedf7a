"""Every page of the admin, under the strictest policy that its theme bears."""

import re
from urllib.parse import urlsplit

import pytest

pytestmark = pytest.mark.browser

ID = re.compile(r"/[0-9a-f]{8}-[0-9a-f-]{27}/|/\d+/")
LEFT_OUT = ("/admin/logout", "/admin/jsi18n", "/admin/login")


@pytest.fixture
def admin(visit, password):
    """A browser signed in to the admin."""
    page = visit("/accounts/login/?next=/admin/")
    page.fill("input[name=login]", "admin")
    page.fill("input[name=password]", password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/admin/")
    return page


def make_rows(page) -> None:
    """A match, a simulation, a deck and a key to look at."""
    page.goto("/new?game=pisti")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".table-panel.your-turn")
    page.goto("/simulations")
    page.fill("input[name=games]", "2")
    page.get_by_role("button", name="Let them play").click()
    page.goto("/decks/")
    page.locator("form[action$='/copy'] button").first.click()
    page.goto("/accounts/")
    page.get_by_role("button", name="Make a key").click()


def addresses(page) -> list[str]:
    links = page.eval_on_selector_all("a[href]", "all => all.map(each => each.href)")
    paths = [urlsplit(link).path for link in links]
    return [path for path in paths if path.startswith("/admin/") and not path.startswith(LEFT_OUT)]


def test_no_page_of_the_admin_breaks_its_policy(admin):
    """The first page of each kind; the fixture fails for any error of the console."""
    make_rows(admin)
    waiting, seen = ["/admin/"], set()
    while waiting:
        path = waiting.pop(0)
        kind = ID.sub("/*/", path)
        if kind in seen:
            continue
        seen.add(kind)
        answer = admin.goto(path)
        assert answer.status == 200, path
        waiting += addresses(admin)
    lists = {kind for kind in seen if kind.count("/") == 4}
    assert len(lists) > 8, seen
    assert {kind for kind in seen if kind.endswith("/change/")}, seen


def test_what_the_theme_does_by_script_works(admin):
    admin.goto("/admin/accounts/user/")
    admin.locator("input[name=_selected_action]").first.check()
    admin.locator("select[name=action]").wait_for(state="visible")
    admin.locator("a", has_text="Filters").first.click()
    admin.locator("#changelist-filter").wait_for(state="visible")


def test_the_policy_is_strict(admin):
    policy = admin.goto("/admin/").headers["content-security-policy"]
    script = next(part for part in policy.split(";") if "script-src" in part)
    assert script.split() == ["script-src", "'self'", "'unsafe-eval'"]
    assert policy.count("unsafe") == 2
    assert "unsafe" not in admin.goto("/").headers["content-security-policy"]
