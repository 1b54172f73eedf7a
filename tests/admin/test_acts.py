"""Acts in the admin: the page says what will happen, rights are judged, bulk runs report each."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from accounts.audit.models import Entry
from accounts.models import User
from games.matches.models import Match
from games.operations import bulk
from games.operations.acts import ACTS
from games.operations.models import BulkRun
from tests.matches.scenes import now, opened

pytestmark = pytest.mark.django_db

WHY = {"reason": "A player asked for it."}


def staff(role: str) -> Client:
    user = User.objects.create_user(role, is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    browser = Client()
    browser.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return browser


def act_page(match, slug: str) -> str:
    return reverse("admin:games_match_act", args=[match.id, slug])


@pytest.mark.parametrize("slug", ACTS)
def test_who_may_act(ada, slug):
    match = opened(ada)
    assert staff("viewer").get(act_page(match, slug)).status_code == 403
    page = staff("referee").get(act_page(match, slug))
    assert "What will happen" in page.content.decode()


def test_without_a_reason_nothing_happens(ada):
    match, referee = opened(ada), staff("referee")
    assert referee.post(act_page(match, "abort"), {"reason": ""}).status_code == 200
    assert now(match).status == "active"
    assert referee.post(act_page(match, "abort"), WHY).status_code == 302
    assert now(match).status == "aborted"
    assert Entry.objects.get().actor == "referee"


def test_many_matches_a_result_for_each(ada):
    """One that refuses does not stop the others."""
    matches, referee = [opened(ada) for _ in range(3)], staff("referee")
    referee.post(act_page(matches[0], "abort"), WHY)
    chosen = {"action": "abort", "_selected_action": [str(match.id) for match in matches]}
    page = referee.post(reverse("admin:games_match_changelist"), chosen)["Location"]
    assert Match.objects.filter(status="active").count() == 2
    assert "3 matches" in referee.get(page).content.decode()
    referee.post(page, WHY)
    run = BulkRun.objects.get()
    bulk.work_off(run.id)
    assert not Match.objects.filter(status="active").exists()
    assert sorted(run.results.values_list("succeeded", flat=True)) == [False, True, True]
    shown = referee.get(page)
    assert "3 of 3" in shown.content.decode()
    assert "Refresh" not in shown


def test_a_run_stops_with_the_rights_of_its_operator(ada):
    match, referee = opened(ada), staff("referee")
    chosen = {"action": "abort", "_selected_action": [str(match.id)]}
    page = referee.post(reverse("admin:games_match_changelist"), chosen)["Location"]
    referee.post(page, WHY)
    User.objects.get(username="referee").groups.clear()
    bulk.work_off(BulkRun.objects.get().id)
    assert now(match).status == "active"
