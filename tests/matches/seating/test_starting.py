"""A match that starts writes each of its rows once, and answers without reading them again."""

import re
from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardroom.rules import catalog
from games.matches import joining, loading
from games.matches.joining import open_rematch
from tests.matches.scenes import now, opened, played, played_to_round, resigned

WRITES = re.compile(r'\s*(INSERT INTO|UPDATE|DELETE FROM) "?(\w+)')
ONE_ROW_EACH = {
    "INSERT INTO games_match": 1,
    "INSERT INTO games_seat": 1,
    "INSERT INTO games_ply": 1,
    "INSERT INTO games_round": 1,
}


def statements(do) -> tuple[dict[str, int], list[str]]:
    """How often which table is written, and what is read after the first write."""
    with CaptureQueriesContext(connection) as captured:
        match = do()
    assert match == now(match)
    texts = [query["sql"] for query in captured]
    written = [found.groups() for found in map(WRITES.match, texts) if found]
    first = next(n for n, text in enumerate(texts) if WRITES.match(text))
    read_again = [text for text in texts[first:] if text.lstrip().startswith("SELECT")]
    return Counter(" ".join(write) for write in written), read_again


@pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
def test_opened_with_every_seat_taken(ada, game):
    assert statements(lambda: opened(ada, "me, bot random", game)) == (ONE_ROW_EACH, [])


def test_opened_and_waiting(ada):
    opens = {"INSERT INTO games_match": 1, "INSERT INTO games_seat": 1}
    assert statements(lambda: opened(ada, "me, open")) == (opens, [])


def test_the_last_seat_is_taken(ada, ben):
    waiting = opened(ada, "me, user ben", turn_seconds=60)
    joins = {
        "UPDATE games_seat": 2,  # the person's, and both whose first move is awaited
        "UPDATE games_match": 1,
        "INSERT INTO games_ply": 1,
        "INSERT INTO games_round": 1,
    }
    assert statements(lambda: joining.join(match_id=waiting.id, user=ben)) == (joins, [])


def test_called_off(ada):
    waiting = opened(ada, "me, open")
    changes = {"UPDATE games_match": 1}
    assert statements(lambda: joining.leave(match_id=waiting.id, user=ada)) == (changes, [])


@pytest.mark.parametrize("cards", ["same", "reshuffled"])
def test_loaded(ada, cards):
    old = played(played_to_round(opened(ada, "me, bot random"), 2), 60)
    saved = {"match_id": old.id, "user": ada, "version": old.version}
    written = dict(ONE_ROW_EACH)
    if cards == "same":  # nothing of the past is told otherwise
        del written["INSERT INTO games_ply"]
        written["UPDATE games_match"] = 1  # ends the rating
    assert statements(lambda: loading.load(**saved, cards=cards)) == (written, [])


def test_a_rematch(ada):
    over = resigned(opened(ada, "me, bot random", "pazaak"), 0)
    again = statements(lambda: open_rematch(match_id=over.id, user=ada))
    assert again == (ONE_ROW_EACH, [])


@pytest.mark.parametrize("seats", ["me, bot random", "bot random, me", "bot random, bot random"])
def test_what_is_owed_at_the_start(ada, seats):
    match = opened(ada, seats, turn_seconds=60)
    owed = [match.bot_due_at, match.deadline_at]
    assert [due is not None for due in owed] == (
        [False, True] if seats.startswith("me") else [True, False]
    )
    assert match.started_at == match.updated_at == match.created_at
