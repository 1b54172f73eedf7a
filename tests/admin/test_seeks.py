"""Operators see who waits and who was paired; they change nothing of it."""

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse

from accounts.models import User
from games.lobby import rematches, seeking
from tests.lobby.seekers import waits
from tests.matches.scenes import opened, resigned

pytestmark = pytest.mark.django_db


@pytest.fixture
def viewer(client):
    user = User.objects.create_user("viewer", is_staff=True)
    user.groups.set(Group.objects.filter(name__iexact="viewer"))
    client.force_login(user, "allauth.account.auth_backends.AuthenticationBackend")
    return client


def test_the_list_says_who_waits(viewer, ada, ben):
    waits(ada)
    seek = waits(ben, "pazaak")
    seeking.withdraw(account=ben, seek_id=seek.id)
    page = viewer.get(reverse("admin:lobby_seek_changelist")).content.decode()
    assert "waiting" in page
    assert "ended" in page
    found = viewer.get(reverse("admin:lobby_seek_changelist"), {"q": "be"}).content.decode()
    assert "pazaak" in found
    address = reverse("admin:lobby_seek_change", args=[seek.id])
    assert viewer.get(address).status_code == 200
    assert viewer.post(address, {"game": "pisti"}).status_code == 403


def test_a_series_is_listed_by_its_matches(viewer, ada):
    first = resigned(opened(ada, "me, bot greedy", preset="single"), 0)
    second = rematches.ask(match_id=first.id, user=ada)
    address = reverse("admin:lobby_seriesmatch_changelist")
    page = viewer.get(address, {"q": str(first.id)}).content.decode()
    assert str(second.id) in page or str(second.id)[:8] in page
    assert viewer.get(reverse("admin:lobby_seriesmatch_change", args=[first.id])).status_code == 200
    assert viewer.get(address, {"q": "x"}).status_code == 200
