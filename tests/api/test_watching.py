"""Watching without an account: the same as a signed-in spectator sees, within the same walls."""

import pytest

from accounts import services
from cardroom.rules import catalog
from games.lobby import finding
from tests.api.calls import get, new_match, post, refused
from tests.matches.scenes import opened, played
from tests.rules.short import short_options

READS = ("", "/events", "/saves", "/notices", "/rematch")


@pytest.fixture(params=["pisti", "shithead", "pyanitsa", "pazaak"])
def running(request, ada):
    match = opened(ada, "me, local Twin", request.param, visibility="public")
    return played(match, 4)


def test_nobody_learns_what_a_spectator_does_not(api, stranger, running):
    for path in READS:
        watched = get(api, f"matches/{running.id}{path}")
        assert watched.status_code == 200, path
        assert watched.json() == get(stranger, f"matches/{running.id}{path}").json(), path


def test_it_is_the_view_of_no_seat(api, running):
    told = get(api, f"matches/{running.id}").json()
    assert (told["your_seats"], told["acting_seat"], told["legal_moves"]) == ([], None, [])
    assert told["view"]["seat"] is None
    assert told["seed"] is None


def test_a_private_match_is_not_there(api, ada):
    match = opened(ada, visibility="private")
    for path in (*READS, "/record", "/stream"):
        refused(get(api, f"matches/{match.id}{path}"), "not_found")


def test_a_key_that_is_sent_has_to_be_right(holding, running):
    program = holding("0" * 64)
    for path in (*READS, "/stream"):
        refused(get(program, f"matches/{running.id}{path}"), "bad_key")


def test_acting_needs_somebody(api, running):
    for call in ("join", "leave", "resign", "rematch", "moves", "invite"):
        assert post(api, f"matches/{running.id}/{call}").status_code in (400, 401), call
    refused(post(api, "matches", {"game": "pisti", "seats": [{"kind": "me"}]}), "not_authenticated")
    refused(api.delete(f"/api/v1/matches/{running.id}/rematch"), "not_authenticated")


def test_the_list_has_the_public_ones_alone(api, ada):
    public = opened(ada, visibility="public")
    for visibility in ("unlisted", "private"):
        opened(ada, visibility=visibility)
    told = get(api, "matches", {"status": "active"}).json()["results"]
    assert [one["id"] for one in told] == [str(public.id)]
    assert get(api, "matches", {"mine": "true"}).json()["results"] == []


def test_a_line_says_by_what_rules_who_invited_and_how_many_watch(api, first, ada):
    new_match(first, "me, open", visibility="public", options={"target_score": 51})
    (told,) = get(api, "matches", {"joinable": "true"}).json()["results"]
    assert (told["options"]["target_score"], told["rated"], told["host"]) == (51, True, "Ada")
    assert told["watchers"] is None
    opened(ada, visibility="public")
    (told,) = get(api, "matches", {"status": "active"}).json()["results"]
    assert told["watchers"] == 0


def test_a_flood_is_stopped_by_address(api, running, rates):
    rates(anon="2/hour")
    path = f"matches/{running.id}"
    assert [get(api, path).status_code for _ in range(3)] == [200, 200, 429]


def test_the_record_of_a_match_that_is_over(api, ada):
    options = short_options(catalog.find("pisti"))
    match = played(opened(ada, options=options, visibility="public"))
    assert get(api, f"matches/{match.id}/record").json()["match"] == str(match.id)


class TestRematch:
    @pytest.fixture
    def over(self, first, second):
        match = new_match(first, "me, open", options={"target_score": 51})
        post(second, f"matches/{match['id']}/join")
        assert post(first, f"matches/{match['id']}/resign").status_code == 200
        return f"matches/{match['id']}/rematch"

    def test_who_wants_it_and_the_score(self, first, second, over):
        assert get(first, over).json() == {
            "match": None,
            "status": None,
            "wants": [],
            "awaited": [],
            "declined": [],
            "series": None,
        }
        asked = post(first, over).json()
        told = get(second, over).json()
        assert (told["match"], told["status"]) == (asked["id"], "open")
        assert (told["wants"], told["awaited"]) == ([0], [1])
        assert (told["series"]["matches"], told["series"]["wins"]) == (1, [0, 1])
        assert post(second, over).json()["status"] == "active"

    def test_no_twice_is_no_once(self, first, second, over):
        post(first, over)
        for _ in range(2):
            assert second.delete(f"/api/v1/{over}").status_code == 204
        told = get(first, over).json()
        assert (told["status"], told["declined"]) == ("aborted", [1])

    def test_as_text(self, first, second, over):
        assert get(first, over, Accept="text/plain").content == b"Nobody wants a rematch.\n"
        asked = post(first, over).json()
        told = get(second, over, Accept="text/plain").content.decode()
        assert told == (
            f"Rematch {asked['id']}: open\n"
            "  want it        Ada\n"
            "  not answered   Ben\n"
            "Series: Ada 0, Ben 1\n"
        )


def test_who_is_counted_is_not_named(db):
    somebody = services.open_guest()
    assert str(somebody.pk) not in finding.member(somebody.pk)
    assert finding.member("10.0.0.1") != finding.member("10.0.0.2")
    assert finding.member("10.0.0.1") == finding.member("10.0.0.1")


def test_nothing_is_known_without_valkey(settings, monkeypatch, running):
    settings.VALKEY_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(finding, "_not_before", 0.0)
    assert finding.watchers_of([running.id]) == {}
    assert finding.people_lately() is None
    monkeypatch.setattr(finding, "_not_before", 0.0)
