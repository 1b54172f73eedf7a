"""Cardroom kept on a phone: it starts at once, shows the last table offline, and no other's."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Error, Page, expect

from tests.e2e.test_accessibility import faults
from tests.e2e.test_look import NOTE_PAINTS, PHONE, loads, slow_down
from tests.e2e.test_people import picture, sign_up
from tests.e2e.test_playing import HAND, play_first, version, wait_for_my_turn
from tests.patience import PATIENCE, on_a_busy_machine, wait_until

pytestmark = pytest.mark.browser

WORKERS = ("block", "allow")
WORKER = {"service_workers": "allow"}
ON_A_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True, **WORKER}
LCP, SLACK = 1200, 100  # milliseconds
AT_ONCE = 500  # milliseconds until the first page of the app is painted, on a slow phone
KEPT = """async () => {
  if (!(await caches.has("table"))) return [];
  const keys = await (await caches.open("table")).keys();
  const paths = keys.map(({ url }) => new URL(url).pathname);
  return paths.filter((path) => path.startsWith("/matches/"));
}"""
STATE = """async () => {
  const found = await (await caches.open("table")).match("/app/state");
  return found ? found.json() : null;
}"""

KEPT_VERSION = """async () => {
  const found = await (await caches.open("table")).match(location.pathname);
  return found ? Number(/data-version="(\\d+)"/.exec(await found.text())[1]) : -1;
}"""


def controlled(page: Page) -> None:
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def kept(page: Page) -> list[str]:
    return page.evaluate(KEPT)


def until(
    page: Page, script: str, wanted: Callable[[Any], bool], seconds: float = PATIENCE
) -> None:
    """Until the script's result is as wanted: the browser's own waiting awaits no promise."""

    def is_as_wanted() -> bool:
        with suppress(Error):  # the page has just become another one
            return wanted(page.evaluate(script))
        return False

    wait_until(is_as_wanted, seconds, pause=0.1)


def until_kept(page: Page) -> None:
    path = urlsplit(page.url).path
    until(page, KEPT, lambda paths: paths == [path])


def at_a_table(visit) -> Page:
    page = visit(cut_off=True, **ON_A_PHONE)
    controlled(page)
    page.get_by_role("button", name="Play Pişti now").tap()
    wait_for_my_turn(page)
    until_kept(page)
    return page


def test_the_last_table_without_a_connection(visit):
    """As it stood, to look at: no move, no form, no stale hand, and back with the connection."""
    page = at_a_table(visit)
    address = page.url
    play_first(page)
    wait_for_my_turn(page)
    shown = version(page)
    until(page, KEPT_VERSION, lambda kept: kept == shown)
    hand = page.locator(HAND).evaluate_all("cards => cards.map((card) => card.value)")

    page.context.set_offline(True)
    page.goto("/lobby")
    expect(page.locator("#cut-off")).to_be_visible()
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    assert not faults(page)
    page.get_by_role("link", name="Look at your last table").tap()
    expect(page.locator("#offline")).to_be_visible()
    expect(page.locator("#offline")).to_contain_text("Offline")
    assert page.url == address
    assert page.locator(HAND).evaluate_all("cards => cards.map((card) => card.value)") == hand
    pressed = "[...document.querySelectorAll('main button, main input')]"
    assert page.evaluate(f"{pressed}.length && {pressed}.every((each) => each.disabled)")
    assert page.locator("[name=csrfmiddlewaretoken]").count() == 0
    cards = page.locator(HAND).first
    assert cards.evaluate("card => getComputedStyle(card).width !== 'auto'")
    assert not faults(page)
    picture(page, "offline")

    page.context.set_offline(False)
    page.wait_for_selector(".table-panel.your-turn")
    expect(page.locator("#offline")).to_be_hidden()
    assert version(page) == shown


HOLD_FETCH = "void (window.fetch = () => new Promise((answer) => (window.let = answer)))"
LEAVE = """
  // The next page is slow to come.
  document.addEventListener("click", (event) => event.preventDefault());
  document.querySelector("#kept a, a").click();
  window.let({ ok: true });
"""


def test_the_way_that_a_reader_takes_is_not_cut_short(visit):
    """Also where the connection is asked about in this moment."""
    page = visit(cut_off=True, **ON_A_PHONE)
    controlled(page)
    page.context.set_offline(True)
    page.goto("/lobby")
    expect(page.locator("#cut-off")).to_be_visible()
    page.evaluate(HOLD_FETCH)
    page.context.set_offline(False)
    until(page, "Boolean(window.let)", bool)
    page.evaluate(LEAVE)
    page.wait_for_timeout(500)
    assert page.evaluate("Boolean(window.let)"), "the page was loaded again"


def test_signing_out_leaves_nothing(visit):
    page = visit(cut_off=True, **ON_A_PHONE)
    sign_up(page, "Leaver")
    controlled(page)
    page.goto("/")
    page.get_by_role("button", name="Play Pişti now").tap()
    wait_for_my_turn(page)
    until_kept(page)
    table = page.url
    stale = page.context.new_page()
    stale.goto(table)
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button").first.tap()
    until(page, KEPT, lambda paths: paths == [])
    stale.evaluate("document.dispatchEvent(new Event('htmx:afterSettle'))")
    stale.wait_for_timeout(3500)
    assert kept(page) == []
    page.context.set_offline(True)
    page.goto(table)
    expect(page.locator("#cut-off")).to_be_visible()
    expect(page.locator("#kept")).to_be_hidden()
    expect(page.locator(HAND)).to_have_count(0)


def test_another_account_finds_nothing_of_the_one_before(visit):
    """Also where nobody signed out: the cookie is gone, and somebody else comes."""
    page = at_a_table(visit)
    before = page.evaluate(STATE)["account"]
    page.context.clear_cookies()
    page.goto("/")
    until(page, STATE, lambda state: state and state["account"] == "")
    assert kept(page) == []
    page.get_by_role("button", name="Play Pişti now").tap()
    page.wait_for_selector("#felt")
    until_kept(page)
    assert page.evaluate(STATE)["account"] not in ("", before)
    assert len(kept(page)) == 1


NOTE_THE_START = """
  if (location.pathname === "/app")
    new PerformanceObserver((list) => {
      sessionStorage.setItem("start", list.getEntries()[0].startTime);
    }).observe({ type: "paint", buffered: true });
"""


def test_the_app_starts_at_once_on_a_slow_phone(visit):
    """From the home screen: its first page comes from the phone itself, then the real one."""
    page = visit(**ON_A_PHONE)
    controlled(page)
    page.context.add_init_script(NOTE_THE_START)

    def started() -> float:
        page.evaluate("sessionStorage.removeItem('start')")
        session = slow_down(page)
        page.goto("/app", wait_until="commit")
        page.wait_for_url(lambda url: url.endswith("/"))
        page.wait_for_load_state()
        session.detach()
        return page.evaluate("Number(sessionStorage.getItem('start') ?? Infinity)")

    at_once = on_a_busy_machine(AT_ONCE)
    painted = loads(started, lambda start: start <= at_once)
    print(f"\nfirst paint of the app: {painted} ms")
    assert min(painted) <= at_once, painted


def test_the_worker_does_not_slow_a_page_down(visit):
    """The landing page on a slow phone, with the worker and without it, in turn."""
    pages = {worker: visit(**ON_A_PHONE | {"service_workers": worker}) for worker in WORKERS}
    controlled(pages["allow"])

    def landed(worker: str) -> int:
        page = pages[worker]
        session = slow_down(page)
        page.goto("/", wait_until="load")
        page.wait_for_function("() => paints.largest")
        page.wait_for_timeout(500)
        session.detach()
        return round(page.evaluate("paints.largest"))

    for page in pages.values():
        page.context.add_init_script(NOTE_PAINTS)
    found: dict[str, list[int]] = {worker: [] for worker in WORKERS}

    def both() -> None:
        for worker, paints in found.items():
            paints.append(landed(worker))

    def is_soon(_: None) -> bool:
        return min(found["allow"]) <= max(LCP, min(found["block"]) + SLACK)

    loads(both, is_soon)
    print(f"\nlanding page without and with the worker: {found} ms")
    assert is_soon(None), found


def test_browsers_would_install_it(visit):
    """Chromium's own check finds no fault, and the files that the manifest names exist."""
    page = visit(**ON_A_PHONE)
    controlled(page)
    session = page.context.new_cdp_session(page)
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A private window, which every one of these is, never installs anything.
    assert [one["errorId"] for one in errors if one["errorId"] != "in-incognito"] == []
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    about = json.loads(found["data"])
    sizes = page.evaluate(
        """(all) => Promise.all(all.map(async ({ src, sizes }) => {
          const picture = new Image();
          picture.src = src;
          await picture.decode();
          return `${picture.naturalWidth}x${picture.naturalHeight}` === sizes;
        }))""",
        [*about["icons"], *about["screenshots"]],
    )
    assert all(sizes)
    assert len(sizes) == 6
    assert {one["purpose"] for one in about["icons"]} == {"any", "maskable"}
    for address in (about["start_url"], *(one["url"] for one in about["shortcuts"])):
        assert page.request.get(address).status == 200


def test_a_new_worker_waits_for_the_table(visit):
    """A new version is fetched while a match is open, and takes over when no table is."""
    page = visit(**ON_A_PHONE)
    controlled(page)
    page.get_by_role("button", name="Play Pişti now").tap()
    wait_for_my_turn(page)
    page.wait_for_load_state("load")
    # Another address is another worker, as another version at the same one would be.
    page.evaluate("navigator.serviceWorker.register('/service-worker.js?newer')")
    waiting = "async () => !!(await navigator.serviceWorker.ready).waiting"
    until(page, waiting, bool)
    other = page.context.new_page()
    other.goto("/lobby")
    other.wait_for_load_state("load")
    other.wait_for_timeout(500)
    until(page, waiting, bool)  # a table is open
    assert "newer" not in page.evaluate("navigator.serviceWorker.controller.scriptURL")
    play_first(page)
    rest(page)  # which alone lets no new worker in
    page.wait_for_timeout(1000)
    assert page.evaluate(waiting)
    take_over(page, waiting)


def take_over(page: Page, waiting: str) -> None:
    """A page asks for it once. A request meanwhile keeps the worker before at work, and a browser
    that is driven never puts it to rest, as it would after half a minute. Then this does: another
    navigation has hung instead, which was not seen in a browser without a driver at its worker."""
    page.goto("/lobby")
    try:
        until(page, waiting, lambda waits: not waits, seconds=4)
    except AssertionError:
        rest(page)
        until(page, waiting, lambda waits: not waits)


def rest(page: Page) -> None:
    """Ends the workers, as a browser does with those that have nothing to do."""
    session = page.context.new_cdp_session(page)
    session.send("ServiceWorker.enable")
    session.send("ServiceWorker.stopAllWorkers")


def test_a_message_is_shown_and_leads_to_its_page(visit):
    """As the browser's push service would hand it over."""
    page = visit(permissions=["notifications"], **WORKER)
    controlled(page)
    session = page.context.new_cdp_session(page)
    found = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    until(page, "true", lambda _: bool(found))
    registration = found[0]["registrationId"]
    shown = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
      .map(({ title, body, tag, data }) => [title, body, tag, data.url])"""

    def both_are_shown() -> bool:
        """A message may be lost on its way; one that comes again takes the place of the first."""
        for data in (
            json.dumps({"title": "Your turn", "body": "Pişti", "url": "/lobby", "tag": "turn"}),
            "no JSON",
            "",
        ):
            session.send(
                "ServiceWorker.deliverPushMessage",
                {"origin": page.url.rstrip("/"), "registrationId": registration, "data": data},
            )
        page.wait_for_timeout(500)
        return len(page.evaluate(shown)) == 2

    wait_until(both_are_shown)
    assert ["Your turn", "Pişti", "turn", "/lobby"] in page.evaluate(shown)
    assert ["Cardroom", "", "cardroom", "/"] in page.evaluate(shown)


def test_the_badge_counts_what_the_pages_count(visit):
    page = visit("/lobby", **WORKER)
    page.evaluate("navigator.setAppBadge = async (count) => { window.badge = count; }")
    page.evaluate(
        "document.dispatchEvent(new CustomEvent('live:waiting', { detail: { turns: ['a', 'b'] } }))"
    )
    assert page.evaluate("badge") == 2
    page.evaluate(
        "document.dispatchEvent(new CustomEvent('live:waiting', { detail: { turns: [] } }))"
    )
    assert page.evaluate("badge") == 0


def test_nothing_is_left_of_the_worker_without_scripts(visit):
    page = visit("/app", java_script_enabled=False)
    expect(page.get_by_role("link", name="To the start page")).to_be_visible()
