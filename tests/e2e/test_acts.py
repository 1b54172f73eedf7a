"""Every act of the console on a match and on a person, by each role, while matches are played.

What a role may do is offered, works and stands in the audit log; all else is not offered, and is
refused to whoever sends it anyway.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.serving import prepared

pytestmark = pytest.mark.browser

PASSWORD = "a long and quiet evening"
WHY = "The sweep of all acts."
ON_PEOPLE = ("note", "message", "silence", "unsilence", "suspend", "lift", "export", "erase")
ONLY_FOR_ADMINISTRATORS = {"export", "erase"}


def prepare() -> None:
    """By `manage.py shell`: staff, and for each act of a role a match in which it can be done."""
    from django.contrib.auth.models import Group

    from accounts import services
    from accounts.audit.log import Actor
    from accounts.models import User
    from accounts.staff_pages import ROLES
    from games.matches import joining
    from games.operations import refereeing
    from games.operations.acts import ACTS
    from games.ratings import rating
    from tests.matches.scenes import move, now, opened, played
    from tests.people.ended import between

    ada, *others = (
        services.register(username=name, password=PASSWORD)
        for name in ("hostess", *(f"met-by-{role}" for role in ROLES))
    )
    root = Actor.of(User.objects.get(username="admin"), WHY)
    scene: dict[str, Any] = {}
    for role, person in zip(ROLES, others, strict=True):
        user = User.objects.create_user(role, password=PASSWORD, is_staff=True)
        user.groups.add(Group.objects.get(name=role))
        matches = {}
        for slug in ACTS:
            if slug == "annul-rating":
                match = between(ada, person, rated=True)
            elif slug == "pay-bot-turn":
                match = opened(ada, "me, bot greedy", "pisti", visibility="public")
                match = match if match.awaits_bot else move(match)
            else:
                seconds = 86_400 if slug in ("change-deadline", "clear-deadline") else None
                match = opened(ada, f"me, user {person.username}", "pisti", turn_seconds=seconds)
                match = played(joining.join(match_id=match.id, user=person), 6)
            if slug == "give-back":
                refereeing.hand_to_bot(match_id=match.id, by=root, seat=1, bot="greedy")
            matches[slug] = str(now(match).id)
        titles = {slug: act.title for slug, act in ACTS.items()}
        scene[role] = {"matches": matches, "person": str(person.pk), "titles": titles}
    rating.rate_finished()
    print(json.dumps(scene))


@pytest.fixture(scope="module")
def scene(house, folder, password) -> Iterator[dict[str, Any]]:
    """Workers stand still, so that a computer's turn stays due."""
    with house.without_workers():
        yield prepared(folder, "tests.e2e.test_acts")


def signed_in(visit, role: str) -> Page:
    page = visit("/accounts/login/?next=/admin/", allowed="status of 403")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.fill("input[name=login]", role)
    page.fill("input[name=password]", PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/admin/")
    return page


def refused(page: Page, address: str) -> bool:
    cookies = page.context.cookies()
    token = next(each["value"] for each in cookies if "csrf" in each["name"])
    headers = {"X-CSRFToken": token, "Referer": page.url}
    return page.request.post(address, headers=headers, form={"reason": WHY}).status == 403


def entries(page: Page, role: str) -> Any:
    """What this operator did, on the page of its subject."""
    card = page.locator(".op-card", has=page.get_by_role("heading", name="Audit log"))
    return card.locator("tr", has=page.get_by_role("cell", name=role, exact=True))


def fill(form: Any, username: str = "") -> None:
    for field in form.locator("input[required], textarea[required]").all():
        name = field.get_attribute("name")
        if not field.input_value() and field.get_attribute("type") != "hidden":
            field.fill(username if name == "username" else WHY)


@pytest.mark.parametrize("role", ["viewer", "referee", "administrator"])
def test_every_act_on_a_match(visit, scene, role):
    page, titles = signed_in(visit, role), scene[role]["titles"]
    for slug, match in scene[role]["matches"].items():
        address = f"/admin/games/match/{match}/change/"
        page.goto(address)
        offered = page.get_by_role("navigation", name="Acts")
        if role == "viewer":
            expect(offered).to_have_count(0)
            assert refused(page, f"/admin/games/match/{match}/act/{slug}"), slug
            page.reload()
            expect(entries(page, role)).to_have_count(0)
            continue
        offered.get_by_role("link", name=titles[slug]).click()
        for _ in range(2):  # once more where a page shows what changes, or what goes
            if page.url.endswith(slug):
                fill(page.locator(".op-form"))
                page.locator(".op-form .buttons button").click()
                page.wait_for_load_state()
        page.wait_for_url(f"**{address}")
        expect(entries(page, role)).to_have_count(1)


@pytest.mark.parametrize("role", ["viewer", "referee", "administrator"])
def test_every_act_on_a_person(visit, scene, role):
    page, person = signed_in(visit, role), scene[role]["person"]
    for done, what in enumerate(ON_PEOPLE):
        page.goto(f"/admin/operations/person/{person}/change/")
        form = page.locator(f"form[action$='/{what}/do']")
        if role == "viewer" or (role == "referee" and what in ONLY_FOR_ADMINISTRATORS):
            expect(form).to_have_count(0)
            assert refused(page, f"/admin/operations/person/{person}/{what}/do"), what
            continue
        fill(form, f"met-by-{role}")
        if what == "export":
            with page.expect_download():
                form.get_by_role("button").click()
            page.reload()
        else:
            form.get_by_role("button").click()
            page.wait_for_load_state()
        expect(entries(page, role)).to_have_count(done + 1)
