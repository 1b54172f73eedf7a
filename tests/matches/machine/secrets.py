"""Which decks are in use, who may know them, and what people read that is no match.

Whole decks only, which is quick; single cards are watched in
``tests/security/test_secrets_of_running_matches.py``.
"""

from typing import Any

from accounts.audit.models import Entry
from cardroom.rules import record
from games.matches.models import Notice
from games.matches.selectors.lineage import standing_rounds
from games.matches.selectors.log import decks_of, log_entries
from games.operations.models import BulkResult

LONG = 20  # letters at least: a shorter deck may stand in a text by chance


def decks_in_use(match: Any) -> frozenset[str]:
    """Those of the running round, as records write them."""
    if match.state_json is None:
        return frozenset()
    opened = standing_rounds(match, match.version)[-1]
    entries = log_entries(match, after=opened.opening_version)
    decks = [*decks_of(bytes(opened.decks)), *(deck for one in entries for deck in one.decks)]
    texts = (record.deck_text(match.rules, deck) for deck in decks)
    return frozenset(text for text in texts if len(text) >= LONG)


def may_know(match: Any, user: Any) -> bool:
    """Only who plays alone, for no rating."""
    people = {seat.user_id for seat in match.seats if seat.kind != "bot"}
    return user is not None and people == {user} and not match.rated


def written_for_people() -> str:
    """The text of notices at tables, of the audit log and of bulk runs."""
    said = [*Notice.objects.values_list("text"), *BulkResult.objects.values_list("said")]
    return str([*said, *Entry.objects.values_list("subject", "details")])
