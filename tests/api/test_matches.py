"""The calls of a match; their answers stand field by field in `test_recorded_answers`."""

from datetime import datetime, timedelta
from uuid import UUID

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import services
from cardroom.rules import catalog
from config.api.json import BODY_LIMIT
from decks.models import Deck
from games.language import card_text
from games.matches import overdue
from games.matches.models import Match
from tests.api.calls import API, get, move, new_match, played, post, read, refused
from tests.rules.short import short_options


def body_of(answer):
    """The body of the answer without the id of its request."""
    body = answer.json()
    return body | {"request_id": ""} if isinstance(body, dict) else body


def call(match, name):
    return f"matches/{match['id']}/{name}"


NOTHING_YET = {"game": "pisti", "version": 0, "events": []}


class TestOpening:
    @pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
    def test_every_game_and_all_its_presets(self, first, game):
        for name, preset in game.presets.items():
            seats = ", ".join(["me"] + ["local"] * (game.seats(preset) - 1))
            match = new_match(first, seats, game.slug, preset=name)
            assert match["view"]["seat"] == match["acting_seat"] in match["to_act"]
            assert match["options"] == msgspec.to_builtins(preset)

    def test_faults_of_a_deck_are_named_each(self, first, ada):
        deck = Deck.objects.create(owner=ada, name="Plus", cards=["P1"] * 10)
        seats = [{"kind": "me", "deck": str(deck.id)}, {"kind": "local"}]
        body = {"game": "pazaak", "seats": seats, "options": {"max_copies": 2}}
        assert refused(post(first, "matches", body), "bad_deck")["faults"]


class TestReading:
    def test_the_acting_seat_by_default_and_another_of_ones_own(self, first):
        match = new_match(first)
        moved = move(first, match).json()
        assert (moved["acting_seat"], moved["view"]["seat"], moved["legal_moves"]) == (0, 0, [])
        match = read(first, match)
        assert (match["acting_seat"], match["view"]["seat"]) == (1, 1)
        assert match["legal_moves"]
        other = read(first, match, seat=0)
        assert (other["acting_seat"], other["view"]["seat"], other["legal_moves"]) == (0, 0, [])

    def test_not_through_anothers_eyes(self, first, stranger):
        match = new_match(first, "me, bot greedy")
        for client, seat in ((stranger, 0), (first, 1), (first, 9)):
            refused(get(client, f"matches/{match['id']}", {"seat": seat}), "not_your_seat")

    def test_a_seat_is_a_number(self, first):
        match = new_match(first)
        for seat in ("x", "-1", "1.5", "", "100"):
            refused(get(first, f"matches/{match['id']}", {"seat": seat}), "malformed")


class TestETag:
    def test_304_until_something_changes(self, first):
        match = new_match(first)
        path = f"matches/{match['id']}"
        tag = get(first, path)["ETag"]
        for said in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            answer = get(first, path, If_None_Match=said)
            assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", tag)
        move(first, match)
        answer = get(first, path, If_None_Match=tag)
        assert answer.status_code == 200
        assert answer["ETag"] != tag

    def test_someone_joining_is_a_change(self, first, second):
        match = new_match(first, "me, open, open", options={"players": 3})
        path = f"matches/{match['id']}"
        tag = get(first, path)["ETag"]
        post(second, call(match, "join"))
        assert get(first, path, If_None_Match=tag).status_code == 200

    def test_a_move_brings_the_tag_and_the_address_of_the_match(self, first, second):
        match = new_match(first, "me, open")
        joined = post(second, call(match, "join"))
        for client in (first, second):
            moved = move(client, read(client, match))
            assert moved["Location"] == match["links"]["self"]
            found = get(client, f"matches/{match['id']}", If_None_Match=moved["ETag"])
            assert found.status_code == 304
            assert get(client, f"matches/{match['id']}", If_None_Match=joined["ETag"]).content

    def test_each_reader_and_seat_has_its_own(self, first, stranger):
        path = f"matches/{new_match(first)['id']}"
        tags = {get(c, path, q)["ETag"] for c, q in ((first, {}), (first, {"seat": 1}))}
        assert len(tags | {get(stranger, path)["ETag"]}) == 3

    def test_a_tag_opens_nothing(self, first, stranger):
        path = f"matches/{new_match(first, visibility='private')['id']}"
        refused(get(stranger, path, If_None_Match=get(first, path)["ETag"]), "not_found")


class TestJoiningAndLeaving:
    def test_refused(self, first, second, stranger):
        match = new_match(first, "me, open, user ben", options={"players": 3})
        before = read(first, match)
        refused(post(first, call(match, "join")), "already_seated")
        for seat in (0, 2, 7):
            refused(post(stranger, call(match, "join"), {"seat": seat}), "seat_taken")
        refused(post(stranger, call(match, "join"), {"deck": "?"}), "unknown_deck")
        assert read(first, match) == before
        post(stranger, call(match, "join"))
        refused(post(stranger, call(match, "join")), "already_seated")


class TestResigning:
    def test_refused(self, first, stranger):
        match = new_match(first, "me, bot greedy")
        refused(post(stranger, call(match, "resign")), "not_your_seat")
        refused(post(first, call(match, "resign"), {"seat": 1}), "not_your_seat")
        refused(post(first, call(new_match(first, "me, open"), "resign")), "match_not_active")
        assert read(first, match) == match


class TestRematch:
    def test_refused(self, first, stranger):
        match = new_match(first)
        post(first, call(match, "resign"))
        refused(post(stranger, call(match, "rematch")), "not_allowed")


class TestEvents:
    def test_in_pages_of_whole_versions(self, first):
        match = played(first, new_match(first), 10)
        every = get(first, call(match, "events"), {"limit": 100, "seat": 0}).json()["events"]
        paged, after = [], -1
        while after < match["version"]:
            query = {"after": after, "limit": 3, "seat": 0}
            paged += get(first, call(match, "events"), query).json()["events"]
            after += 3
        assert paged == every
        assert {event["version"] for event in every} == set(range(11))

    def test_malformed(self, first):
        events = call(new_match(first), "events")
        queries = ({"after": "x"}, {"after": -2}, {"limit": 0}, {"limit": 101}, {"seat": "me"})
        for query in (*queries, {"seat": "null"}):
            refused(get(first, events, query), "malformed")
        refused(get(first, "exports/matches", {"since": "0.5"}), "malformed")

    def test_none_before_the_deal_and_none_after_the_last(self, first):
        match = new_match(first, "me, open")
        assert get(first, call(match, "events")).json() == NOTHING_YET
        late = {"after": 2**31 - 1}
        assert get(first, call(new_match(first), "events"), late).json()["events"] == []


class TestSavesAndLoads:
    def test_saves(self, first):
        match = new_match(first, game="pazaak")
        assert get(first, call(new_match(first, "me, open"), "saves")).json() == []
        match = played(first, match, 30)
        saves = get(first, call(match, "saves")).json()
        assert [set(save) for save in saves] == [
            {"round", "version", "opened_at", "closed_at", "scores"}
        ] * match["round"]
        assert [save["round"] for save in saves] == list(range(match["round"], 0, -1))
        assert saves[-1]["version"] == 0

    def test_load(self, first):
        match = played(first, new_match(first), 50)
        for point in ({"round": 2}, {"version": 31}):
            for cards in ("same", "reshuffled"):
                answer = post(first, call(match, "load"), point | {"cards": cards})
                assert answer.status_code == 201
                new = answer.json()
                assert (new["parent"], new["rated"]) == (match["id"], False)
                assert new["parent_version"] == new["version"] == (31 if "version" in point else 48)
        assert read(first, match) == match

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            ({"cards": "same"}, "bad_save"),
            ({"round": 9, "cards": "same"}, "bad_save"),
            ({"version": 9, "cards": "same"}, "bad_save"),
            ({"round": 1, "version": 0, "cards": "same"}, "bad_save"),
            ({"round": 1, "cards": "new"}, "malformed"),
            ({"round": 2**40, "cards": "same"}, "malformed"),
        ],
    )
    def test_refused(self, first, body, code):
        match = new_match(first)
        refused(post(first, call(match, "load"), body), code)
        assert Match.objects.count() == 1


class TestRecord:
    @pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
    def test_it_is_believed(self, first, game):
        match = played(first, new_match(first, game=game.slug, options=short_options(game)))
        found = get(first, call(match, "record")).json()
        answer = post(first, "records/verify", found)
        assert (answer.status_code, answer.json()) == (200, {"valid": True})
        found["outcome"]["points"][0] += 1
        told = post(first, "records/verify", found).json()
        assert set(told) == {"valid", "round", "move", "fault"}
        assert (told["valid"], told["round"], told["move"]) == (False, None, None)
        found = get(first, call(match, "record")).json()
        found["rounds"][0]["moves"][1] = "0 nonsense"
        told = post(first, "records/verify", found).json()
        assert (told["valid"], told["round"], told["move"]) == (False, 1, 1)

    def test_anybody_may_check_one(self, api, first):
        match = played(first, new_match(first, preset="single"))
        found = get(first, call(match, "record")).json()
        assert post(api, "records/verify", found).json() == {"valid": True}

    def test_one_longer_than_other_bodies_may_be(self, first):
        match = played(first, new_match(first, preset="single"))
        found = get(first, call(match, "record")).content
        for length, status in ((BODY_LIMIT + 1, 200), (2 * 1024**2, 200), (2 * 1024**2 + 1, 413)):
            body = found.ljust(length)
            answer = first.post(API + "records/verify", body, content_type="application/json")
            assert answer.status_code == status
        assert refused(answer, "body_too_large")["limit"] == 2 * 1024**2

    @pytest.mark.parametrize("body", [{}, [], "x", None, 7, {"format": "cardroom-record/2"}])
    def test_what_is_no_record_is_not_valid(self, first, body):
        answer = first.post("/api/v1/records/verify", body, format="json")
        assert answer.status_code in (200, 400)
        if answer.status_code == 200:
            assert answer.json()["valid"] is False


class TestStrangers:
    def test_a_private_match_is_not_there(self, first, stranger):
        match = new_match(first, visibility="private")
        calls = [
            *((get, tail) for tail in ("", "/events", "/saves", "/record")),
            *((post, tail) for tail in ("/join", "/leave", "/resign", "/rematch")),
        ]
        for asked, tail in calls:
            found = refused(asked(stranger, f"matches/{match['id']}{tail}"), "not_found")
            none = refused(asked(stranger, f"matches/{UUID(int=7)}{tail}"), "not_found")
            assert found | {"request_id": ""} == none | {"request_id": ""}, tail
            assert read(first, match) == match, tail

    def test_nor_for_moves_and_loads(self, first, stranger):
        match = new_match(first, visibility="private")
        refused(move(stranger, match), "not_found")
        body = {"round": 1, "cards": "reshuffled"}
        refused(post(stranger, call(match, "load"), body), "not_found")
        assert read(first, match) == match

    def test_the_invited_and_the_seated_see_it(self, first, second):
        match = new_match(first, "me, user ben", visibility="private")
        assert read(second, match)["status"] == "open"
        post(second, call(match, "join"))
        assert read(second, match)["your_seats"] == [1]

    @pytest.mark.parametrize(
        "place",
        ["matches/nonsense", "nowhere", "matches/1/moves", "matches/%0A1", "%0A"],
    )
    def test_an_address_that_is_none(self, first, place):
        refused(get(first, place), "not_found")


WATCHING = [
    *("matches", "matches/{id}", "matches/{id}/events", "matches/{id}/saves"),
    "matches/{id}/record",
]
ACTING = [
    *("matches", "matches/{id}/join", "matches/{id}/leave", "matches/{id}/resign"),
    *("matches/{id}/rematch", "matches/{id}/load"),
]


class TestAnonymous:
    @pytest.mark.parametrize("key", [None, "nonsense"])
    def test_no_key_and_a_bad_one(self, api, holding, first, key):
        match = new_match(first)
        client = api if key is None else holding(key)
        for path in ACTING:
            answer = post(client, path.format(id=match["id"]))
            refused(answer, "not_authenticated" if key is None else "bad_key")
            assert answer["WWW-Authenticate"].endswith("Token"), path

    def test_a_bad_key_is_refused_where_none_is_needed(self, holding, first):
        match, program = new_match(first), holding("nonsense")
        for path in WATCHING:
            answer = get(program, path.format(id=match["id"]))
            refused(answer, "bad_key")
            assert answer["WWW-Authenticate"] == "Token", path

    def test_without_a_key_one_reads_what_any_stranger_does(self, api, stranger, first):
        for match in (new_match(first), new_match(first, visibility="private")):
            for path in WATCHING:
                mine, theirs = (get(c, path.format(id=match["id"])) for c in (api, stranger))
                assert mine.status_code == theirs.status_code, path
                assert body_of(mine) == body_of(theirs), path

    @pytest.mark.parametrize("key", [None, "nonsense"])
    def test_nor_for_moves_whether_the_match_is_there_or_not(self, api, holding, first, key):
        client = api if key is None else holding(key)
        match = new_match(first)
        for place in (match, match | {"id": str(UUID(int=7))}):
            answer = move(client, place)
            refused(answer, "not_authenticated" if key is None else "bad_key")
            assert answer["WWW-Authenticate"].endswith("Token")

    @pytest.mark.parametrize("path", ["games", "schema", "docs"])
    def test_what_anybody_may_read(self, api, db, path):
        assert get(api, path).status_code == 200

    def test_a_revoked_and_an_expired_key(self, ada, holding, time_machine):
        key, secret = services.issue_key(user=ada)
        client = holding(secret)
        match = new_match(client)
        time_machine.move_to(timezone.now() + timedelta(days=3650))
        refused(get(client, "matches"), "bad_key")
        time_machine.move_to(timezone.now() - timedelta(days=3650))
        services.revoke_key(user=ada, key_id=key.pk)
        refused(move(client, match), "bad_key")


class TestTime:
    def test_given_and_taken_back(self, first, second, time_machine):
        terms = {"turn_seconds": 60, "on_timeout": "bot_takes_over"}
        match = new_match(first, "me, open", **terms)
        match = post(second, call(match, "join")).json()
        assert (match["on_timeout"], match["rated"]) == ("bot_takes_over", False)
        given = post(second, call(match, "time"), {"seconds": 30}).json()
        until = datetime.fromisoformat(given["deadline_at"])
        assert until == datetime.fromisoformat(match["deadline_at"]) + timedelta(seconds=30)
        time_machine.move_to(until + timedelta(seconds=1))
        overdue.resend_overdue()
        (handed, _) = read(first, match)["seats"]
        assert (handed["can_return"], bool(handed["bot"])) == (True, True)
        (back, _) = post(first, call(match, "reclaim")).json()["seats"]
        assert (back["can_return"], back["bot"]) == (False, None)


class TestDeclining:
    def test_the_reason_is_for_the_host(self, first, second, stranger):
        match = new_match(first, "me, user Ben", visibility="public")
        assert post(second, f"matches/{match['id']}/leave", {"reason": "time"}).status_code == 200
        for client, reason in ((first, "time"), (second, "time"), (stranger, "generic")):
            assert read(client, match)["seats"][1]["declined"] == reason
            (line,) = get(client, "matches", {"status": "open"}).json()["results"]
            assert line["seats"][1]["declined"] == reason
        assert get(stranger, "matches", {"joinable": True}).json()["results"] == []
        refused(post(stranger, f"matches/{match['id']}/join"), "seat_taken")


# `GET matches`: who finds what, page by page.


def test_which_clock_a_match_has(first):
    clock = {"bank": 600, "increment": 5}
    timed, slow = new_match(first, clock=clock), new_match(first, turn_seconds=86400)
    listed = {row["id"]: row for row in get(first, "matches").json()["results"]}
    assert listed[timed["id"]]["clock"] == clock
    assert "clock" not in listed[slow["id"]]


class TestPages:
    def test_cursors_lead_through_all_of_them(self, first):
        made = [new_match(first)["id"] for _ in range(7)][::-1]
        seen, path = [], "/api/v1/matches?limit=3&mine=true"
        while path:
            told = first.get(path).json()
            assert len(told["results"]) <= 3
            seen += [match["id"] for match in told["results"]]
            path = told["next"]
        assert seen == made

    def test_a_match_made_meanwhile_shifts_nothing(self, first):
        made = [new_match(first)["id"] for _ in range(4)][::-1]
        told = get(first, "matches", {"limit": 2}).json()
        new_match(first)
        assert [m["id"] for m in first.get(told["next"]).json()["results"]] == made[2:]

    @pytest.mark.parametrize(
        "query",
        [
            *({"limit": wrong} for wrong in ("0", "101", "-1", "x", "1.5", "")),
            *({"cursor": wrong} for wrong in ("x", "%00", "AAAA", "ä", "x" * 2000, "bm8")),
            *({"mine": "maybe"}, {"joinable": "2"}, {"status": "lost"}),
        ],
    )
    def test_malformed(self, first, query):
        refused(get(first, "matches", query), "malformed")

    def test_a_page_costs_the_same_however_long(self, first):
        counts = []
        for many in (1, 9):
            for _ in range(many):
                new_match(first)
            with CaptureQueriesContext(connection) as seen:
                get(first, "matches", {"limit": 100})
            counts.append(len(seen))
        assert counts[0] == counts[1] <= 4


# Answers as text: the whole match, with tokens that one can type.

TEXT = {"Accept": "text/plain"}
UNKNOWN = "00000000-0000-7000-8000-000000000000"


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_a_match_is_told_with_its_moves(first, stranger, game):
    match = new_match(first, game=game.slug, options=short_options(game))
    answer = get(first, f"matches/{match['id']}", **TEXT)
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    told = answer.content.decode()
    assert told.startswith(f"{game.name}, round 1, version 0, active\n")
    for legal in match["legal_moves"]:
        assert f"\n  {legal['move']:<12} {legal['label']}\n" in told
    body = {"move": match["legal_moves"][0]["move"], "version": 0}
    moved = post(first, f"matches/{match['id']}/moves", body, **TEXT).content.decode()
    assert ", version 1, " in moved
    events = get(first, f"matches/{match['id']}/events", **TEXT).content.decode()
    assert events.endswith("The match is at version 1.\n")
    assert len(events.splitlines()) > 1
    foreign = get(stranger, f"matches/{match['id']}", **TEXT).content.decode()
    assert "It is not your turn." in foreign


def test_lists_games_and_rules(first, client):
    match = new_match(first)
    assert f"{match['id']}  pisti, active: " in get(first, "matches", **TEXT).content.decode()
    games = get(first, "games", **TEXT).content.decode()
    assert all(f"{game.slug}: {game.name}." in games for game in catalog.GAMES)
    for game in catalog.GAMES:
        rules = client.get(f"/games/{game.slug}/rules", headers=TEXT).content.decode()
        assert rules.startswith("# ")


def test_json_unless_text_is_named(first):
    often = "application/json, text/plain, */*"  # as a well-known library asks for anything
    for accept in ("*/*", "application/json", "text/html", often):
        assert get(first, "games", Accept=accept)["Content-Type"] == "application/json"
        answer = first.get(API + "matches/nothing", headers={"Accept": accept})
        assert answer["Content-Type"] == "application/problem+json"


class TestErrors:
    """Where text is accepted, a refusal is text too, with all that helps a person."""

    def lines(self, answer):
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        told = answer.content.decode().splitlines()
        assert told[-1] == f"request: {answer['X-Request-Id']}"
        return told[:-1]

    def test_anywhere(self, first, api, db):
        for client, path, title in (
            (first, "matches/nothing", "Not found (404 not_found)"),
            (api, "decks", "Not signed in (401 not_authenticated)"),
            (first, "matches?limit=0", "Malformed request (400 malformed)"),
        ):
            assert self.lines(client.get(API + path, headers=TEXT))[0] == title

    def test_a_wrong_move_names_the_legal_ones(self, first):
        match = new_match(first)
        held = {legal["move"] for legal in match["legal_moves"]}
        card = next(card for card in ("7H", "8H", "9H", "TH", "JH") if card not in held)
        body = {"move": card, "version": 0}
        told = self.lines(post(first, f"matches/{match['id']}/moves", body, **TEXT))
        assert told[0] == "Illegal move (422 illegal_move)"
        assert told[1].endswith(".")
        for legal in match["legal_moves"]:
            assert f"  {legal['move']:<12} {legal['label']}" in told

    def test_in_the_readers_language(self, first):
        turkish = {**TEXT, "Accept-Language": "tr"}
        told = self.lines(get(first, f"matches/{UNKNOWN}", **turkish))
        assert told[1] == "Böyle bir maç yok ya da görmeye yetkin yok."


def test_a_match_in_another_language(first):
    match = new_match(first)
    turkish = {**TEXT, "Accept-Language": "tr"}
    told = get(first, f"matches/{match['id']}", **turkish).content.decode()
    token, label = match["legal_moves"][0].values()
    assert "Pişti, 1. tur, sürüm 0, sürüyor" in told
    assert f"  {token:<12} {label.removeprefix('Play ')} oyna\n" in told  # the token stays


def test_the_table_is_drawn_with_no_more_than_the_seat_knows(first):
    match = new_match(first)
    told = get(first, f"matches/{match['id']}", **TEXT).content.decode()
    frame = told[told.index("+---") : told.rindex("---+")]
    assert frame.count("▒") == sum(match["view"]["hand_sizes"])
    assert all(f"[{card_text(code)}]" in frame for code in match["view"]["hand"])
    assert {len(line) for line in frame.splitlines()[1:-1]} == {len(frame.splitlines()[1])}


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_rules_in_another_language(db, client, game):
    asked = {**TEXT, "Accept-Language": "cs"}
    rules = client.get(f"/games/{game.slug}/rules", headers=asked).content.decode()
    assert rules.startswith("# ")
    assert "\n## " in rules
    assert "<" not in rules
    assert "Domácí pravidla" in rules


# `GET games`: every game, for anybody.


def test_a_bad_key_is_told_even_here(holding, db):
    answer = get(holding("nonsense"), "games")
    assert answer.status_code == 401
    assert msgspec.json.decode(answer.content)["code"] == "bad_key"
