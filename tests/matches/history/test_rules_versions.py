"""Stored matches go on by the version of the rules that they began with; new ones are newest."""

from random import Random

import pytest

from cardroom.rules import catalog, record
from games.matches import importing, joining, loading, records, verification
from games.matches.importing import Terms
from games.matches.models import Match
from games.matches.refusals import IllegalMove
from tests.matches.scenes import called_off, move, now, opened, played, resigned
from tests.rules.playing import Sitting

pytestmark = pytest.mark.django_db

SHITHEAD = catalog.find("shithead")
VERSION_1 = SHITHEAD.by_version(1)
MOST = 27  # swaps between two, by version 2


@pytest.fixture
def old(ada, monkeypatch):
    """A match that the release before opened."""
    games = [VERSION_1 if game is SHITHEAD else game for game in catalog.GAMES]
    with monkeypatch.context() as before:
        before.setattr(catalog, "GAMES", tuple(games))
        return opened(ada, "me, local Twin", "shithead")


def swapped(match, times: int):
    for _ in range(times):
        match = move(match, match.rules.legal_moves(match.state, 0)[1], 0)
    return match


def check(match) -> None:
    assert list(verification.faults(match)) == []
    over = match if match.is_over else now(called_off(match))
    told = records.of(over)
    assert told.rules_version == match.rules_version
    assert record.verify(record.write(told)) is None


def test_a_new_match_is_by_the_newest_rules(ada):
    match = opened(ada, "me, local Twin", "shithead")
    assert match.rules_version == SHITHEAD.rules_version == 2
    match = swapped(match, MOST)
    with pytest.raises(IllegalMove, match="be ready"):
        move(match, f"swap {_codes(match)}", 0)
    assert now(match).version == MOST
    check(played(match, match.version + 40))


def _codes(match) -> str:
    view = match.rules.view(match.state, 0)
    return f"{view.hand[0]} {view.tops[0][0]}"


def test_one_that_runs_goes_on_by_its_own(old):
    match = swapped(now(old), MOST + 9)
    assert (match.rules_version, match.rules.rules_version) == (1, 1)
    assert b"swaps_left" not in bytes(Match.objects.get(id=match.id).state)
    check(played(match, match.version + 60, Random(1)))


@pytest.mark.parametrize("cards", ["same", "reshuffled"])
def test_a_load_goes_on_by_its_parents(old, ada, cards):
    parent = swapped(now(old), MOST + 3)
    child = loading.load(match_id=parent.id, user=ada, cards=cards, version=MOST + 1)
    assert child.rules_version == 1
    child = swapped(child, 3)
    called_off(now(parent))
    check(child)
    check(now(parent))


def test_a_rematch_is_a_new_match(old, ada):
    over = resigned(now(old), 0)
    assert joining.open_rematch(match_id=over.id, user=ada).rules_version == 2


@pytest.mark.parametrize("version", [1, 2])
def test_a_record_is_imported_as_what_it_was(version):
    game = SHITHEAD.by_version(version)
    sitting = Sitting.begun(game, game.options())
    sitting.match = "0193aaaa-0000-7000-8000-000000000001"
    line = record.write(sitting.play_on(Random(version)).record())
    assert importing.store(line, Terms())
    match = now(Match.objects.get())
    assert match.rules_version == version
    assert list(verification.faults(match)) == []
    assert record.write(records.of(match)) == line


def test_a_version_of_a_newer_release_is_played_by_the_newest_known(ada):
    """Where a release was taken back its matches can still be listed, played and called off."""
    match = opened(ada, "me, local Twin", "shithead")
    Match.objects.filter(id=match.id).update(rules_version=9)
    assert now(match).rules is SHITHEAD
    assert played(now(match)).status == "finished"
