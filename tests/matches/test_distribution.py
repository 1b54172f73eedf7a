"""Every statement of the move path names its match, so that matches may be spread over servers.

docker/SCALING.md, Distribution by match. What is looked up besides (keys, accounts) are tables that
every server would have.
"""

import re

from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import services
from config.api.scopes import SCOPES
from games.matches import bot_turns, moves
from games.matches.selectors.access import Caller, get_match
from tests.matches.scenes import move, opened, played, short

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
