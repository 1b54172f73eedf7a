"""Export and deletion of an account carry friends, privacy, phrases, mutes and results."""

import pytest
from django.core.management import call_command
from django.db import connection

from accounts.audit.log import Actor
from accounts.social import services
from games.operations import people
from games.people import counting
from games.people.models import Meeting, Result, Tally
from games.phrases import speaking
from tests.api.calls import get
from tests.matches.scenes import opened
from tests.people.ended import between

pytestmark = pytest.mark.django_db


@pytest.fixture
def lived(ada, ben, cleo):
    """All that there is of Ada."""
    services.befriend(user=ada, other=ben.pk)
    services.befriend(user=ben, other=ada.pk)
    services.befriend(user=ada, other=cleo.pk)
    services.end_friendship(user=cleo.pk, other=ada.pk)  # declined, which Ada does not learn
    services.set_privacy(user=ada, hides_presence=True)
    match = between(ben, ada)
    counting.count_finished()
    speaking.speak(match_id=match.id, user=ada, phrase="good_game")
    speaking.mute(match_id=match.id, user=ada, seat=0)
    speaking.mute(match_id=match.id, user=ben, seat=1)
    speaking.silence(user_id=ada.pk, by=Actor(ben.pk, "operator", "Enough."), until=None)
    return match


def test_the_export_has_all_of_it(lived, first):
    data = get(first, "accounts/me/data").json()
    states = {one["username"]: one["state"] for one in data["friends"]}
    assert states == {"Ben": "friend", "Cleo": "you_asked"}
    hidden = {"hides_profile": False, "hides_presence": True, "hides_titles": False}
    assert data["privacy"] == hidden
    assert [one["username"] for one in data["mutes"]] == ["Ben"]
    assert [one["phrase"] for one in data["phrases"]] == ["good_game"]
    assert data["results"] == [{"game": "pisti", "bot": "", "won": 0, "drawn": 0, "lost": 1}]
    assert [(one["opponent_name"], one["lost"]) for one in data["meetings"]] == [("Ben", 1)]
    assert [one["reason"] for one in data["silences"]] == ["Enough."]


def rows_about(user):
    """Tables outside the matches that still name the account."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conrelid::regclass::text, a.attname FROM pg_constraint"
            " JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = ANY(conkey)"
            " WHERE contype = 'f' AND confrelid = 'accounts_user'::regclass"
        )
        for table, column in cursor.fetchall():
            cursor.execute(f"SELECT count(*) FROM {table} WHERE {column} = %s", [user.pk])
            if cursor.fetchone()[0]:
                found.append((table, column))
    return {table for table, _ in found}


def test_an_erasure_leaves_nothing_of_it(lived, ada, ben):
    people.erase(user_id=ada.pk, by=Actor(ada.pk, "the person", "At their own wish."))
    mine = ("social_", "people_", "phrases_")
    assert not [table for table in rows_about(ada) if table.startswith(mine)]
    assert Tally.objects.filter(account=ben).count() == 1
    assert Result.objects.count() == 1
    assert Meeting.objects.count() == 0
    call_command("recount")


def test_what_ended_before_an_erasure_is_not_counted_after_it(ada, ben):
    match = between(ben, ada)
    people.erase(user_id=ada.pk, by=Actor(ada.pk, "the person", "At their own wish."))
    assert counting.count_finished() == 1
    assert list(Result.objects.values_list("match", "account")) == [(match.id, ben.pk)]
    assert opened(ben).status == "active"
