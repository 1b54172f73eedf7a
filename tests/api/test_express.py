"""The express door: the same answers as Django's, by what a process keeps and never against it."""

import codecs
import json

import pytest
from django.db import OperationalError

from accounts import services
from accounts.models import Key, User
from config.api.scopes import SCOPES
from config.telemetry.metrics import REQUESTS, flush
from games.matches import batcher, joining, loading, moves, verification
from games.matches.models import Ply
from games.matches.moves import MoveRequest
from games.matches.refusals import NotKnown
from games.matches.selectors.access import Caller, get_match
from tests.api.roads import ask
from tests.matches.scenes import move, opened, played, short

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bens_key(ben):
    return services.issue_key(user=ben, scopes=SCOPES).secret


@pytest.fixture
def match(ada, ben):
    """Ada and Ben at one match; Ada is to act."""
    return joining.join(match_id=opened(ada, "me, open").id, user=ben)


def legal(match):
    match = get_match(match.id)
    return match.rules.legal_moves(match.state, match.to_act[0])[0]


def body(match, **more):
    return {"move": legal(match), "version": get_match(match.id).version} | more


def post(match):
    return "POST", f"matches/{match.id}/moves"


def get(match, query=""):
    return "GET", f"matches/{match.id}{query}"


def is_kept(roads, match):
    return match.id in roads.hybrid.express._batcher._cache._matches


class TestTheSameAnswer:
    """Status, headers and body, byte for byte."""

    @pytest.fixture
    def alike(self, roads):
        def ask(*said, **more):
            express, django = roads.express(*said, **more), roads.django(*said, **more)
            assert express == django
            assert list(express.limit) == list(django.limit)
            left, reset = (
                [int(heard.limit.get(b"ratelimit-" + name, 0)) for heard in (express, django)]
                for name in (b"remaining", b"reset")
            )
            if reset[1] > reset[0]:  # a new window began between the two
                assert left[1] > left[0]
            else:
                assert left[0] - left[1] == (1 if express.limit else 0)
            return express

        return ask

    def test_a_move_and_its_first_answer_again(self, roads, key, bens_key, match):
        for number, one in enumerate([key, bens_key, key, bens_key]):
            said = one, *post(match), body(match), {"idempotency-key": f"{number}"}
            applied = roads.express(*said)
            assert applied.status == 201
            assert applied == roads.django(*said) == roads.express(*said)
        assert get_match(match.id).version == 4
        assert is_kept(roads, match)

    def test_a_body_that_begins_with_a_byte_order_mark(self, roads, key, match):
        sent = codecs.BOM_UTF8 + json.dumps(body(match)).encode()
        applied = roads.express(key, *post(match), sent, {"idempotency-key": "1"})
        assert applied.status == 201
        assert applied == roads.django(key, *post(match), sent, {"idempotency-key": "1"})
        assert is_kept(roads, match)

    def test_the_last_move(self, ada, key, roads):
        match = played(opened(ada, "me, local Twin", options={"target_score": None}), 47)
        said = key, *post(match), body(match), {"idempotency-key": "last"}
        over = roads.express(*said)
        assert over.json()["status"] == "finished"
        assert over.json()["seed"]
        assert over == roads.django(*said)
        assert not is_kept(roads, match)

    def test_a_match_for_each_reader(self, alike, key, bens_key, match):
        for query in ["", "?seat=0", "?seat=1", "?seat=7", "?seat=x", "?a=1"]:
            seen = [alike(one, *get(match, query)) for one in (key, bens_key) for _ in range(2)]
            assert {one.status for one in seen} <= {200, 400, 403}

    def test_of_every_status_also_for_a_stranger(self, ada, key, bens_key, alike):
        private, over = opened(ada, visibility="private"), played(short(ada, "pazaak"))
        for match in (opened(ada, "me, open"), opened(ada), over, private):
            told = [alike(one, *get(match)).status for one in (key, bens_key, key)]
            assert told == [200, 404 if match is private else 200, 200]

    def test_what_is_known_already(self, alike, key, match, ada):
        for one in (match, played(short(ada, "pazaak"))):
            tag = dict(alike(key, *get(one)).headers)[b"etag"].decode()
            for said, status in [(tag, 304), (f'"x", W/{tag}', 304), ("*", 304), ('"x"', 200)]:
                assert alike(key, *get(one), None, {"if-none-match": said}).status == status

    def test_wrong_moves(self, alike, key, match):
        alike(key, *get(match))  # now it is kept
        for change, status in [
            ({"move": "nonsense"}, 400),
            ({"move": 7}, 400),
            ({"move": None}, 400),
            ({"version": -1}, 400),
            ({"version": "0"}, 400),
            ({"version": 5}, 409),
            ({"version": 5.0}, None),
            ({"seat": 1}, 403),
            ({"seat": 100}, 400),
            ({"card": "7H"}, 400),
        ]:
            heard = alike(key, *post(match), body(match) | change, {"idempotency-key": "a"})
            assert status is None or heard.status == status

    def test_bodies(self, alike, key, match):
        twice = b'{"move": "7H", "version": 9, "version": 9}'
        nul = b'{"move": "\\u0000", "version": 0}'
        for sent in [b"", b"{}", b"[]", b"{", nul, b"\xff", b"1" * 70_000, twice, b"[" * 50_000]:
            assert alike(key, *post(match), sent).status >= 400

    def test_headers(self, alike, key, match):
        wrong = body(match) | {"version": 9}
        for headers in [
            {"authorization": None},
            {"authorization": "Token"},
            {"authorization": "Token nonsense"},
            {"authorization": "Bearer x"},
            {"host": "elsewhere.example"},
            {"host": None},
            {"content-type": "text/plain"},
            {"content-type": None},
            {"content-type": "application/json; charset=utf-8"},
            {"idempotency-key": ""},
            {"idempotency-key": "k" * 65},
            {"idempotency-key": "ümlaut"},
            {"cookie": "sessionid=x"},
            {"x-forwarded-proto": "https"},
            {"accept-language": "tr, en;q=0.5"},
            {"accept-language": "en-GB, tr;q=0.5"},
        ]:
            assert alike(key, *post(match), wrong, headers).status >= 400
            alike(key, *get(match), None, headers)

    def test_other_methods_and_addresses(self, alike, key, match):
        for method, path in [
            ("HEAD", f"matches/{match.id}"),
            ("PUT", f"matches/{match.id}"),
            ("GET", f"matches/{match.id}/moves"),
            ("POST", f"matches/{match.id}"),
            ("GET", f"matches/{str(match.id).upper()}"),
            ("GET", "matches/00000000-0000-0000-0000-000000000000"),
            ("POST", "matches/00000000-0000-0000-0000-000000000000/moves?x=1"),
        ]:
            alike(key, method, path, body(match) | {"version": 9} if method == "POST" else None)

    def test_scopes(self, ada, alike, match):
        for scope in SCOPES:
            one = services.issue_key(user=ada, scopes=[scope]).secret
            alike(one, *get(match))
            alike(one, *post(match), body(match) | {"version": 9})

    def test_one_count_and_one_metric_whichever_door(self, roads, key, match, rates):
        rates(moves="4/hour")

        def counted():
            flush()
            names = {"view": "games.api.matches.moves.MatchMoves", "method": "POST"}
            samples = next(iter(REQUESTS.collect())).samples
            return sum(
                s.value
                for s in samples
                if s.name.endswith("_total") and names.items() <= s.labels.items()
            )

        before = counted()
        wrong = body(match) | {"version": 9}
        told = [
            roads.express(key, *post(match), body(match)),
            roads.django(key, *post(match), wrong),
        ]
        told += [roads.express(key, *post(match), wrong) for _ in range(3)]
        assert [heard.status for heard in told] == [201, 409, 409, 409, 429]
        assert counted() - before == 5

    def test_a_client_that_leaves_before_its_move_is_complete(self, roads, key, match):
        async def receive():
            return {"type": "http.disconnect"}

        sent, asked = [], {}

        async def door(scope, _receive, send):
            asked.update(scope)
            await roads.hybrid.express(scope, receive, sent.append)
            await send({"status": 0, "headers": []})

        roads.run(ask(door, key, *post(match), body(match)))
        assert asked["method"] == "POST"
        assert sent == []
        assert get_match(match.id).version == 0


class TestWhatIsKept:
    """It may miss; it never lies."""

    @pytest.fixture(autouse=True)
    def kept(self, roads, key, bens_key, match):
        for one in (key, bens_key):
            assert roads.express(one, *get(match)).status == 200
        assert is_kept(roads, match)

    def test_each_account_sees_its_own_hand_only(self, roads, key, bens_key, match):
        hands = [[match.rules.card_text(card) for card in hand] for hand in match.state.hands]
        for one, hand, other in [(key, *hands), (bens_key, *reversed(hands))] * 2:
            view = roads.express(one, *get(match)).json()["view"]
            assert view["hand"] == hand
            assert not any(f'"{card}"' in str(view) for card in other)

    def test_each_seat_at_one_device_has_its_own_hand(self, roads, ada, key):
        match = opened(ada, "me, local Twin")
        for seat in (0, 1, 0, 1):
            hand = [match.rules.card_text(card) for card in match.state.hands[seat]]
            seen = roads.express(key, *get(match, f"?seat={seat}")).json()
            assert (seen["acting_seat"], seen["view"]["hand"]) == (seat, hand)

    def test_a_key_that_is_no_longer_good(self, roads, ada, key, match):
        one, user = Key.objects.filter(user=ada), User.objects.filter(pk=ada.pk)
        for change, back, status in [
            (lambda: one.update(scopes=["decks"]), lambda: one.update(scopes=SCOPES), 403),
            (
                lambda: one.update(expires_at=match.created_at),
                lambda: one.update(expires_at=None),
                401,
            ),
            (lambda: user.update(is_active=False), lambda: user.update(is_active=True), 401),
            (one.delete, lambda: None, 401),
        ]:
            change()
            assert roads.express(key, *get(match)).status == status
            assert roads.express(key, *post(match), body(match)).status == status
            back()
        assert get_match(match.id).version == 0

    def test_a_match_that_moved_elsewhere(self, roads, key, bens_key, match):
        late = body(match)
        move(match)
        assert roads.express(key, *post(match), late).json()["code"] == "stale_version"
        move(get_match(match.id))
        assert roads.express(key, *post(match), body(match)).status == 201
        assert roads.express(bens_key, *get(match)).json()["version"] == 3

    def test_a_rating_that_ended_without_a_move(self, roads, ada, key):
        alone = opened(ada, "me, bot greedy")
        assert roads.express(key, *get(alone)).json()["rated"]
        loading.load(match_id=alone.id, user=ada, cards="same", version=0)
        assert roads.express(key, *get(alone)).json()["rated"] is False
        assert roads.express(key, *post(alone), body(alone)).json()["rated"] is False

    def test_an_end_tells_what_the_database_allows(self, roads, ada, key):
        """A match that was loaded meanwhile still uses these cards."""
        match = played(opened(ada, "me, local Twin", options={"target_score": None}), 46)
        assert roads.express(key, *post(match), body(match)).status == 201
        loaded = loading.load(match_id=match.id, user=ada, cards="same", version=20)
        assert loaded.status == "active"
        over = roads.express(key, *post(match), body(match)).json()
        assert over["status"] == "finished"
        assert over["seed"] == roads.django(key, *get(match)).json()["seed"]

    def test_one_key_at_two_seats_of_one_caller(self, roads, ada, key):
        match = opened(ada)
        first = roads.express(key, *post(match), body(match, seat=0), {"idempotency-key": "k"})
        again = roads.express(key, *post(match), body(match, seat=1), {"idempotency-key": "k"})
        assert (first.status, again.status) == (201, 422)
        assert get_match(match.id).version == 1

    def test_is_bounded(self, roads, ada, key, monkeypatch):
        monkeypatch.setattr(roads.hybrid.express._batcher._cache, "_most", 2)
        for _ in range(4):
            roads.express(key, *get(opened(ada)))
        assert len(roads.hybrid.express._batcher._cache._matches) == 2


class TestTogether:
    def test_many_matches_at_once(self, roads, ada, key, monkeypatch):
        sizes, play_all = [], moves.play_all
        monkeypatch.setattr(
            batcher.moves,
            "play_all",
            lambda asks, cache: (sizes.append(len(asks)), play_all(asks, cache))[1],
        )
        matches = [opened(ada) for _ in range(12)]
        for _ in range(3):
            calls = [(key, *post(match), body(match)) for match in matches]
            assert {heard.status for heard in roads.together(*calls)} == {201}
        assert max(sizes) > 4
        for match in matches:
            assert get_match(match.id).version == 3
            assert list(verification.faults(get_match(match.id))) == []

    def test_rounds_and_ends_among_them(self, roads, ada, key):
        matches = [played(short(ada, "pisti"), 45 + n % 3) for n in range(6)]
        for _ in range(3):
            calls = [
                (key, *post(match), body(match))
                for match in matches
                if get_match(match.id).status == "active"
            ]
            assert {heard.status for heard in roads.together(*calls)} == {201}
        for match in matches:
            after = get_match(match.id)
            assert after.status == "finished" or after.round == 2
            assert list(verification.faults(get_match(match.id))) == []

    def test_one_wrong_one_does_not_touch_the_others(self, roads, ada, key):
        matches = [opened(ada) for _ in range(4)]
        calls = [(key, *post(match), body(match)) for match in matches]
        calls[1] = (key, *post(matches[1]), body(matches[1]) | {"move": "2C 2C"})
        calls[2] = (key, *post(matches[2]), body(matches[2]) | {"version": 3})
        assert [heard.status for heard in roads.together(*calls)] == [201, 400, 409, 201]

    def test_two_moves_of_one_match_and_eight_with_one_key(self, roads, ada, key):
        match = opened(ada)
        said = key, *post(match), body(match)
        assert sorted(heard.status for heard in roads.together(said, said)) == [201, 409]
        said = key, *post(match), body(match), {"idempotency-key": "k"}
        heard = roads.together(*[said] * 8)
        assert len(set(map(repr, heard))) == 1
        assert (heard[0].status, get_match(match.id).version) == (201, 2)


class TestAConnectionLostInTheWrite:
    @pytest.fixture
    def lose(self, monkeypatch):
        """The next write loses its connection, after it was done or before."""

        def once(*, done):
            commit_all, left = moves.commit_all, [None]

            def losing(transitions):
                if not left:
                    return commit_all(transitions)
                left.clear()
                if done:
                    commit_all(transitions)
                raise OperationalError("the connection is gone")

            monkeypatch.setattr(moves, "commit_all", losing)

        return once

    def test_what_was_not_written_is_written_then(self, roads, ada, key, lose):
        matches, named = [opened(ada) for _ in range(3)], [{}, {"idempotency-key": "k"}, {}]
        calls = [(key, *post(m), body(m), one) for m, one in zip(matches, named, strict=True)]
        lose(done=False)
        assert {heard.status for heard in roads.together(*calls)} == {201}
        assert {get_match(match.id).version for match in matches} == {1}

    def test_what_was_written_is_answered_by_its_key(self, roads, ada, key, lose):
        matches = [opened(ada) for _ in range(3)]
        calls = [(key, *post(m), body(m), {"idempotency-key": "k"}) for m in matches]
        lose(done=True)
        heard = roads.together(*calls)
        assert {one.status for one in heard} == {201}
        assert heard == [roads.django(*call) for call in calls]
        assert Ply.objects.filter(match_id__in=[m.id for m in matches]).count() == 6

    def test_without_a_key_nobody_knows_and_nobody_says_conflict(self, roads, ada, key, lose):
        match = opened(ada)
        call = key, *post(match), body(match)
        lose(done=True)
        heard = roads.express(*call)
        assert (heard.status, heard.json()["code"]) == (503, "unavailable")
        assert dict(heard.headers)[b"retry-after"] == b"2"
        assert get_match(match.id).version == 1

    def test_the_same_by_djangos_door(self, ada, lose):
        match = opened(ada)
        lose(done=True)
        (verdict,) = moves.play_all([MoveRequest(match.id, Caller(user=ada.id), legal(match), 0)])
        assert isinstance(verdict, NotKnown)
