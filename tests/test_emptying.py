"""A test with real transactions leaves the database as the migrations made it."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import TransactionTestCase

from accounts.models import User
from games.matches.models import Match, Seat
from tests.matches.scenes import opened

pytestmark = pytest.mark.django_db(transaction=True)


def empty() -> None:
    TransactionTestCase("run")._fixture_teardown()


def test_what_a_test_wrote_goes(ada):
    opened(ada, "me, open")
    empty()
    assert not User.objects.exists()
    assert not Match.objects.exists()
    assert not Seat.objects.exists()


def test_what_the_migrations_wrote_comes_back():
    referee = Group.objects.get(name__iexact="referee")
    may = set(referee.permissions.values_list("codename", flat=True))
    assert may
    Permission.objects.filter(codename__in=may).update(name="changed")
    referee.permissions.clear()
    Group.objects.all().delete()
    Group.objects.create(name="new")
    empty()
    again = Group.objects.get(name__iexact="referee")
    assert set(again.permissions.values_list("codename", flat=True)) == may
    assert not Group.objects.filter(name="new").exists()
    assert not Permission.objects.filter(name="changed").exists()
