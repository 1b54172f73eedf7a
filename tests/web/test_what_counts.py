"""What a match shows of itself is told of what was played, not of what was taken back."""

from random import Random
from types import SimpleNamespace

import pytest

from accounts.audit.log import Actor
from cardroom.rules import catalog
from games.language import speaker
from games.matches import loading
from games.matches.selectors.lineage import rounds_of_match
from games.matches.selectors.log import events_for, log_entries, standing_entries
from games.operations import refereeing
from games.web.table.ending import best_of_match
from games.web.tables import page_of
from games.web.tables.pyanitsa import _up_to_date
from tests.matches.scenes import now, opened, played, resigned
from tests.rules.short import short_options

pytestmark = pytest.mark.django_db

HOUSE = [game.slug for game in catalog.OF_THE_HOUSE]


def _opening(match, number: int) -> int:
    standing = [one for one in rounds_of_match(match) if one.undone_at is None]
    return next(one.opening_version for one in standing if one.number == number)


def _rolled_back(match, who, gone: set[int], number: int = 1):
    """The match taken back, and in ``gone`` the versions that count no more."""
    first = _opening(match, number)
    refereeing.roll_back(match_id=match.id, by=Actor.of(who, "A bad deal."), round=number)
    match = now(match)
    gone |= set(range(first + 1, match.version))
    return match


def _plies(match, gone: set[int]):
    entries = [entry for entry in log_entries(match) if entry.version not in gone]
    return [(entry.version, events_for(match, entry, None)) for entry in entries]


def _assert_told_of(match, gone: set[int]) -> None:
    assert gone
    assert not gone & {entry.version for entry in standing_entries(match)}
    plies = _plies(match, gone)
    assert [entry.version for entry in standing_entries(match)] == [version for version, _ in plies]
    game_page, page = page_of(match.game), SimpleNamespace(match=match)
    told = best_of_match(page, game_page)
    events = [event for _, events in plies for event in events]
    assert told.sentences == [*map(speaker(), game_page.moments(events, match.names))]
    assert told.clip is None or told.clip.version not in gone


@pytest.mark.parametrize("game", HOUSE)
def test_after_roll_backs(game, ada):
    gone: set[int] = set()
    match = opened(ada, "me, local Twin", game, options=short_options(catalog.find(game)))
    match = played(match, 5)
    for _ in range(2):
        match = _rolled_back(match, ada, gone)
        match = played(match, match.version + 4, Random(3))
    _assert_told_of(played(match), gone)


@pytest.mark.parametrize("game", HOUSE)
def test_loaded_from_a_match_that_is_rolled_back_later(game, ada):
    """What the parent takes back after the load was played in the match that was loaded."""
    parent = played(opened(ada, "me, local Twin", game), 3)
    match = loading.load(match_id=parent.id, user=ada, cards="same", version=parent.version)
    gone: set[int] = set()
    parent = _rolled_back(played(parent, parent.version + 2), ada, gone)
    assert gone & {entry.version for entry in log_entries(match)}
    assert standing_entries(match) == [*log_entries(match)]
    assert not gone & {entry.version for entry in standing_entries(parent)}


@pytest.mark.parametrize("game", HOUSE)
def test_handed_over_after_a_roll_back(game, ada):
    gone: set[int] = set()
    match = played(opened(ada, "me, local Twin", game), 5)
    match = _rolled_back(match, ada, gone)
    _assert_told_of(resigned(played(match, match.version + 3), 1), gone)


def test_the_curve_of_pyanitsa_begins_again(ada):
    """The one that is kept had followed the tricks that are gone."""
    match = played(opened(ada, "me, local Twin", "pyanitsa"), 9)

    def page(match):
        after = [*log_entries(match, until=match.version)]
        return SimpleNamespace(
            match=match,
            entries_after=lambda version: [entry for entry in after if entry.version > version],
        )

    before = _up_to_date(page(match)).trick
    assert before
    match = _rolled_back(match, ada, set())
    counts = _up_to_date(page(match))
    assert counts.trick == 0
    assert sum(counts.held) == 36
