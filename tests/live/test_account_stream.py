"""The stream of an account: what waits for it, then each piece of news once."""

from datetime import UTC, datetime, timedelta

import pytest

from games.coaching import analyses
from games.idle import ending
from games.live import hub
from games.live.news import cursor_from
from games.matches.models import Match
from tests.api.calls import API, get, move, new_match, post, read, refused
from tests.live.conftest import LINES
from tests.matches.scenes import opened, played, resigned
from tests.patience import WAITING

pytestmark = WAITING


@pytest.fixture
def third(cleo, keyed):
    """Cleo's program."""
    return keyed(cleo)


def told(heard, number):
    return [
        (news["type"], news.get("match"), news.get("version"))
        for news in map(heard.next, [None] * number)
    ]


def test_the_life_of_a_match_is_told(listen, transactional_db, first, second):
    heard = listen(second, "stream", Accept=LINES)
    assert heard.next() | {"id": ""} == {"type": "hello", "id": "", "waiting": []}
    match = new_match(first, "me, user Ben")
    id_ = match["id"]
    assert told(heard, 1) == [("invited", id_, 0)]
    post(second, f"matches/{id_}/join")
    assert told(heard, 1) == [("started", id_, 0)]
    match = move(first, read(first, match)).json()
    assert told(heard, 1) == [("your_turn", id_, 1)]
    post(first, f"matches/{id_}/resign")
    assert told(heard, 1) == [("finished", id_, 2)]
    again = post(first, f"matches/{id_}/rematch").json()
    news = heard.next()
    assert (news["type"], news["match"], news["previous"]) == ("rematch", again["id"], id_)


def test_an_invitation_is_declined_sent_again_and_withdrawn(
    listen, transactional_db, first, second, third
):
    host, guest, other = (listen(each, "stream", Accept=LINES) for each in (first, second, third))
    for heard in (host, guest, other):
        heard.next("hello")
    id_ = new_match(first, "me, user Ben", visibility="private")["id"]
    assert guest.next()["type"] == "invited"
    for reason in ("time", "busy"):  # said again it is told once
        answer = post(second, f"matches/{id_}/leave", {"reason": reason})
        assert answer.json()["seats"][1]["declined"] == "time"
    news = host.next()
    told_to_host = {name: news[name] for name in ("type", "match", "seat", "reason")}
    assert told_to_host == {"type": "declined", "match": id_, "seat": 1, "reason": "time"}
    late = listen(first, "stream", Accept=LINES).next("hello")
    assert [(each["type"], each["seat"]) for each in late["waiting"]] == [("declined", 1)]
    for name, heard in (("ben", guest), ("cleo", other)):
        for _ in range(2):
            answer = post(first, f"matches/{id_}/invite", {"seat": 1, "username": name})
            assert answer.status_code == 200
        assert heard.next()["type"] == "invited"
    assert guest.next()["type"] == "withdrawn"
    post(third, f"matches/{id_}/leave")
    assert host.next()["reason"] == "generic"
    post(first, f"matches/{id_}/invite", {"seat": 1, "bot": "random"})
    assert host.next()["type"] == "started"
    for heard in (guest, other):  # nothing but what a new match says
        new_match(first, "me, user Ben, user Cleo", options={"players": 3})
        assert heard.next()["type"] == "invited"


@pytest.mark.parametrize("more", [{"open": True}, {"bot": "random"}])
def test_what_was_withdrawn_meanwhile_is_told_once(listen, transactional_db, first, second, more):
    id_ = new_match(first, "me, user Ben")["id"]
    heard = listen(second, "stream")
    heard.next("hello")
    heard.close()
    post(first, f"matches/{id_}/invite", {"seat": 1} | more)
    again = listen(second, "stream", Last_Event_ID=heard.names[-1])
    assert again.next("hello")["waiting"] == []
    assert told(again, 1) == [("withdrawn", id_, 0)]
    again.close()
    third = listen(second, "stream", Last_Event_ID=again.names[-1])
    third.next("hello")
    new_match(second, "me, local Twin")
    assert told(third, 1)[0][0] == "started"


def test_withdrawn_by_a_computer_that_starts_the_match(listen, transactional_db, first, second):
    id_ = new_match(first, "me, user Ben")["id"]
    heard = listen(second, "stream")
    heard.next("hello")
    post(first, f"matches/{id_}/invite", {"seat": 1, "bot": "random"})
    assert told(heard, 1) == [("withdrawn", id_, 0)]


def test_called_off_is_not_finished(listen, transactional_db, first, second):
    heard = [listen(each, "stream") for each in (first, second)]
    for one in heard:
        one.next("hello")
    id_ = new_match(first, "me, user Ben")["id"]
    assert told(heard[1], 1) == [("invited", id_, 0)]
    post(first, f"matches/{id_}/leave")
    for one in heard:
        assert told(one, 1) == [("aborted", id_, 0)]


def test_a_host_without_a_seat_hears_who_declines(listen, transactional_db, first, second, third):
    heard = listen(first, "stream")
    heard.next("hello")
    id_ = new_match(first, "user Ben, user Cleo", visibility="private")["id"]
    post(second, f"matches/{id_}/leave", {"reason": "game"})
    assert told(heard, 1) == [("declined", id_, 0)]


def test_hello_says_what_waits(listen, transactional_db, first, second):
    mine = new_match(second, "me, local Twin")
    invitation = new_match(first, "me, user Ben")
    new_match(second, "me, open")
    waiting = listen(second, "stream").next()["waiting"]
    assert {(news["type"], news["match"]) for news in waiting} == {
        ("your_turn", mine["id"]),
        ("invited", invitation["id"]),
    }


def test_nobody_hears_of_others_matches(listen, transactional_db, first, second):
    heard = listen(second, "stream")
    heard.next()
    match = new_match(first, "me, local Twin")
    move(first, match)
    theirs = new_match(second, "me, local Twin")
    assert told(heard, 2) == [("started", theirs["id"], 0), ("your_turn", theirs["id"], 0)]


def test_resumed_it_tells_what_was_missed_and_nothing_twice(
    listen, transactional_db, first, second
):
    match = new_match(first, "me, user Ben")
    heard = listen(second, "stream")
    heard.next()
    post(second, f"matches/{match['id']}/join")
    assert told(heard, 1) == [("started", match["id"], 0)]
    heard.close()
    match = move(first, read(first, match)).json()
    lost = new_match(first, "me, user Ben")
    again = listen(second, "stream", Last_Event_ID=heard.names[-1])
    assert len(again.next("hello")["waiting"]) == 2
    assert told(again, 2) == [("your_turn", match["id"], 1), ("invited", lost["id"], 0)]
    again.close()
    third = listen(second, "stream", {"after": again.names[-1]})
    third.next("hello")
    post(second, f"matches/{lost['id']}/join")
    assert told(third, 1) == [("started", lost["id"], 0)]


def test_dropped_between_two_messages_the_second_is_told_again(
    listen, transactional_db, first, second
):
    """Each name says what was told up to it and no more."""
    heard = listen(second, "stream")
    heard.next()
    match = new_match(second, "me, local Twin")
    assert told(heard, 2)[1][0] == "your_turn"
    again = listen(second, "stream", Last_Event_ID=heard.names[1])
    again.next("hello")
    assert told(again, 1) == [("your_turn", match["id"], 0)]


def test_cut_off_behind_the_hello_nothing_is_lost(listen, transactional_db, first, second):
    """Missed messages follow the hello, whose id does not yet cover them."""
    heard = listen(second, "stream")
    heard.next()
    heard.close()
    match = new_match(first, "me, user Ben")
    again = listen(second, "stream", Last_Event_ID=heard.names[-1])
    assert told(again, 2)[1] == ("invited", match["id"], 0)
    third = listen(second, "stream", Last_Event_ID=again.names[0])
    third.next("hello")
    assert told(third, 1) == [("invited", match["id"], 0)]
    fourth = listen(second, "stream", Last_Event_ID=again.names[1])
    fourth.next("hello")
    post(second, f"matches/{match['id']}/join")
    assert told(fourth, 1) == [("started", match["id"], 0)]


def test_a_commit_that_took_long_is_told(listen, transactional_db, first, second, monkeypatch):
    """Its time is long past when it becomes visible."""
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 0.05)
    heard = listen(second, "stream")
    heard.next()
    monkeypatch.setattr("config.tasks.after_commit.announce", lambda *_: None)
    match = new_match(second, "me, open")
    long_ago = datetime.now(UTC) - timedelta(seconds=20)
    post(first, f"matches/{match['id']}/join")
    Match.objects.filter(pk=match["id"]).update(started_at=long_ago, updated_at=long_ago)
    assert told(heard, 1) == [("started", match["id"], 0)]


def test_what_nobody_announced_is_found(listen, transactional_db, first, second, monkeypatch):
    """A process killed between its commit and its announcement."""
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 0.1)
    heard = listen(second, "stream")
    heard.next()
    monkeypatch.setattr("config.tasks.after_commit.announce", lambda *_: None)
    match = new_match(first, "me, user Ben")
    assert told(heard, 1) == [("invited", match["id"], 0)]
    post(second, f"matches/{match['id']}/join")
    assert told(heard, 1) == [("started", match["id"], 0)]
    move(first, read(first, match))
    assert told(heard, 1) == [("your_turn", match["id"], 1)]


def test_a_name_that_no_message_had(transactional_db, first):
    for wrong in ("x", "12-1", "zz-00000000", "f" * 40):
        refused(get(first, "stream", {"after": wrong}), "malformed")
    assert cursor_from("18f-0000000a").keys == {10}


def unrated(first, second):
    """A match at version 1 in which Ben is to act."""
    match = new_match(first, "me, open")
    post(second, f"matches/{match['id']}/join")
    Match.objects.filter(id=match["id"]).update(rated=False)
    return move(first, read(first, match)).json()["id"]


def kinds(heard, number):
    return [news["type"] for news in map(heard.next, [None] * number)]


def test_a_round_that_somebody_wants_back(listen, transactional_db, first, second):
    id_ = unrated(first, second)
    here = f"matches/{id_}/take-back"
    asker, other = (listen(each, "stream", Accept=LINES) for each in (first, second))
    for heard in (asker, other):
        heard.next("hello")
    post(first, here, {"version": 1})
    news = other.next()
    assert (news["type"], news["match"], news["version"]) == ("take_back", id_, 1)
    assert (news["seat"], news["round"]) == (0, 1)
    late = listen(second, "stream", Accept=LINES).next("hello")
    assert {one["type"] for one in late["waiting"]} == {"your_turn", "take_back"}
    post(second, f"{here}/answer", {"version": 1, "accept": False})
    assert kinds(asker, 1) == ["take_back_declined"]
    post(second, here, {"version": 1})
    assert kinds(asker, 1) == ["take_back"]
    post(second, f"{here}/withdraw", {"version": 1})
    assert kinds(asker, 1) == ["take_back_withdrawn"]
    move(second, get(second, f"matches/{id_}").json())
    post(second, here, {"version": 2})
    assert sorted(kinds(asker, 2)) == ["take_back", "your_turn"]
    post(first, f"{here}/answer", {"version": 2, "accept": True})
    assert "take_back_accepted" in kinds(asker, 2)


def test_a_nudge(listen, transactional_db, first, second):
    id_ = unrated(first, second)
    heard, other = (listen(each, "stream", Accept=LINES) for each in (second, first))
    for each in (heard, other):
        each.next("hello")
    long_ago = datetime.now(UTC) - timedelta(days=2)
    Match.objects.filter(id=id_).update(updated_at=long_ago)
    assert ending.nudge_all() == 1
    news = heard.next()
    assert (news["type"], news["match"], news["version"]) == ("nudge", id_, 1)
    move(second, get(second, f"matches/{id_}").json())
    assert kinds(other, 1) == ["your_turn"]


TERMS = {"username": "ben", "game": "pazaak", "pace": "slow_1", "seat": 1}


def test_a_challenge_comes_with_its_terms(listen, transactional_db, first, second):
    host, guest = (listen(each, "stream", Accept=LINES) for each in (first, second))
    for heard in (host, guest):
        heard.next("hello")
    made = post(first, "challenges", TERMS).json()
    terms = {name: value for name, value in made.items() if name != "links"}
    news = guest.next()
    assert (news["type"], news["match"], news["seat"]) == ("challenge", made["id"], 0)
    assert news["challenge"] == terms
    late = listen(second, "stream", Accept=LINES).next("hello")
    assert [each["challenge"] for each in late["waiting"]] == [terms]
    post(second, f"challenges/{made['id']}/decline", {"reason": "busy"})
    news = host.next()
    assert (news["type"], news["match"], news["reason"]) == ("declined", made["id"], "busy")
    assert "challenge" not in news
    assert host.next()["type"] == "aborted"
    again = post(first, "challenges", TERMS).json()["id"]
    assert guest.next()["match"] == again
    first.delete(f"{API}challenges/{again}")
    assert (host.next()["type"], guest.next()["type"]) == ("aborted", "aborted")


def test_an_accepted_challenge_starts_for_both(listen, transactional_db, first, second):
    host, guest = (listen(each, "stream", Accept=LINES) for each in (first, second))
    for heard in (host, guest):
        heard.next("hello")
    made = post(first, "challenges", TERMS).json()
    assert guest.next()["type"] == "challenge"
    post(second, f"challenges/{made['id']}/accept")
    assert guest.next()["type"] == host.next()["type"] == "started"


def test_an_analysis_that_is_finished_is_told_to_who_asked_for_it(
    listen, transactional_db, ada, first, second, monkeypatch
):
    monkeypatch.setattr(analyses.judging, "PLAYOUTS", 16)
    match = resigned(played(opened(ada), 6), 0)
    heard, other = (listen(each, "stream", Accept=LINES) for each in (first, second))
    hello, _ = (each.next("hello") for each in (heard, other))
    post(first, f"matches/{match.id}/analysis")
    while analyses.find_analysis(match.id).status == "running":
        analyses.judge_for_a_while()
    news = heard.next("analysed")
    assert news["match"] == str(match.id)
    assert not {"verdicts", "choices", "seats"} & news.keys()
    new_match(first, "me, user Ben")
    assert other.next()["type"] == "invited"  # nothing before it
    late = listen(first, "stream", {"after": hello["id"]}, Accept=LINES)
    assert late.next("analysed")["match"] == str(match.id)
