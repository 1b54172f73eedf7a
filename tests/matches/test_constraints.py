"""The database says no to every writer."""

import re
from copy import copy

import msgspec
import pytest
from django.db import IntegrityError, connection, models, transaction
from django.db.models import ProtectedError
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import services
from accounts.models import User
from config.api.scopes import SCOPES
from config.uuid7 import uuid7
from games.matches import bot_turns, moves, opening
from games.matches.models import Match, Ply, Round, Seat
from games.matches.selectors.access import Caller, find_match, get_match, matches_of, people_of
from games.matches.selectors.lists import NOT_OVER, Sought, newest_of
from games.matches.selectors.log import LogEntry
from games.matches.snapshot import MatchSnapshot, Progress, SeatProgress, SeatSnapshot, columns
from games.matches.time_bank import Clock
from games.matches.transition import NewPly, RoundChange
from tests.matches.scenes import move, now, opened, played, played_to_round, resigned, short


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
        """Counts of finished matches use it; ``status`` is in conditions."""
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


# A column is declared once: as a field of the struct that reads or writes it.

OF = {
    Match: (MatchSnapshot, Progress),
    Seat: (SeatSnapshot, SeatProgress),
    Ply: (NewPly, LogEntry),
    Round: (RoundChange,),
}
IN_NO_STRUCT = {
    Match: {
        "answer_by",  # of a challenge, until it is answered
        "past_was_told",  # of its family, which is read at its end
        "rated_wish",  # of its host, asked until it begins; then ``rated`` says it
    },
    Seat: {"id", "match_id", "came"},  # the last one is read by tournaments alone
    Ply: {"id", "match_id"},
    Round: {
        *("id", "match_id", "opened_at", "closed_at", "undone_at", "reopened"),
    },  # the time of the commit
}


def of_model(model: type[models.Model]) -> set[str]:
    return {field.column for field in model._meta.concrete_fields}


@pytest.mark.parametrize(
    ("model", "struct"), [(model, struct) for model, structs in OF.items() for struct in structs]
)
def test_every_field_is_a_column(model, struct):
    assert set(columns(struct)) <= of_model(model)


@pytest.mark.parametrize("model", OF)
def test_a_column_that_no_struct_has_is_listed(model):
    declared = {column for struct in OF[model] for column in columns(struct)}
    assert of_model(model) - declared == IN_NO_STRUCT[model]


def test_what_is_written_is_what_is_read(ada):
    match = played_to_round(opened(ada, turn_seconds=10), 2)
    assert match == now(match)


def test_the_next_snapshot_keeps_what_is_decoded(ada):
    match = opened(ada)
    progress = Progress(*msgspec.structs.astuple(match)[: len(Progress.__struct_fields__)])
    options, state = match.options, match.state
    after = match.advanced(progress, match.seats, state=state)
    assert after == match
    assert after.options is options
    assert after.state is state


def test_a_snapshot_in_a_log_tells_no_secret(ada):
    match = opened(ada)
    assert match.seed.hex() not in repr(match)
    assert str(match.seed) not in repr(match)
    assert str(match.state_json) not in f"{match} {match!r}"


# No index of seats stands twice: every read finds them by those that are left.

INDEX = re.compile(r"(?:Scan(?: Backward)? using|Bitmap Index Scan on) (\S+)")


def indexes_of(statements):
    """The indexes of seats that the plans of these statements use, with the seats there are."""
    used = set()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_match, games_seat")
        cursor.execute("SET LOCAL enable_seqscan = off")
        for sql in statements:
            cursor.execute(f"EXPLAIN {sql}")
            used |= {name for (line,) in cursor.fetchall() for name in INDEX.findall(line)}
    return used


def many_seats_of_others(match):
    """Copies of the match, each with another's seat."""
    others = User.objects.bulk_create(
        User(username=f"other{number}", display_name="Other") for number in range(300)
    )
    copies = [copy(Match.objects.get(pk=match.id)) for _ in others]
    for one, who in zip(copies, others, strict=True):
        one.pk, one.creator = uuid7(), who
    Match.objects.bulk_create(copies)
    Seat.objects.bulk_create(
        Seat(match=one, index=0, kind="user", user=one.creator) for one in copies
    )


# The second is the foreign key's own. Nobody is invited here: the planner takes the smaller one.
INVITES = ("seat_invites", "games_seat_invited_id")
READS = [
    (lambda ada, match: find_match(match.id, Caller(user=ada.id)), "seat_is_there_once"),
    (lambda ada, match: list(newest_of(ada.id, Sought(), most=9)), "seat_of_user"),
    (lambda ada, match: list(newest_of(ada.id, Sought(), most=9)), INVITES),
    (
        lambda ada, match: list(newest_of(ada.id, Sought(statuses=NOT_OVER), most=9)),
        "seat_unfinished",
    ),
    (lambda ada, match: matches_of([ada.id]), "seat_of_user"),
    (lambda ada, match: people_of([match.id]), "seat_is_there_once"),
    (
        lambda ada, match: opening.check_limits(Match.objects.get(pk=match.id), [Seat(kind="bot")]),
        "seat_is_there_once",
    ),
]


def test_seats_are_found_by_an_index(ada):
    """Every read among the seats of the same three hundred."""
    match = opened(ada)
    many_seats_of_others(match)
    for number, (read, index) in enumerate(READS):
        with CaptureQueriesContext(connection) as seen:
            read(ada, match)
        used = indexes_of(query["sql"] for query in seen.captured_queries)
        assert any(name.startswith(index) for name in used), (number, used)


def test_no_index_of_seats_is_the_beginning_of_another(db):
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, Seat._meta.db_table)
    whole = [tuple(one["columns"]) for one in found.values() if one["index"] and not one["unique"]]
    assert ("user_id",) not in whole


# Every statement of the move path names its match, so that matches may be spread over servers.
#
# docker/SCALING.md, Distribution. What is looked up besides (keys, accounts) are tables
# that every server would have.

OF_A_MATCH = ("games_match", "games_seat", "games_ply", "games_round")
EVERYWHERE = {"accounts_key", "accounts_user"}
"""Small tables, which every server has whole."""
ELSEWHERE = (
    "(SELECT true FROM games_match loaded WHERE loaded.parent_id = m.id LIMIT 1) IS NOT NULL"
)
"""The one look at other matches, when a match is read: whether one was loaded from it."""

TABLE = re.compile(
    r"(?:FROM|JOIN|UPDATE|INTO)\s+\"?([a-z]+_[a-z_]+)\"?(?:\s+(?:AS\s+)?([a-z]\w*))?", re.IGNORECASE
)
NO_ALIAS = {"set", "where", "on", "values", "join", "left", "order", "select"}


def tables(sql):
    """Each table of a statement with the name under which the statement speaks of it."""
    for table, alias in TABLE.findall(sql):
        yield table, table if alias.lower() in ("", *NO_ALIAS) else alias


def unnamed(sql):
    """The tables of matches that this statement would look for on every server."""
    for table, name in tables(sql):
        if table not in OF_A_MATCH:
            continue
        id_ = "id" if table == "games_match" else "match_id"
        alone = "" if name != table else rf'|WHERE "?{id_}"? ='
        spoken = rf'"?{name}"?\."?{id_}"? ?(?:=|IN \()|(?:=|IN \() ?"?{name}"?\."?{id_}"?{alone}'
        inserted = rf"INSERT INTO \"?{table}\"? \(\"?match_id"
        if not re.search(f"{spoken}|{inserted}", sql):
            yield table


def check(found, at_most):
    assert 0 < len(found) <= at_most, found
    for sql in (sql.replace(ELSEWHERE, "") for sql in found):
        assert list(unnamed(sql)) == [], sql
        assert {table for table, _ in tables(sql)} <= {*OF_A_MATCH, *EVERYWHERE}, sql


def by_key(match, user, **more):
    """A move by key, as programs send it."""
    digest = services.issue_key(user=user, scopes=SCOPES).key.digest
    seat = match.to_act[0]
    with CaptureQueriesContext(connection) as captured:
        moves.play(
            match_id=match.id,
            caller=Caller(digest=digest, scope="play"),
            move=match.rules.legal_moves(match.state, seat)[0],
            version=match.version,
            seat=seat,
            **more,
        )
    return [query["sql"] for query in captured]


def test_a_move(ada):
    check(by_key(opened(ada), ada), 2)


def test_a_move_with_an_idempotency_key(ada):
    check(by_key(opened(ada), ada, key="k"), 2)


def test_a_move_that_ends_a_round(ada):
    match = opened(ada, options={"target_score": 151})
    while get_match(match.id).round == match.round:
        before = get_match(match.id)
        said = by_key(before, ada)
        check(said, 2)
    assert any("games_round" in sql for sql in said)


def test_the_turn_of_a_bot(ada):
    match = move(opened(ada, "me, bot greedy"))
    with CaptureQueriesContext(connection) as captured:
        bot_turns.play_bot_turns(match_id=match.id, version=match.version)
    check([query["sql"] for query in captured], 4)


def test_the_end_of_a_match(ada):
    match = short(ada, "pisti")
    match = played(match, match.version + 3)
    with CaptureQueriesContext(connection) as captured:
        played(match)
    check([query["sql"] for query in captured], 1000)


def test_a_statement_that_names_no_match_is_noticed():
    assert list(unnamed("SELECT m.state FROM games_match m WHERE m.status = 'active'"))
    assert list(unnamed("UPDATE games_seat s SET points = 1 FROM moved WHERE s.index = 0"))
    assert not list(unnamed("UPDATE games_seat s SET points = 1 WHERE s.match_id = $1"))
