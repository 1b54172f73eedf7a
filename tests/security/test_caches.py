"""A shared cache between a player and the service keeps nothing that one reader was shown."""

import pytest
from django.test import Client

from tests.matches.scenes import opened

API = "/api/v1/"


@pytest.mark.parametrize(
    "path", ["matches", "matches/{id}", "matches/{id}/events", "accounts/me", "decks"]
)
def test_answers_for_one_reader_are_private(keyed, ada, path):
    match = opened(ada)
    answer = keyed(ada).get(API + path.format(id=match.id))
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Cookie"} <= {word.strip() for word in answer["Vary"].split(",")}


@pytest.mark.parametrize("path", ["/", "/lobby", "/new"])
def test_pages_that_name_a_person_are_private(db, path):
    answer = Client().get(path)
    assert "private" in answer["Cache-Control"] or "no-store" in answer["Cache-Control"]
    assert "Cookie" in answer["Vary"]


def test_the_page_of_the_document_refuses_other_methods(db):
    answer = Client().options(API + "docs")
    assert answer.status_code == 405
