"""Fields that no browser sends: refused, and nothing breaks."""

import pytest
from django.urls import reverse

from games.operations.models import PlayerReport
from tests.admin.test_acts import staff
from tests.matches.scenes import opened

pytestmark = pytest.mark.django_db

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def test_a_nul_reaches_no_query(ada, client):
    client.force_login(ada, BACKEND)
    match = opened(ada, "me, local Twin")
    sent = {"seat": "1", "reason": "other", "text": "a\0b"}
    assert client.post(f"/matches/{match.id}/report", sent).status_code == 400
    assert not PlayerReport.objects.exists()
    assert client.post("/accounts/blocks/", {"username": "a\0b"}).status_code == 400
    assert client.get("/lobby", {"x": "\0"}).status_code == 400


@pytest.mark.parametrize("to", ["x", "-1", "", "²", "//evil.example", "https://evil.example/"])
def test_a_form_leads_to_a_page_of_ours_or_home(client, to):
    sent = {"language": "tr", "next": to}
    answer = client.post("/accounts/language/", sent)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert client.post("/accounts/language/", {"next": "/lobby"})["Location"] == "/lobby"


@pytest.mark.parametrize("page", ["/accounts/login/", "/accounts/signup/", "/admin/login/"])
def test_who_is_signed_in_is_led_on_or_home(page):
    browser = staff("viewer")
    for to in ("x", "-1", "²"):
        assert browser.get(page, {"next": to}).status_code in (302, 403)


@pytest.mark.parametrize("field", ["q", "status__exact", "game", "problem"])
def test_a_nul_in_a_search_of_the_admin(ada, field):
    page = reverse("admin:games_match_changelist")
    assert staff("viewer").get(page, {field: "a\0b"}).status_code == 400


def test_a_nul_in_a_message_of_an_operator(ada):
    page = reverse("admin:operations_person_act", args=[ada.pk, "message"])
    sent = {"reason": "a\0b", "text": "a\0b"}
    assert staff("referee").post(page, sent).status_code == 400
