"""Operators see who waits and who was paired; they change nothing of it."""

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse

from accounts.models import User
from games.lobby import seeking
from tests.lobby.seekers import waits

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
