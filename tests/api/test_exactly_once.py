"""A move is applied once, however often and by however many it is sent at the same moment."""

import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connections

from games.matches import verification
from games.matches.models import Ply
from games.matches.selectors.access import get_match
from tests.api.calls import move, new_match, post, read

RACES = int(os.environ.get("RACES", "15"))

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def at_once():
    """Makes calls from threads that set off together; their answers in the same order."""
    with ThreadPoolExecutor(8) as threads:

        def run(*calls: Callable[[], Any]) -> list[Any]:
            start = Barrier(len(calls))
            return list(threads.map(lambda call: (start.wait(), call())[1], calls))

        yield run
        leave = Barrier(8)
        list(threads.map(lambda _: (leave.wait(), connections.close_all()), range(8)))


def statuses(answers):
    return sorted(answer.status_code for answer in answers)


def test_of_two_moves_for_one_version_one_is_applied(ada, keyed, at_once):
    """1,000 of 1,000 with RACES=1000."""
    first, second = keyed(ada), keyed(ada)
    match = new_match(first, preset="single")
    told = Counter()
    for _ in range(RACES):
        if match["status"] != "active":
            assert list(verification.faults(get_match(match["id"]))) == []
            match = new_match(first, preset="single")
        one, other = match["legal_moves"][0]["move"], match["legal_moves"][-1]["move"]
        answers = at_once(partial(move, first, match, one), partial(move, second, match, other))
        told[tuple(statuses(answers))] += 1
        refusal = next(answer for answer in answers if answer.status_code == 409)
        assert refusal.json()["code"] in ("stale_version", "match_not_active")
        after = read(first, match)
        assert after["version"] == match["version"] + 1
        match = after
    assert told == {(201, 409): RACES}


def test_eight_at_once_with_one_key_get_the_one_answer(ada, keyed, at_once):
    programs = [keyed(ada) for _ in range(8)]
    match = new_match(programs[0])
    for key in "abcde":
        calls = [partial(move, program, match, key=key) for program in programs]
        answers = at_once(*calls)
        assert statuses(answers) == [201] * 8
        assert len({answer.content for answer in answers}) == 1
        match = read(programs[0], match)
    assert match["version"] == 5
    assert Ply.objects.filter(match_id=match["id"]).count() == 6


def test_both_sides_of_an_exchange_at_once(ada, ben, keyed, at_once):
    """shithead R5: seats that act at once do not collide."""
    first, second = keyed(ada), keyed(ben)
    for _ in range(20):
        opened = new_match(first, "me, open", "shithead")
        match = post(second, f"matches/{opened['id']}/join").json()
        assert (match["version"], match["to_act"]) == (0, [0, 1])
        swaps = [read(client, match)["legal_moves"][1]["move"] for client in (first, second)]
        answers = at_once(
            partial(move, first, match, swaps[0]), partial(move, second, match, swaps[1])
        )
        assert statuses(answers) == [201, 201]
        assert sorted(answer.json()["version"] for answer in answers) == [1, 2]


def test_two_who_take_the_last_seat(ada, ben, cleo, keyed, at_once):
    first, second = keyed(ben), keyed(cleo)
    for _ in range(10):
        match = new_match(keyed(ada), "me, open")
        join = f"matches/{match['id']}/join"
        answers = at_once(partial(post, first, join), partial(post, second, join))
        assert statuses(answers) == [200, 409]


def test_one_who_takes_two_seats_at_once(ada, ben, keyed, at_once):
    program, again = keyed(ben), keyed(ben)
    match = new_match(keyed(ada), "me, open, open", options={"players": 3})
    join = f"matches/{match['id']}/join"
    answers = at_once(
        partial(post, program, join, {"seat": 1}), partial(post, again, join, {"seat": 2})
    )
    assert statuses(answers) == [200, 409]
    assert read(program, match)["status"] == "open"


def test_a_move_and_a_resignation(ada, keyed, at_once):
    program, again = keyed(ada), keyed(ada)
    for _ in range(10):
        match = new_match(program)
        answers = at_once(
            partial(move, program, match),
            partial(post, again, f"matches/{match['id']}/resign", {"seat": 1}),
        )
        assert answers[1].status_code == 200
        assert read(program, match)["version"] == 1 + (answers[0].status_code == 201)
        assert list(verification.faults(get_match(match["id"]))) == []


def test_two_rematches_are_one(ada, ben, keyed, at_once):
    first, second = keyed(ada), keyed(ben)
    match = new_match(first, "me, open")
    post(second, f"matches/{match['id']}/join")
    post(first, f"matches/{match['id']}/resign")
    again = f"matches/{match['id']}/rematch"
    answers = at_once(partial(post, first, again), partial(post, second, again))
    assert statuses(answers) == [201, 201]
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert "active" in {answer.json()["status"] for answer in answers}
