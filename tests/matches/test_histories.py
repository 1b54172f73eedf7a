"""Whatever became of a match, it is told alike: folded, moved elsewhere, with a past by reference.

Rolled back once and again, handed over, timed out, loaded with the same cards and with others, from
what was loaded itself, resigned, called off: all of it goes through fold, replay, verification,
export, import, load and unfold, and everything agrees before and after. Here a history is
drawn for each game; ``make sweeps`` lives one with an act of each kind, ``make soak`` many.
"""

from datetime import UTC, datetime
from random import Random

import pytest
import time_machine
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.audit.log import Actor
from cardroom.rules import catalog
from games.matches import folding, loading, records
from games.matches.importing import Terms, store
from games.matches.models import ArchivedMatch, Match, Ply, Round
from games.matches.records import find_stored, record_lines
from games.matches.selectors.access import get_match
from games.operations import refereeing
from tests.matches.histories import Act, Histories, acts, chains, check, copy_past, told
from tests.matches.scenes import called_off, now, opened, played, played_to_round
from tests.rules.playing import FUZZING

EXAMPLES = FUZZING // 2 if FUZZING else 1
BEGUN = datetime(2030, 1, 1, tzinfo=UTC)

every_game = pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)


def live(game, ada, ben, seed, chosen, then):
    """``then`` gets the matches when all of them are over; nothing is left behind."""
    around = transaction.atomic()
    around._from_testcase = True  # an erasure stands in no transaction of others
    with around, time_machine.travel(BEGUN, tick=True) as clock:
        histories = Histories(game, ada, ben, seed, clock)
        histories.live(chosen)
        then(histories.end(), Random(seed), ada)
        transaction.set_rollback(True)


def agree(matches, before):
    for match, words in zip(matches, before, strict=True):
        assert told(now(match)) == words, match


def through_everything(matches, rng, ada):
    for match in matches:
        check(match)
    before = [told(match) for match in matches]
    for match in matches:
        folding.unfold(match.id)  # which the archive had folded meanwhile
    agree(matches, before)
    for match in rng.sample(matches, len(matches) // 2):  # the others have theirs by reference
        copy_past(match)
    agree(matches, before)
    through_the_archive(matches, before, rng)
    through_a_file(matches, before, ada)


def through_the_archive(matches, before, rng):
    for match in matches:
        assert folding.fold(match.id), match
    assert not Ply.objects.exists()
    assert not Round.objects.exists()
    agree(matches, before)
    for match in matches:
        check(now(match))
    for match in rng.sample(matches, len(matches) // 2):
        assert folding.unfold(match.id)
    agree(matches, before)
    for match in matches:
        folding.unfold(match.id)
    assert not ArchivedMatch.objects.exists()
    agree(matches, before)


def through_a_file(matches, before, ada):
    """The records of another installation; histories go on there."""
    lines = list(record_lines(find_stored(private=True), reader=None))
    assert sorted(lines) == sorted(words[0] + b"\n" for words in before)
    Match.objects.update(parent=None, parent_version=None, loaded=None)
    Match.objects.all().delete()
    for line in lines:
        assert store(line, Terms(accounts={"Ada": ada}))
    again = [get_match(match.id) for match in matches]
    assert list(record_lines(find_stored(private=True), reader=None)) == lines
    for match in again:
        check(match)
        assert folding.fold(match.id)
        check(get_match(match.id))
        folding.unfold(match.id)


@every_game
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not FUZZING,
    suppress_health_check=list(HealthCheck),
)
@given(chosen=acts | chains(), seed=st.integers(0, 99))
def test_everything_agrees_before_and_after(game, ada, ben, chosen, seed):
    live(game, ada, ben, seed, chosen, through_everything)


ONE_OF_EACH = [
    Act("play", 0, 60),
    Act("roll back", 0, 0),
    Act("play", 0, 70),
    Act("load same", 0, 9),
    Act("load reshuffled", 0, 11),
    Act("load reshuffled", 1, 17),
    Act("load same", 2, 14),
    Act("load the last one", 0, 1),
    Act("roll back", 0, 1),
    Act("play", 0, 30),
    Act("open", 0, 5),
    Act("hand over", 6, 0),
    Act("play", 6, 20),
    Act("open", 0, 2),
    Act("play", 7, 3),
    Act("time out", 7, 0),
    Act("load reshuffled", 7, 2),
    Act("resign", 8, 0),
    Act("abort", 2, 0),
]


@pytest.mark.sweep
@every_game
def test_one_of_each(game, ada, ben):
    live(game, ada, ben, 1, ONE_OF_EACH, through_everything)


@every_game
def test_a_rolled_back_match_verifies_in_the_archive(game, ada, ben):
    """Also when it was rolled back twice."""
    chosen = [Act("roll back", 0, 0), Act("play", 0, 5), Act("roll back", 0, 0), Act("play", 0, 9)]

    def verify(matches, _rng, _ada):
        (match,) = matches
        written = records.of(match)
        assert sum(one.undone for one in written.rounds) > 1
        check(match)
        assert folding.fold(match.id)
        check(now(match))
        assert records.of(now(match)) == written

    live(game, ada, ben, 2, chosen, verify)


@pytest.mark.parametrize("cards", ["same", "reshuffled"])
def test_a_loaded_match_that_was_rolled_back_verifies_in_the_archive(ada, cards):
    """Cards dealt again depend on the load's own plies before, which are in the archive too."""
    parent = played_to_round(opened(ada), 2)
    new = loading.load(match_id=parent.id, user=ada, cards=cards, version=parent.version - 4)
    new = played(played_to_round(new, 3), parent.version + 9)
    by = Actor.of(ada, "A scene needs it.")
    refereeing.roll_back(match_id=new.id, by=by, round=new.round)
    new = called_off(played(now(new), now(new).version + 3))
    called_off(now(parent))
    written = records.of(now(new))
    assert folding.fold(new.id)
    check(now(new))
    assert records.of(now(new)) == written
