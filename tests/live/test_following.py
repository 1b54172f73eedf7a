"""One stream of an account with the moves of its matches, resumed by one name (issue 61, 7)."""

import pytest

from tests.api.calls import get, move, new_match, post, read, refused
from tests.live.conftest import LINES
from tests.patience import WAITING

pytestmark = WAITING


def following(listen, client, matches="mine", after="", **headers):
    query = f"stream?matches={matches}" + (f"&after={after}" if after else "")
    return listen(client, query, **{"Accept": LINES, **headers})


def moves(heard, number):
    """The next messages of moves, without the news between them."""
    return [heard.next("moves") for _ in range(number)]


def test_all_matches_that_one_plays_come_in_one_stream(listen, transactional_db, first, second):
    one = new_match(first, "me, local Twin")
    heard = following(listen, first)
    heard.next("hello")
    (begun,) = moves(heard, 1)
    assert (begun["match"], begun["version"], begun["events"]) == (one["id"], 0, [])
    assert begun["current"]["view"] == read(first, one)["view"]
    two = new_match(first, "me, local Twin", game="pyanitsa")
    assert moves(heard, 1)[0]["match"] == two["id"]
    one = move(first, read(first, one)).json()
    (told,) = moves(heard, 1)
    assert (told["match"], told["version"], told["is_over"]) == (one["id"], 1, False)
    assert [event["version"] for event in told["events"]] == [1] * len(told["events"])
    post(first, f"matches/{one['id']}/resign")
    (told,) = moves(heard, 1)
    assert (told["match"], told["is_over"]) == (one["id"], True)
    assert told["current"]["status"] == "finished"


def test_one_name_resumes_the_news_and_every_match(listen, transactional_db, first, second):
    one = new_match(first, "me, local Twin")
    two = new_match(first, "me, local Twin")
    heard = following(listen, first)
    name = moves(heard, 2)[-1]["id"]
    heard.close()
    for _ in range(2):
        one = move(first, read(first, one)).json()
    post(first, f"matches/{two['id']}/resign")
    again = following(listen, first, after=name)
    again.next("hello")
    seen, news = {}, set()
    while len(seen) < 2 or "finished" not in news:
        message = again.next()
        news.add(message["type"])
        if message["type"] == "moves":
            last = seen[message["match"]] = message
    assert {event["version"] for event in seen[one["id"]]["events"]} == {1, 2}
    assert seen[two["id"]]["is_over"]
    third = following(listen, first, after=last["id"])
    third.next("hello")
    assert moves(third, 1)[0]["events"] == []


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_a_match_of_others_is_seen_as_a_watcher_sees_it(
    listen, transactional_db, first, second, visibility
):
    """No hand of anybody comes, and of a private match nothing at all."""
    match = new_match(first, "me, local Twin", visibility=visibility)
    own = new_match(second, "me, local Twin")
    heard = following(listen, second, f"{match['id']},{own['id']}")
    heard.next("hello")
    told = {one["match"]: one for one in moves(heard, 2 if visibility == "public" else 1)}
    if visibility == "private":
        assert set(told) == {own["id"]}
        return
    assert (
        told[match["id"]]["current"]["view"] == get(second, f"matches/{match['id']}").json()["view"]
    )
    move(first, read(first, match))
    (after,) = moves(heard, 1)
    assert (after["match"], after["version"]) == (match["id"], 1)
    assert after["current"]["legal_moves"] == []


def test_without_matches_there_are_no_moves(listen, transactional_db, first):
    match = new_match(first, "me, local Twin")
    heard = listen(first, "stream", Accept=LINES)
    heard.next("hello")
    post(first, f"matches/{match['id']}/resign")
    assert heard.next()["type"] == "finished"


@pytest.mark.parametrize("matches", ["all", "mine,mine", "x" * 36, ",".join(["0" * 36] * 21)])
def test_other_filters_are_refused(db, first, matches):
    refused(get(first, "stream", {"matches": matches}), "malformed")
