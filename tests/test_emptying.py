"""A test with real transactions leaves the database as the migrations made it."""

from threading import Event, Thread

import pytest
from django.contrib.auth.models import Group, Permission
from django.db import connection, transaction
from django.test import TransactionTestCase

from accounts.models import User
from games.matches.models import Match, Seat
from tests.matches.scenes import opened
from tests.patience import PATIENCE, wait_until

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


def test_who_still_writes_goes_first(ada):
    """A thread holds a row that is deleted, and then wants a table that is locked already."""
    match, holds, ended = opened(ada), Event(), []

    def write():
        with transaction.atomic():
            Seat.objects.select_for_update().get(match_id=match.id, index=0)
            holds.set()
            wait_until(someone_waits)
            User.objects.filter(pk=ada.pk).update(display_name="Late")
        ended.append("written")
        connection.close()

    writer = Thread(target=write)
    writer.start()
    holds.wait(PATIENCE)
    empty()
    writer.join()
    assert ended == ["written"]
    assert not User.objects.exists()


def someone_waits():
    """For a row that is locked, as the emptying will."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # else it is that of the first look
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            " AND datname = current_database())"
        )
        return cursor.fetchone()[0]
