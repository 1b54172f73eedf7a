"""Matches folded into one row: nobody who reads them sees a difference, and the way back."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from cardroom.rules import catalog, record
from games.matches import folding, loading, moves, records, verification
from games.matches.models import ArchivedMatch, Match, Ply
from games.matches.selectors.access import Caller
from games.matches.selectors.history import match_at
from games.matches.selectors.lists import rounds_of
from games.matches.selectors.log import log_entries
from tests.matches.histories import check
from tests.matches.scenes import called_off, move, now, opened, played, short

MOST_BYTES = 1200


def old(match):
    long_ago = timezone.now() - timedelta(days=400)
    Match.objects.filter(id=match.id).update(finished_at=long_ago)
    return now(match)


def finished(ada, game="pisti", seats="me, local Twin"):
    return old(played(short(ada, game, seats)))


def told(match):
    """What readers of a match get."""
    return (
        record.write(records.of(match)),
        list(log_entries(match)),
        match_at(match, match.version // 2),
        [(r.number, r.opening_version, r.scores, r.opened_at) for r in rounds_of(match)],
        list(verification.faults(match)),
    )


@pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
def test_folded_and_back_it_is_the_same(ada, game):
    match = finished(ada, game)
    before, rows = told(match), folding.stored_rows(match.id)
    assert folding.fold(match.id)
    assert not Ply.objects.filter(match_id=match.id).exists()
    assert now(match) == match
    assert told(match) == before
    assert folding.unfold(match.id)
    assert folding._same(folding.stored_rows(match.id), rows)
    assert told(match) == before
    assert not ArchivedMatch.objects.exists()


def test_a_deal_between_two_takes_little(ada):
    matches = [old(played(opened(ada, "me, bot greedy", preset="single"))) for _ in range(3)]
    today = folding.bytes_of(matches[0].id)
    assert folding.fold_some(older_than=timedelta(days=30)) == 3
    assert max(folding.bytes_of(match.id) for match in matches) < MOST_BYTES < today


def test_only_what_is_over_for_long_with_its_whole_family(ada):
    running, young = opened(ada), played(short(ada, "pazaak"))
    parent = finished(ada)
    child = loading.load(match_id=parent.id, user=ada, round=1, cards="same")
    third = old(called_off(loading.load(match_id=child.id, user=ada, version=0, cards="same")))
    assert folding.fold_some(older_than=timedelta(days=30)) == 0
    assert not any(folding.fold(match.id) for match in (running, parent, child, third))
    assert folding.fold(young.id)
    old(called_off(child))
    assert folding.fold_some(older_than=timedelta(days=30)) == 3
    assert ArchivedMatch.objects.filter(match_id__in=[parent.id, child.id, third.id]).count() == 3


def test_a_key_still_answers_its_first_answer(ada):
    match = move(short(ada, "pisti"), key="first")
    asked = {"match_id": match.id, "caller": Caller(user=ada.id), "version": 0, "key": "first"}
    (entry,) = log_entries(match, after=0)
    over = old(played(match))
    folding.fold(over.id)
    again = moves.play(move=entry.move, seat=entry.seat, **asked)
    assert (again.match.version, again.match.state) == (1, match.state)


def test_loading_from_a_folded_match_leaves_it_folded(ada):
    match = finished(ada)
    folding.fold(match.id)
    for cards in ("same", "reshuffled"):
        loaded = loading.load(match_id=match.id, user=ada, version=9, cards=cards)
        assert [entry.version for entry in log_entries(loaded)] == list(range(10))
        check(played(loaded))
    assert ArchivedMatch.objects.filter(match_id=match.id).exists()


def test_the_command_folds_what_has_just_ended(ada, capsys, settings):
    """`--days 0` is an answer, not the lack of one."""
    match = played(short(ada, "pisti"))
    call_command("archive", "--days", "0")
    assert ArchivedMatch.objects.filter(match_id=match.id).exists()
    for days in ("-1", "x", "9" * 30):
        with pytest.raises(CommandError, match="no number of days"):
            call_command("archive", "--days", days)
    settings.RETENTION = settings.RETENTION | {"archive": 0}
    with pytest.raises(CommandError, match="Archiving is off"):
        call_command("archive")


def test_the_command(ada, capsys):
    match = finished(ada)
    call_command("archive", "--days", "30")
    assert ArchivedMatch.objects.filter(match_id=match.id).exists()
    call_command("archive", "--restore", str(match.id))
    assert not ArchivedMatch.objects.exists()
    assert "1 match folded" in capsys.readouterr().out
