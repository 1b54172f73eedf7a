"""Quick pairing as a program meets it."""

import re
from datetime import timedelta
from typing import get_args

import pytest
from django.utils import timezone

from games.lobby import seeking
from games.lobby.models import Seek
from games.lobby.paces import PACES, PaceName
from games.matches.models import Match
from tests.api.calls import API, get, post, refused

TEXT = {"Accept": "text/plain"}


@pytest.fixture
def waiting(first):
    answer = post(first, "seeks", {"game": "pisti"})
    assert answer.status_code == 201, answer.content
    assert answer["Location"] == f"{API}seeks/{answer.json()['id']}"
    return answer.json()


def delete(client, path):
    return client.delete(API + path)


def test_the_document_names_every_pace():
    assert list(get_args(PaceName)) == [pace.slug for pace in PACES]


def test_two_programs_are_paired(first, second, waiting):
    assert (waiting["status"], waiting["waiting"], waiting["seconds"]) == ("waiting", 1, None)
    other = post(second, "seeks", {"game": "pisti", "pace": "normal"}).json()
    seeking.pair_all()
    mine, theirs = (
        get(client, f"seeks/{seek['id']}").json()
        for client, seek in ((first, waiting), (second, other))
    )
    assert mine["status"] == theirs["status"] == "paired"
    assert mine["match"] == theirs["match"]
    match = get(first, f"matches/{mine['match']}").json()
    assert (match["status"], match["turn_seconds"]) == ("active", 60)
    assert len(match["your_seats"]) == 1
    told = get(first, "seeks").json()
    assert [one["id"] for one in told["results"]] == [waiting["id"]]
    (queue,) = told["queues"]
    assert (queue["game"], queue["pace"], queue["waiting"]) == ("pisti", "normal", 0)
    assert queue["seconds"] is not None


def test_the_same_wish_again_is_the_same_seek(first, waiting):
    again = post(first, "seeks", {"game": "pisti", "preset": "classic"})
    assert (again.status_code, again.json()["id"]) == (201, waiting["id"])


def test_another_wish_takes_its_place(first, waiting):
    other = post(first, "seeks", {"game": "pisti", "pace": "blitz"})
    assert other.status_code == 201
    found = {one["id"]: one for one in get(first, "seeks").json()["results"]}
    assert found[waiting["id"]]["ending"] == "withdrawn"
    assert found[other.json()["id"]]["status"] == "waiting"
    assert post(first, "seeks", {"game": "pazaak"}).status_code == 201
    assert Seek.objects.filter(ended_at=None).count() == 2


def test_a_key_makes_one_seek_whatever_becomes_of_it(first, second):
    made = post(first, "seeks", {"game": "pisti"}, Idempotency_Key="1")
    seek = made.json()["id"]
    assert delete(first, f"seeks/{seek}").status_code == 204
    again = post(first, "seeks", {"game": "pisti"}, Idempotency_Key="1")
    assert (again.status_code, again.json()["id"]) == (201, seek)
    assert (again.json()["status"], again.json()["ending"]) == ("ended", "withdrawn")
    refused(post(first, "seeks", {"game": "pazaak"}, Idempotency_Key="1"), "key_reused")
    refused(post(first, "seeks", {"game": "pisti"}, Idempotency_Key="x" * 65), "malformed")
    assert post(second, "seeks", {"game": "pisti"}, Idempotency_Key="1").status_code == 201


def test_stopping_to_wait(first, second, waiting):
    refused(delete(second, f"seeks/{waiting['id']}"), "not_found")
    refused(get(second, f"seeks/{waiting['id']}"), "not_found")
    assert delete(first, f"seeks/{waiting['id']}").status_code == 204
    assert delete(first, f"seeks/{waiting['id']}").status_code == 204
    post(second, "seeks", {"game": "pisti"})
    assert seeking.pair_all() == 0


def test_who_was_paired_cannot_stop_waiting(first, second, waiting):
    post(second, "seeks", {"game": "pisti"})
    seeking.pair_all()
    told = refused(delete(first, f"seeks/{waiting['id']}"), "already_paired")
    assert told["match_id"] == str(Match.objects.get().id)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"game": "pisti", "pace": "bullet"}, "malformed"),
        ({"game": "pisti", "preset": "odd"}, "bad_options"),
        ({"game": "pisti", "seats": 8}, "bad_options"),
        ({"game": "pazaak", "seats": 3}, "bad_seats"),
        ({"game": "shithead", "seats": 9}, "malformed"),
        ({"game": "pisti", "computers_after": -1}, "malformed"),
    ],
)
def test_what_is_refused(first, body, code):
    refused(post(first, "seeks", body), code)
    assert not Seek.objects.exists()


def test_who_may_not_play_more_does_not_wait(first, settings):
    settings.LIMITS = settings.LIMITS | {"active_matches": 0}
    refused(post(first, "seeks", {"game": "pisti"}), "too_many_active_matches")


def test_asking_is_a_sign_of_life(first, waiting):
    long_ago = timezone.now() - timedelta(seconds=10)
    for path in ("seeks", f"seeks/{waiting['id']}"):
        Seek.objects.update(seen_at=long_ago)
        get(first, path)
        assert Seek.objects.get().seen_at > long_ago


def test_as_text(first, second, waiting):
    told = get(first, "seeks", **TEXT).content.decode()
    assert told == (
        f"{waiting['id']}  pisti, Normal: 60 seconds a move: waiting. 1 waits.\n"
        "  pisti, Normal: 60 seconds a move: 1 waits.\n"
    )
    post(second, "seeks", {"game": "pisti"})
    seeking.pair_all()
    match = Match.objects.get()
    told = get(first, f"seeks/{waiting['id']}", **TEXT).content.decode()
    assert told == (
        f"{waiting['id']}  pisti, Normal: 60 seconds a move: paired. Match {match.id}\n"
    )
    told = get(second, "seeks", **TEXT).content.decode()
    assert re.search(r"0 wait\. Lately it took \d+ s\.\n$", told)
