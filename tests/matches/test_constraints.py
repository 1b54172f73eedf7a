"""The database says no to every writer."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from games.matches.models import Match, Ply, Round, Seat
from games.matches.time_bank import Clock
from tests.matches.scenes import move, opened, played_to_round, resigned


@pytest.fixture
def refuses():
    def because(name, write):
        with pytest.raises(IntegrityError, match=f'"{name}"'), transaction.atomic():
            write()

    return because


ENDED = {"outcome", "finished_at"}
# The columns of every index, those of its condition too: a change of any makes an update not HOT.
INDEXED = """
    SELECT indexrelid::regclass::text, attname
    FROM pg_index JOIN pg_attribute ON attrelid = indrelid
    WHERE indrelid = 'games_match'::regclass AND attnum > 0 AND (
        attnum = ANY (indkey) OR EXISTS (
            SELECT FROM pg_depend
            WHERE classid = 'pg_class'::regclass AND objid = indexrelid
            AND refobjid = indrelid AND refobjsubid = attnum
        )
    )
"""


def rows(query):
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchall()


def indexed():
    found = set(rows(INDEXED))
    assert {("match_active", "id"), ("match_active", "status")} <= found
    return found


def columns_of(match):
    return Match.objects.filter(id=match.id).values().get()


class TestMatch:
    def test_has_a_state_from_its_start_on(self, ada, refuses):
        match = Match.objects.filter(id=opened(ada).id)
        refuses("match_has_a_state_from_its_start_on", lambda: match.update(state=None))

    @pytest.mark.parametrize(
        "change",
        [
            {"outcome": b"{}"},
            {"status": "finished", "to_act": []},
            {"status": "aborted", "to_act": []},
        ],
    )
    def test_has_an_outcome_when_it_is_over_and_only_then(self, ada, refuses, change):
        match = Match.objects.filter(id=opened(ada).id)
        refuses("match_has_an_outcome_when_it_is_over", lambda: match.update(**change))

    def test_waits_for_nobody_unless_active(self, ada, refuses):
        over = Match.objects.filter(id=resigned(opened(ada), 0).id)
        at = timezone.now()
        for change in ({"to_act": [0]}, {"bot_due_at": at}, {"deadline_at": at}):
            refuses("match_waits_for_nobody_unless_active", lambda c=change: over.update(**c))

    def test_that_was_loaded_names_its_save(self, ada, refuses):
        match = Match.objects.filter(id=opened(ada).id)
        name = "match_that_was_loaded_names_its_save"
        refuses(name, lambda: match.update(parent_version=3))
        refuses(name, lambda: match.update(parent=opened(ada).id))

    def test_moves_in_its_page(self, db):
        with connection.cursor() as cursor:
            cursor.execute("SELECT reloptions FROM pg_class WHERE relname = 'games_match'")
            assert cursor.fetchone() == (["fillfactor=70"],)

    def test_no_index_on_what_a_move_changes(self, ada):
        """A move within a round is a HOT update: no index knows of it, nor does its condition."""
        changed = {"state", "version", "round", "to_act", "shuffles_used", "bot_due_at"}
        changed |= {"deadline_at", "updated_at", "clock", "take_back"}
        assert not {column for _, column in indexed()} & changed

    def test_one_index_on_what_the_end_alone_changes(self, ada):
        """What is counted of finished matches is found by it; ``status`` is in conditions."""
        by_end = {(name, column) for name, column in indexed() if column in ENDED}
        assert by_end == {("match_finished", "finished_at")}

    def test_a_move_changes_no_indexed_column(self, ada):
        clock = Clock(bank=600, increment=5)
        for match in (opened(ada), opened(ada, clock=clock), opened(ada, "me, bot greedy")):
            row = columns_of(match)
            moved = columns_of(move(match))
            changed = {column for column, value in row.items() if moved[column] != value}
            assert {"state", "version", "to_act"} <= changed
            assert not changed & ({column for _, column in indexed()} | ENDED)


class TestSeat:
    def seat(self, match, index=0):
        return Seat.objects.filter(match_id=match.id, index=index)

    def test_is_there_once(self, ada, refuses):
        match = opened(ada)
        refuses("seat_is_there_once", lambda: self.seat(match, 1).update(index=0))

    def test_a_user_takes_one(self, ada, ben, refuses):
        match = opened(ada, "me, open")
        taken = {"kind": "user", "user": ada}
        refuses("user_takes_one_seat_of_a_match", lambda: self.seat(match, 1).update(**taken))

    @pytest.mark.parametrize(
        "change",
        [
            {"user": None},
            {"bot": "greedy"},
            {"kind": "open"},
            {"kind": "bot"},
            {"kind": "bot", "user": None},
            {"kind": "local", "user": None},
            {"kind": "ghost"},
        ],
    )
    def test_has_one_occupant(self, ada, refuses, change):
        match = opened(ada)
        refuses("seat_has_one_occupant", lambda: self.seat(match).update(**change))


class TestPly:
    def test_has_its_own_version(self, ada, refuses):
        match = move(opened(ada))
        again = {"match_id": match.id, "version": 1, "events": b"[]"}
        refuses("ply_has_its_own_version", lambda: Ply.objects.create(**again))

    def test_answers_a_key_of_its_seat_once(self, ada, refuses):
        match = move(opened(ada), key="a")
        again = {"match_id": match.id, "events": b"[]", "key": "a"}
        name = "ply_answers_a_key_of_its_seat_once"
        refuses(name, lambda: Ply.objects.create(version=2, seat=0, **again))
        assert Ply.objects.create(version=2, seat=1, **again)


class TestRound:
    def test_is_numbered_once(self, ada, refuses):
        match = played_to_round(opened(ada), 2)
        second = Round.objects.filter(match_id=match.id, number=2)
        refuses("standing_round_is_numbered_once", lambda: second.update(number=1))

    def test_is_scored_when_closed(self, ada, refuses):
        match = opened(ada)
        first = Round.objects.filter(match_id=match.id)
        refuses("round_is_scored_when_closed", lambda: first.update(scores=[1, 2]))
        refuses("round_is_scored_when_closed", lambda: first.update(closed_at=timezone.now()))


def test_a_user_with_a_seat_is_not_deleted(ada):
    opened(ada)
    with pytest.raises(ProtectedError):
        ada.delete()
