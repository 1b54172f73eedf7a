"""A batch of moves costs what its own moves cost, however many matches run."""

from django.db import connection

from accounts import services
from accounts.signing_in import key_digest
from config.api.scopes import SCOPES
from config.postgres.connections import FEW_ROWS
from games.matches import moves
from games.matches.moves import AppliedMove, MoveRequest
from games.matches.selectors.access import Caller
from tests.matches.scenes import opened

OTHERS, BATCH = 12, 4

_SCANS = """
SELECT relname, coalesce(idx_scan, 0) + seq_scan FROM pg_stat_xact_user_tables
WHERE relname IN ('accounts_key', 'accounts_user')
"""


def scans():
    """How often the callers' tables were searched in this transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_SCANS)
        return dict(cursor.fetchall())


def test_each_caller_is_looked_up_once_to_judge_and_once_to_write(ada):
    secret = services.issue_key(user=ada, scopes=SCOPES).secret
    caller = Caller(digest=key_digest(f"Token {secret}"), scope="play")
    matches = [opened(ada) for _ in range(OTHERS + BATCH)][:BATCH]
    with connection.cursor() as cursor:
        cursor.execute(FEW_ROWS.replace("SET ", "SET LOCAL "))
    requests = [
        MoveRequest(m.id, caller, m.rules.legal_moves(m.state, m.to_act[0])[0], 0) for m in matches
    ]
    before = scans()
    verdicts = moves.play_all(requests)
    assert all(isinstance(verdict, AppliedMove) for verdict in verdicts)
    for table, number in scans().items():
        assert number - before.get(table, 0) <= 2 * BATCH
