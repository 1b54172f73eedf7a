"""The pages of exercises, by links and forms."""

import re

import pytest

from games.exercises.models import Attempt, Exercise, Review
from tests.exercises.scenes import best, from_file, worst

pytestmark = pytest.mark.django_db


@pytest.fixture
def signed_in(client, ada):
    client.force_login(ada)
    return client


def test_the_overview_lists_themes_and_the_exercise_of_the_day(client):
    from_file()
    page = client.get("/exercises").content.decode()
    for words in ("Counting jacks", "When to stand", "Keeping tens", "Exercise of the day"):
        assert words in page


def test_without_any_exercise_it_says_so(client):
    page = client.get("/exercises").content.decode()
    assert "There are no exercises of this game yet" in page
    assert "answered all exercises" in client.get("/exercises/next").content.decode()


@pytest.mark.parametrize("slug", ["pisti", "pazaak", "shithead"])
def test_an_answer_leads_to_what_each_move_is_worth(signed_in, slug):
    row = from_file(slug)
    address = f"/exercises/{row.pk}?game={slug}"
    page = signed_in.get(address).content.decode()
    assert f'action="{address}"' in page
    assert "such positions" not in page
    answered = signed_in.post(address, {"move": best(row)})
    assert answered.status_code == 302
    page = signed_in.get(answered["Location"]).content.decode()
    assert "Solved" in page
    assert "such positions" in page
    assert "Your rating for exercises: 1500 →" in page
    assert f'/exercises/next?game={slug}"' in page


def test_a_move_that_the_seat_had_not_is_refused_above_the_position(signed_in):
    row = from_file()
    answered = signed_in.post(f"/exercises/{row.pk}", {"move": "a king"})
    assert answered.status_code == 409
    assert "none of the moves" in answered.content.decode()
    assert not Attempt.objects.exists()


def test_the_same_press_twice_is_one_answer(signed_in):
    row = from_file()
    for _ in range(2):
        signed_in.post(f"/exercises/{row.pk}", {"move": worst(row)})
    assert Attempt.objects.count() == 1
    assert Review.objects.get().reviews == 1


def test_a_visitor_becomes_a_guest_by_answering(client):
    row = from_file()
    client.get(f"/exercises/{row.pk}")
    answered = client.post(f"/exercises/{row.pk}", {"move": best(row)})
    assert "only practise" in client.get(answered["Location"]).content.decode()
    assert Attempt.objects.get().account.is_guest


def test_an_exercise_that_is_not_shown_is_not_there(client, ada):
    row = from_file()
    Exercise.objects.filter(pk=row.pk).update(owner=ada)
    assert client.get(f"/exercises/{row.pk}").status_code == 404
    assert client.post(f"/exercises/{row.pk}", {"move": best(row)}).status_code == 404


def test_mistakes_come_up_until_none_is_due(signed_in, ada):
    row = from_file()
    assert "Nothing is due now" in signed_in.get("/exercises/next?mistakes=1").content.decode()
    signed_in.post(f"/exercises/{row.pk}", {"move": worst(row)})
    Review.objects.update(due_at="2020-01-01T00:00Z")
    shown = signed_in.get("/exercises/next?mistakes=1")
    assert shown["Location"] == f"/exercises/{row.pk}?mistakes=1&again=1"
    page = signed_in.get(shown["Location"]).content.decode()
    assert 'class="felt" method="post"' in page


@pytest.mark.parametrize("query", ["game=chess", "theme=jacks", "game=pisti&theme=x", "mistakes=x"])
def test_what_an_address_names_wrongly_is_left_out(client, query):
    from_file()
    assert client.get(f"/exercises/next?{query}").status_code == 302


@pytest.mark.parametrize("language", ["tr", "ru", "cs"])
def test_it_speaks_every_language(signed_in, language):
    row = from_file()
    headers = {"Accept-Language": language}
    page = signed_in.get(f"/exercises/{row.pk}", headers=headers).content.decode()
    assert "It is your turn" not in page
    assert "Rating of this exercise" not in page


@pytest.mark.parametrize("slug", ["pisti", "pazaak", "shithead"])
def test_sentences_about_the_own_seat_are_english(client, slug):
    """*Your seat deals*, never *You deals*."""
    page = client.get(f"/exercises/{from_file(slug).pk}").content.decode()
    assert "Your seat" in page
    assert not re.search(r"\bYou (deals|starts|is|draws|plays|takes|lays|stands)\b", page)
