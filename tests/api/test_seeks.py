"""Quick pairing as a program meets it."""

import re
from datetime import timedelta
from typing import get_args

import pytest
from django.utils import timezone

from accounts.social import services
from accounts.social.models import Privacy
from games.lobby import challenges, seeking
from games.lobby.models import Challenge, Seek
from games.matches.models import Match
from games.matches.time_bank import PACES, PaceName
from tests.api.calls import API, get, post, refused

pytestmark = pytest.mark.django_db


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


# Challenges as two programs meet them.

SLOW = {"username": "ben", "game": "pisti", "preset": "classic", "pace": "slow_3", "seat": 0}


def challenged(client, **terms):
    answer = post(client, "challenges", SLOW | terms)
    assert answer.status_code == 201, answer.content
    assert answer["Location"] == f"{API}challenges/{answer.json()['id']}"
    return answer.json()


def status(client, challenge):
    return get(client, f"challenges/{challenge['id']}").json()["status"]


def passed(challenge):
    """Its time is up, and no beat has come by."""
    ago = timezone.now() - timedelta(seconds=1)
    Match.objects.filter(id=challenge["id"]).update(answer_by=ago)


def test_full_terms_are_there_for_both_and_nobody_else(first, second, stranger):
    made = challenged(first, rated=True)
    assert (made["challenger"], made["challenged"]) == (
        {"username": "Ada", "name": "Ada"},
        {"username": "Ben", "name": "Ben"},
    )
    assert (made["status"], made["rated"], made["turn_seconds"]) == ("waiting", True, 3 * 86400)
    assert (made["seat"], made["challenged_seat"], made["seats"]) == (0, 1, 2)
    assert made["options"]["target_score"] == 151 or made["options"]
    assert get(second, f"challenges/{made['id']}").json() == made
    assert get(second, "challenges").json() == {"received": [made], "sent": []}
    assert get(first, "challenges").json() == {"received": [], "sent": [made]}
    refused(get(stranger, f"challenges/{made['id']}"), "not_found")
    for answer in ("accept", "decline"):
        refused(post(stranger, f"challenges/{made['id']}/{answer}"), "not_found")
        refused(post(first, f"challenges/{made['id']}/{answer}"), "not_allowed")
    refused(second.delete(f"{API}challenges/{made['id']}"), "not_allowed")


def test_accepting_seats_both_and_begins(first, second):
    made = challenged(first)
    for _ in range(2):  # again is no error
        answer = post(second, f"challenges/{made['id']}/accept")
        assert answer.json()["status"] == "accepted", answer.content
    match = get(second, f"matches/{made['id']}").json()
    assert (match["status"], match["your_seats"]) == ("active", [1])
    assert [seat["name"] for seat in match["seats"]] == ["Ada", "Ben"]
    told = refused(post(second, f"challenges/{made['id']}/decline"), "challenge_is_over")
    assert told["ending"] == "accepted"
    refused(first.delete(f"{API}challenges/{made['id']}"), "challenge_is_over")


def test_declined_for_a_reason_it_is_over(first, second):
    made = challenged(first)
    answer = post(second, f"challenges/{made['id']}/decline", {"reason": "time"}).json()
    assert (answer["status"], answer["reason"]) == ("declined", "time")
    assert Match.objects.get().status == "aborted"
    again = post(second, f"challenges/{made['id']}/decline", {"reason": "busy"}).json()
    assert again["reason"] == "time"
    refused(post(second, f"challenges/{made['id']}/accept"), "challenge_is_over")
    refused(post(second, f"challenges/{made['id']}/decline", {"reason": "no"}), "malformed")


def test_a_program_that_knows_only_invitations_answers_it(first, second):
    """Versions of the client that are out join and leave the match of the news."""
    one, other = challenged(first), challenged(first)
    assert post(second, f"matches/{one['id']}/join").json()["status"] == "active"
    assert status(first, one) == "accepted"
    post(second, f"matches/{other['id']}/leave", {"reason": "game"})
    assert status(first, other) == "declined"
    assert Match.objects.get(id=other["id"]).status == "aborted"


def test_withdrawn(first, second):
    made = challenged(first)
    for _ in range(2):
        assert first.delete(f"{API}challenges/{made['id']}").status_code == 204
    assert status(second, made) == "withdrawn"
    refused(post(second, f"challenges/{made['id']}/accept"), "challenge_is_over")


def test_it_expires_also_before_the_beat(first, second):
    made = challenged(first, expires_in=60)
    assert challenges.expire_all() == 0
    passed(made)
    told = refused(post(second, f"challenges/{made['id']}/accept"), "challenge_is_over")
    assert told["ending"] == "expired"
    refused(post(second, f"matches/{made['id']}/join"), "match_not_open")
    assert (challenges.expire_all(), challenges.expire_all()) == (1, 0)
    assert status(first, made) == status(second, made) == "expired"
    assert Match.objects.get().status == "aborted"


def test_a_key_makes_one_challenge_whatever_becomes_of_it(first, second):
    made = post(first, "challenges", SLOW, Idempotency_Key="1").json()
    post(second, f"challenges/{made['id']}/decline")
    again = post(first, "challenges", SLOW, Idempotency_Key="1")
    assert (again.status_code, again.json()["id"]) == (201, made["id"])
    assert again.json()["status"] == "declined"
    refused(post(first, "challenges", SLOW | {"pace": "blitz"}, Idempotency_Key="1"), "key_reused")
    turned = {**SLOW, "username": "ada"}
    assert post(second, "challenges", turned, Idempotency_Key="1").status_code == 201
    assert Match.objects.count() == 2


def test_a_computer_accepts_at_once(first):
    made = post(first, "challenges", {"bot": "greedy", "game": "pisti"}).json()
    assert made["status"] == "accepted"
    assert made["challenged"]["username"] is None
    assert Match.objects.get().status == "active"


def test_computers_play_the_seats_beyond_two(first, second):
    four = {"game": "pisti", "preset": None, "seats": 4, "computers": "greedy"}
    made = challenged(first, **four)
    assert (made["seats"], made["seat"], made["challenged_seat"]) == (4, 0, 1)
    post(second, f"challenges/{made['id']}/accept")
    names = [seat["kind"] for seat in get(first, f"matches/{made['id']}").json()["seats"]]
    assert names == ["user", "user", "bot", "bot"]


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"username": "nobody"}, "unknown_user"),
        ({"username": "ada"}, "bad_seats"),
        ({"preset": "odd"}, "bad_options"),
        ({"seats": 4}, "bad_seats"),
        ({"seat": 2}, "bad_seats"),
        ({"game": "pazaak", "preset": None, "seats": 3}, "bad_seats"),
        ({"bot": "greedy"}, "malformed"),
        ({"pace": "bullet"}, "malformed"),
        ({"expires_in": 1}, "malformed"),
        ({"mirrored": True, "game": "pyanitsa", "preset": None}, "cannot_be_mirrored"),
        ({"clock": {"bank": 1}}, "bad_options"),
    ],
)
def test_which_challenges_are_refused(first, second, terms, code):
    refused(post(first, "challenges", SLOW | terms), code)
    assert not Challenge.objects.exists()
    assert not Match.objects.exists()


def test_a_guest_is_not_challenged_to_a_rated_match(first, guest):
    terms = SLOW | {"username": guest.username, "rated": True}
    refused(post(first, "challenges", terms), "cannot_be_rated")


def test_blocked_people_do_not_challenge(first, second, ada, ben):
    waiting = challenged(first)
    services.block(owner=ben, blocked=ada.pk)
    assert status(first, waiting) == "declined"
    refused(post(first, "challenges", SLOW), "no_more_invitations")
    refused(post(second, "challenges", SLOW | {"username": "ada"}), "invited_is_blocked")


def test_who_hides_looks_like_nobody(first, ben):
    Privacy.objects.create(account=ben, hides_profile=True)
    hidden = refused(post(first, "challenges", SLOW), "unknown_user")
    nobody = refused(post(first, "challenges", SLOW | {"username": "nobody"}), "unknown_user")
    assert hidden["detail"].replace("'ben'", "") == nobody["detail"].replace("'nobody'", "")


def test_as_many_as_invitations(first, second, settings):
    settings.LIMITS = settings.LIMITS | {"invitations": 1}
    challenged(first)
    refused(post(first, "challenges", SLOW), "too_many_invitations")


def test_its_seat_is_given_to_nobody_else(first, second, stranger):
    made = challenged(first)
    for to in ({"open": True}, {"bot": "greedy"}, {"username": "cleo"}):
        refused(post(first, f"matches/{made['id']}/invite", {"seat": 1} | to), "not_allowed")


def test_a_challenge_as_text(first, second):
    made = challenged(first)
    told = get(second, "challenges", Accept="text/plain").content.decode()
    assert told == f"{made['id']}  Ada challenges Ben: pisti, waiting.\n"
    one = get(second, f"challenges/{made['id']}", Accept="text/plain").content.decode()
    assert one == told


def test_old_ones_are_forgotten(first, second):
    challenged(first)
    Challenge.objects.update(created_at=timezone.now() - challenges.KEPT)
    assert (challenges.forget_challenges(), Challenge.objects.count(), Match.objects.count()) == (
        1,
        0,
        1,
    )
