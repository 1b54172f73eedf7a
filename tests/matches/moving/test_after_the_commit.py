"""Work after a commit changes no answer; a failure of one move is none of another."""

import asyncio
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from django.db import transaction
from structlog.testing import capture_logs

from accounts.signing_in import key_digest
from config.tasks import after_commit
from config.telemetry import metrics
from games.api.streams import match_message
from games.live.match_stream import Query, read_deliveries
from games.matches import announcements, batcher, bot_turns, commit, moves
from games.matches.announcements import Taken
from games.matches.models import Match, Ply, Seat
from games.matches.moves import AppliedMove, MoveRequest, SnapshotCache
from games.matches.refusals import NotKnown, StaleVersion
from games.matches.selectors.access import Caller, MatchAccess, Wanted, stamp_of
from tests.conftest import key_of
from tests.matches.scenes import move, now, opened

ROOT = Path(__file__).resolve().parents[3]
CODE = {
    path.relative_to(ROOT).as_posix(): path.read_text()
    for room in ("accounts", "config", "decks", "games")
    for path in (ROOT / room).rglob("*.py")
}
SENDERS = {
    "config/processes/worker.py",
    "config/tasks/duties.py",  # the beat, and `Due`
    "games/coaching/analyses.py",
    "games/matches/announcements.py",
    "games/matches/records.py",
    "games/simulations/house_rules.py",
}


@pytest.fixture
def announced(monkeypatch):
    """The announcements that are put into the queue."""
    waiting = []
    monkeypatch.setattr(after_commit, "announce", lambda *several: waiting.extend(several))
    return waiting


def failures(error):
    return metrics.FAILED_AFTER_COMMIT.labels(error)._value.get()


def without_its_bot(match):
    """The match, as if its computer came from a package that dropped it since."""
    Seat.objects.filter(match_id=match.id, kind="bot").update(bot="gone")
    return now(match)


def request(match, caller):
    (seat,) = match.to_act
    return MoveRequest(match.id, caller, match.rules.legal_moves(match.state, seat)[0], 0)


@pytest.fixture
def broken(monkeypatch):
    """``commit_all`` fails for the matches that are put here, before it writes anything."""
    ids, progress_at = set(), commit.progress_at

    def failing(transition, at):
        if transition.match.id in ids:
            raise ZeroDivisionError("7H")
        return progress_at(transition, at)

    monkeypatch.setattr(commit, "progress_at", failing)
    return ids


class TestACommittedMove:
    def test_is_answered_though_its_computer_is_gone(self, ada, announced):
        gone = without_its_bot(opened(ada, "me, bot greedy"))
        others = [opened(ada, "me, bot greedy") for _ in range(2)]
        before = failures("KeyError")
        with capture_logs() as logged:
            verdicts = moves.play_all(
                [request(one, Caller(user=ada.id)) for one in (gone, *others)]
            )
        assert [type(verdict) for verdict in verdicts] == [AppliedMove] * 3
        assert [one.version for one in announced] == [1, 1, 1]  # listeners hear of all of them
        assert [one.turn is None for one in announced] == [True, False, False]
        assert failures("KeyError") == before + 1
        (line,) = [line for line in logged if line["event"] == "after_commit_failed"]
        assert (line["match"], line["cause"]) == (str(gone.id), "KeyError")
        assert "gone" not in line.values()

    def test_recovery_is_told(self, ada, announced):
        gone = move(without_its_bot(opened(ada, "me, bot greedy")))
        with pytest.raises(KeyError):
            announcements.announce_again(gone)
        announcements.announce_again(move(opened(ada, "me, bot greedy")))
        assert announced[-1].turn

    def test_is_not_undone_by_a_call_after_it(self, django_capture_on_commit_callbacks):
        called = []
        with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
            after_commit.when_committed(lambda: {}["gone"])
            after_commit.when_committed(lambda: called.append(1))
        assert called == [1]

    def test_only_when_committed_says_what_follows_a_commit(self):
        """A hook of Django's own that raises changes the answer and stops the others."""
        files = [path for room in ("accounts", "config", "decks", "games")
                 for path in (ROOT / room).rglob("*.py")]  # fmt: skip
        users = [path.name for path in files if re.search(r"\.on_commit\(", path.read_text())]
        assert users == ["after_commit.py"]

    def test_waits_for_no_broker(self):
        """Announcements and workers send tasks; a request only for the record that it waits for."""
        sends = re.compile(r"\.(send_task|apply_async|delay)\(")
        assert {path for path, code in CODE.items() if sends.search(code)} == SENDERS

    def test_waits_for_no_valkey_that_does_not_answer(self):
        """Each client says how often it tries: the library's own tries take many seconds."""
        for path, code in CODE.items():
            if path in ("config/valkey.py", "config/host/reaching.py"):
                continue
            assert ".from_url(" not in code, path
            for call in re.split(r"(?:valkey|listening)_client\(", code)[1:]:
                assert re.search(r"retry=|PATIENCE", call[:160]), path


class TestOneBadMove:
    def test_fails_alone(self, ada, broken):
        matches = [opened(ada) for _ in range(4)]
        broken.add(matches[1].id)
        verdicts = moves.play_all([request(match, Caller(user=ada.id)) for match in matches])
        assert [type(verdict) for verdict in verdicts] == [
            *(AppliedMove, ZeroDivisionError, AppliedMove, AppliedMove)
        ]
        assert [now(match).version for match in matches] == [1, 0, 1, 1]

    def test_that_cannot_be_read_fails_alone(self, ada):
        matches = [opened(ada) for _ in range(3)]
        requests = [request(match, Caller(user=ada.id)) for match in matches]
        Match.objects.filter(id=matches[0].id).update(state=b"{")
        verdicts = moves.play_all(requests)
        assert isinstance(verdicts[0], Exception)
        assert [type(verdict) for verdict in verdicts[1:]] == [AppliedMove] * 2

    def test_of_a_bot_fails_alone(self, ada, broken, announced):
        """Of several that are written singly each has its place among the answers."""
        due = [move(opened(ada, "me, bot greedy")) for _ in range(3)]
        broken.update({due[0].id, due[2].id})
        announced.clear()
        assert bot_turns.play_turns([Taken(one.id, one.version) for one in due]) == 1
        assert [one.match_id for one in announced] == [due[1].id]

    def test_reads_that_fail_do_not_fail_the_moves_beside_them(self, ada, monkeypatch):
        caller = Caller(digest=key_digest(f"Token {key_of(ada)}"), scope="play")
        matches = [opened(ada) for _ in range(2)]

        def failing(*_):
            raise ZeroDivisionError

        monkeypatch.setattr(batcher, "read_all", failing)
        door = batcher.Batcher(SnapshotCache(10))
        asked = [Wanted(matches[0].id, caller), request(matches[1], caller)]
        read, played = door._work(asked)
        assert (type(read), type(played)) == (ZeroDivisionError, AppliedMove)

    def test_of_which_nobody_knows_says_what_failed(self, ada, monkeypatch):
        """Nothing was lost in the database, so the answer does not say so."""

        def failing(*_):
            raise ZeroDivisionError

        monkeypatch.setattr(moves, "play_all", failing)
        door, caller = batcher.Batcher(SnapshotCache(10)), Caller(user=ada.id)

        async def answer():
            return await asyncio.gather(door.play(request(match, caller)), return_exceptions=True)

        match = opened(ada)
        (error,) = asyncio.run(answer())
        assert isinstance(error, NotKnown)
        assert "database" not in str(error)


class TestADatabaseThatLostMoves:
    """A standby that was behind has taken over: the match stands where it stood before."""

    @pytest.fixture
    def lost(self, ada, monkeypatch):
        """A match at version 0, and at 2, where it was long ago."""
        before = opened(ada, "me, local Twin")
        after = move(move(before))
        Ply.objects.filter(match=before.id, version__gt=0).delete()
        stood = {"version": 0, "state": before.state_json, "updated_at": before.updated_at}
        Match.objects.filter(id=before.id).update(**stood, to_act=before.to_act)
        monkeypatch.setattr(moves, "LONGEST_READING", timedelta())
        return before, after

    def test_is_noticed_by_the_process_that_keeps_the_match_and_played_on_with(self, ada, lost):
        before, after = lost
        caller = Caller(digest=key_digest(f"Token {key_of(ada)}"), scope="play")
        cache = SnapshotCache(10)
        cache.keep(Wanted(after.id, caller), MatchAccess(after, ada.pk))
        with capture_logs() as logs:
            (stale,) = moves.play_all([replace(request(after, caller), version=2)], cache)
            (played,) = moves.play_all([request(before, caller)], cache)
        assert isinstance(stale, StaleVersion)
        assert (stale.match.version, played.match.version) == (0, 1)
        (line,) = [line for line in logs if line["event"] == "version_went_back"]
        assert (line["match"], line["version"], line["known"]) == (str(before.id), 0, 2)
        assert cache.find(Wanted(before.id, caller)).match.version == 1

    def test_an_older_match_never_takes_the_place_of_a_newer(self, ada):
        older = opened(ada)
        newer, cache = move(older), SnapshotCache(1)
        wanted = Wanted(older.id, Caller(digest="a key", scope="play"))
        for match in (newer, older):
            cache.keep(wanted, MatchAccess(match, ada.pk))
        assert cache.find(wanted).match.version == newer.version

    def test_is_told_by_a_stream_that_was_past_it(self, ada, lost):
        before, after = lost
        query = Query(before.id, ada.pk, None, 2, stamp_of(after), match_message)
        with capture_logs() as logs:
            (delivery,) = read_deliveries([query])
        told = msgspec.json.decode(delivery.messages[0].text)
        assert (told["version"], told["events"], delivery.after) == (0, [], 0)
        assert [line["event"] for line in logs] == ["version_went_back"]
