"""Programs of the people in a scene, and a browser of an operator who may only look."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import User
from tests.conftest import client_of


@pytest.fixture
def third(cleo, keyed) -> APIClient:
    """Cleo's program."""
    return keyed(cleo)


@pytest.fixture
def viewer(db) -> Client:
    """A browser of the admin whose user may view everything and change nothing."""
    looker = User.objects.create_user("looker", password="a long and quiet evening")
    looker.is_staff = True
    looker.save()
    looker.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    return client_of(looker)
