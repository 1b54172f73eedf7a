"""Hidden cards of a running match: with a permission, for a reason, logged each time, or not."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.audit.models import Entry
from accounts.models import User
from games.matches import joining
from tests.admin.test_acts import staff
from tests.conftest import client_of
from tests.matches.scenes import now, opened, played

pytestmark = pytest.mark.django_db

WHY = "A report of cheating."


@pytest.fixture
def match(ada, ben):
    found = opened(ada, "me, user Ben", visibility="private")
    return played(joining.join(match_id=found.id, user=ben), 6)


def table(match, **asked: int) -> str:
    return f"/matches/{match.id}/operator?" + "&".join(f"{k}={v}" for k, v in asked.items())


def ask(browser, match, what: str, reason: str = WHY):
    page = reverse("admin:games_match_look", args=[match.id])
    return browser.post(page, {"reason": reason, "what": what}, follow=True)


def hand_of(match, seat: int) -> list[str]:
    return [str(card) for card in match.rules.view(now(match).state, seat).hand]


def test_a_private_table_opens_for_a_reason(match):
    viewer, referee = staff("viewer"), staff("referee")
    for browser in (viewer, referee):
        assert browser.get(table(match, ply=3)).status_code == 404
    ask(viewer, match, "table")
    ask(referee, match, "table", reason="")
    assert not Entry.objects.exists()
    ask(referee, match, "table")
    assert viewer.get(table(match)).status_code == 404
    shown = referee.get(table(match))
    assert shown.status_code == 200
    assert "Ben" in shown.content.decode()
    assert Entry.objects.get().action == "watch_private"


def test_cards_only_with_the_permission_and_every_look_is_logged(match):
    referee, administrator = staff("referee"), staff("administrator")
    ask(referee, match, "cards")
    assert referee.get(table(match, ply=6, seat=0)).status_code == 404
    assert administrator.get(table(match, ply=6, seat=0)).status_code == 404
    ask(administrator, match, "cards")
    seen = administrator.get(table(match, ply=6, seat=0)).content.decode()
    public = administrator.get(table(match, ply=6)).content.decode()
    for card in hand_of(match, 0):
        assert f'data-card="{card}"' in seen
        assert f'data-card="{card}"' not in public
    looks = Entry.objects.filter(action="see_hidden_cards")
    assert [(look.details["seat"], look.details["ply"]) for look in looks] == [(0, 6)]
    assert looks[0].reason == WHY


def test_who_plays_gets_no_look(match, ada):
    User.objects.filter(pk=ada.pk).update(is_staff=True, is_superuser=True)
    browser = client_of(ada)
    ask(browser, match, "cards")
    assert browser.get(table(match, ply=6, seat=1)).status_code == 404
    assert not Entry.objects.exists()


def test_a_look_ends(match, time_machine):
    administrator = staff("administrator")
    ask(administrator, match, "cards")
    assert administrator.get(table(match, seat=1)).status_code == 200
    time_machine.move_to(timezone.now() + timedelta(minutes=16))
    assert administrator.get(table(match, seat=1)).status_code == 404


# The search of unfold, which nobody links to and everybody on the staff may call.


@pytest.mark.parametrize("role", ["viewer", "referee", "administrator"])
@pytest.mark.parametrize("asked", ["a", "auth", "roles", "m&extended=1", "a&page=x", "%00", ""])
def test_it_answers_everybody(role, asked):
    browser = staff(role)
    for _ in range(2):  # the second answer came from a cache
        assert browser.get(f"/admin/search/?s={asked}").status_code in (200, 400)


def test_it_names_what_the_role_may_open():
    found = [
        staff(role).get("/admin/search/?s=group").content.decode()
        for role in ("viewer", "administrator")
    ]
    assert ["/admin/auth/group/" in text for text in found] == [False, True]
