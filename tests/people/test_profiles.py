"""Profiles: what everybody may know of a person, by web and API; what is hidden from whom."""

import re

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from accounts import services as people
from accounts.audit.log import Actor
from accounts.social import selectors, services
from config.postgres.together import Part
from games.lobby.rematches import PersonSeries
from games.matches.models import Match
from games.operations import people as operations_people
from games.people import counting
from games.people.models import Meeting, Result, Tally
from games.people.profiles import RatingCurve, RatingPoint
from games.phrases import speaking
from tests.api.calls import get
from tests.conftest import BACKEND
from tests.matches.scenes import opened
from tests.people.ended import against, between
from tests.web.browsing import signed_in

pytestmark = pytest.mark.django_db


HERE = "/api/v1/users"


@pytest.fixture
def played(ada, ben):
    """Two matches of Ada and Ben, the second in public, and one against a computer."""
    between(ada, ben)
    match = between(ben, ada, "pyanitsa", visibility="public")
    against(ada, "greedy")
    counting.count_finished()
    return match


def page(person, name):
    client = Client()
    if person:
        client.force_login(person, BACKEND)
    return client.get(f"/people/{name}")


def test_the_profile_of_a_person(played, keyed, ben):
    profile = keyed(ben).get(f"{HERE}/ada").json()
    won, lost = {"won": 1, "drawn": 0, "lost": 0}, {"won": 0, "drawn": 0, "lost": 1}
    none = {"won": 0, "drawn": 0, "lost": 0}
    assert profile["username"] == "Ada"
    assert profile["results"] == [
        {"game": "pisti", "people": won, "computers": lost, "best_beaten": None},
        {"game": "pyanitsa", "people": lost, "computers": none, "best_beaten": None},
    ]
    assert profile["against_you"] == [
        {"game": "pisti", "score": lost},
        {"game": "pyanitsa", "score": won},
    ]
    assert (profile["ratings"], profile["series"], profile["deck"]) == ([], [], None)


def test_anybody_reads_it_without_a_key(played, ada):
    profile = APIClient().get(f"{HERE}/Ada").json()
    assert (profile["against_you"], profile["friend"], profile["online"]) == ([], None, None)
    assert "Ada" in page(None, "ada").content.decode()


def test_others_see_public_matches_only(played, keyed, ada, ben, cleo):
    for reader in (ben, cleo):
        rows = keyed(reader).get(f"{HERE}/ada/matches").json()["results"]
        assert [row["id"] for row in rows] == [str(played.id)]
    assert len(keyed(ada).get(f"{HERE}/ada/matches").json()["results"]) == 3
    assert page(ben, "ada").content.decode().count('class="result-line ') == 1
    assert page(ada, "ada").content.decode().count('class="result-line ') == 3


def test_a_match_that_was_closed_since_is_not_listed(played, keyed, cleo):
    Match.objects.filter(pk=played.id).update(visibility="private")
    assert keyed(cleo).get(f"{HERE}/ada/matches").json()["results"] == []


def test_matches_have_pages(keyed, ada, ben, monkeypatch):
    matches = [between(ada, ben, visibility="public") for _ in range(3)]
    counting.count_finished()
    program = keyed(ben)
    first = program.get(f"{HERE}/ada/matches?limit=2").json()
    second = program.get(first["next"]).json()
    shown = [row["id"] for row in first["results"] + second["results"]]
    assert shown == [str(match.id) for match in reversed(matches)]
    monkeypatch.setattr("games.web.people.MATCHES_ON_PROFILE", 2)
    assert f"?before={matches[1].id}" in page(ben, "ada").content.decode()
    older = signed_in(ben).client.get(f"/people/ada?before={matches[1].id}").content.decode()
    assert str(matches[0].id) in older
    assert str(matches[2].id) not in older


def test_a_page_of_matches_needs_no_statement_for_each(
    keyed, ada, ben, django_assert_max_num_queries
):
    for _ in range(6):
        between(ada, ben, visibility="public")
    counting.count_finished()
    program = keyed(ben)
    with django_assert_max_num_queries(6):
        assert len(program.get(f"{HERE}/ada/matches").json()["results"]) == 6


def hidden_as(reader, name, keyed):
    """All that tells the answer about a person from the one about nobody."""
    program = keyed(reader) if reader else APIClient()
    answers = [program.get(f"{HERE}/{name}"), program.get(f"{HERE}/{name}/matches")]
    web = page(reader, name)
    text = re.sub(rf"\b{name}\b", "…", web.content.decode())  # a token may hold the letters
    bodies = [one.json() | {"request_id": ""} for one in answers]
    return [one.status_code for one in answers], bodies, web.status_code, len(text)


@pytest.mark.parametrize("why", ["hides", "blocks", "guest", "closed"])
def test_a_hidden_person_and_nobody_are_one_answer(played, keyed, ada, ben, why):
    name = "ada"
    if why == "hides":
        services.set_privacy(user=ada, hides_profile=True)
    elif why == "blocks":
        services.block(owner=ada, blocked=ben.pk)
    elif why == "guest":
        name = people.open_guest().username
    else:
        type(ada).objects.filter(pk=ada.pk).update(is_active=False)
    codes, *_ = shown = hidden_as(ben, name, keyed)
    assert codes == [404, 404]
    assert shown == hidden_as(ben, "nobody", keyed)


def test_who_hides_is_seen_by_friends_and_by_themselves(played, keyed, ada, ben):
    services.set_privacy(user=ada, hides_profile=True)
    assert keyed(ada).get(f"{HERE}/ada").status_code == 200
    services.befriend(user=ada, other=ben.pk)
    assert keyed(ben).get(f"{HERE}/ada").status_code == 404  # a request is no friendship
    services.befriend(user=ben, other=ada.pk)
    selectors.note_presence([ada.pk])
    profile = keyed(ben).get(f"{HERE}/ada").json()
    assert (profile["friend"], profile["online"]) == ("friend", True)


def test_the_favourite_deck_is_one_that_was_shown(ada, ben, keyed):
    between(ada, ben, "pazaak")
    counting.count_finished()
    assert keyed(ben).get(f"{HERE}/ada").json()["deck"] is None
    match = between(ada, ben, "pazaak", visibility="public")
    deck = Match.objects.get(pk=match.id).seats.get(user=ada).side_deck
    counting.count_finished()
    assert keyed(ben).get(f"{HERE}/ada").json()["deck"] == deck
    assert "Favourite side deck" in page(ben, "ada").content.decode()


def test_ratings_and_series_come_from_the_apps_that_keep_them(played, keyed, ada, ben, monkeypatch):
    at = played.finished_at
    curve = RatingCurve(
        "pisti", [RatingPoint(at.replace(year=2025), 1500.0), RatingPoint(at, 1612.4)], 51.2
    )
    series = PersonSeries("pisti", "Ben", 2, 1, played.id, at)
    curves, lines = Part((), lambda: [curve]), Part((), lambda: [series])
    offers = {"rating_curves": [lambda _: curves], "series_of": [lambda *_: lines]}
    monkeypatch.setattr("games.people.profiles.offered", lambda name: offers.get(name, []))
    profile = keyed(ben).get(f"{HERE}/ada").json()
    assert profile["ratings"][0]["points"][-1]["rating"] == 1612.4
    assert (profile["series"][0]["own"], profile["series"][0]["other"]) == (2, 1)
    html = page(ben, "ada").content.decode()
    assert "Rating at Pişti</h2>" not in html
    assert ": 1612 ± 51" in html
    assert 'points="0,150 600,0"' in html
    assert "<b>2 : 1</b>" in html


def test_it_is_plain_text_too(played, keyed, ben):
    text = keyed(ben).get(f"{HERE}/ada", HTTP_ACCEPT="text/plain").content.decode()
    assert text.startswith("Ada (Ada), here since ")
    assert "pisti, Against people: 1 won, 0 drawn, 0 lost" in text


def test_friends_by_forms_alone(ada, ben):
    at_ada, at_ben = signed_in(ada), signed_in(ben)
    at_ada.open("/people/ben").press("Add as a friend")
    assert "Withdraw the request" in at_ada.text
    assert "They ask you" in at_ben.open("/people").text
    at_ben.press("Accept as a friend")
    assert at_ben.address == "/people"
    selectors.note_presence([ada.pk])
    assert "online" in at_ben.open("/people").text
    match = opened(ada, "me, bot greedy", visibility="public")
    assert f"/matches/{match.id}" in at_ben.open("/people").page
    at_ben.press("End the friendship")
    assert "None yet." in at_ben.text


def test_an_invitation_names_the_friend(ada, ben):
    form = signed_in(ada).open("/new?seat-1-who=user&seat-1-name=Ben")
    assert 'value="Ben"' in form.page


def test_privacy_by_form(ada, ben):
    at_ada = signed_in(ada)
    at_ada.open("/people").press("Save", hides_profile="on")
    assert page(ben, "ada").status_code == 404
    assert "Only your friends see it." in at_ada.open("/people/ada").text


# Export and deletion of an account carry friends, privacy, phrases, mutes and results.


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
    operations_people.erase(user_id=ada.pk, by=Actor(ada.pk, "the person", "At their own wish."))
    mine = ("social_", "people_", "phrases_")
    assert not [table for table in rows_about(ada) if table.startswith(mine)]
    assert Tally.objects.filter(account=ben).count() == 1
    assert Result.objects.count() == 1
    assert Meeting.objects.count() == 0
    call_command("recount")


def test_what_ended_before_an_erasure_is_not_counted_after_it(ada, ben):
    match = between(ben, ada)
    operations_people.erase(user_id=ada.pk, by=Actor(ada.pk, "the person", "At their own wish."))
    assert counting.count_finished() == 1
    assert list(Result.objects.values_list("match", "account")) == [(match.id, ben.pk)]
    assert opened(ben).status == "active"
