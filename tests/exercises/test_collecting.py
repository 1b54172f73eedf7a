"""A few public matches a night are looked through, in turns, each once."""

from datetime import datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from time_machine import travel

from config.tasks import duties
from games.exercises import collecting, solving
from games.exercises import searching as finding
from games.exercises.models import Exercise, Scan, Solver
from games.matches.models import Match
from tests.coaching.scenes import analysed
from tests.exercises.scenes import best, collected, from_file, lax, of, over

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def short_matches(monkeypatch):
    lax(monkeypatch)


def at_night(hour=3):
    now = timezone.now()
    return travel(datetime(now.year, now.month, now.day, hour, tzinfo=now.tzinfo), tick=False)


def test_a_new_installation_has_some_of_every_game():
    assert collecting.settle_shipped() > 50
    assert collecting.settle_shipped() == 0
    games = set(Exercise.objects.values_list("game", flat=True))
    assert games == {"pisti", "pazaak", "shithead"}


def test_a_withdrawn_one_does_not_come_back():
    row = from_file()
    Exercise.objects.filter(pk=row.pk).update(withdrawn_at=timezone.now())
    assert collecting.settle_shipped() == 0


def test_of_a_public_match_come_some_exercises_that_are_clear(ada):
    match = over(ada)
    assert collected() == 1
    rows = Exercise.objects.filter(match=match.id)
    assert 0 < rows.count() <= collecting.MOST_OF_A_MATCH
    for row in rows:
        first, second, *_ = of(row).choices
        assert first.chance - second.chance >= finding.MARGIN
        assert row.theme in finding.themes_of(match.rules)
    assert Scan.objects.get().made == rows.count()


def test_a_match_is_looked_through_once(ada):
    over(ada)
    assert (collected(), collected()) == (1, 0)


def test_it_is_done_in_turns_from_where_the_last_one_stopped(ada, monkeypatch):
    monkeypatch.setattr(collecting, "SECONDS_A_TURN", 0.0)
    over(ada)
    collecting.collect(1)
    collecting.look_for_a_while()
    row = Scan.objects.get()
    assert (row.status, row.reached, row.given_at) == ("running", 1, None)
    collecting.look_for_a_while()
    assert Scan.objects.get().reached == 2


def test_a_match_whose_worker_was_lost_is_taken_again(ada):
    over(ada)
    collecting.collect(1)
    assert collecting._taken() is not None
    assert collecting._taken() is None
    Scan.objects.update(given_at=timezone.now() - 2 * collecting.LOST_AFTER)
    assert collecting._taken() is not None


def test_an_analysis_that_is_there_saves_the_quick_search(ada, monkeypatch):
    match = over(ada)
    analysed(match, ada)
    monkeypatch.setattr(finding.Finder, "_quick", lambda *_: pytest.fail("searched again"))
    verdicts = collecting._ForAll(match, finding.finder(match.rules)).verdicts
    assert verdicts
    searching, options = finding.finder(match.rules), match.options
    for decision in collecting._ForAll(match, searching).decisions:
        if decision.version in verdicts:
            searching.clear(decision, options, verdicts[decision.version])


class TestNight:
    def test_in_the_hours_of_the_night_and_no_more_than_one_may_have(self, ada, settings):
        settings.EXERCISE_MATCHES_A_NIGHT = 2
        for _ in range(3):
            over(ada)
        with at_night(14):
            assert collecting.collect_tonight() == 0
        with at_night():
            assert collecting.collect_tonight() == 2
            assert collecting.collect_tonight() == 0

    def test_none_where_the_operator_wants_none(self, ada, settings):
        settings.EXERCISE_MATCHES_A_NIGHT = 0
        over(ada)
        with at_night():
            assert collecting.collect_tonight() == 0

    def test_no_more_of_a_game_that_has_enough(self, ada, monkeypatch):
        monkeypatch.setattr(collecting, "ENOUGH", 1)
        from_file("pazaak")
        over(ada)
        assert collecting.collect(5) == 0
        assert collecting.collect(5, ["pazaak"]) == 1

    def test_not_of_matches_of_long_ago(self, ada):
        match = over(ada)
        Match.objects.filter(id=match.id).update(
            finished_at=timezone.now() - 2 * collecting.LATELY - timedelta(days=1)
        )
        assert collecting.collect(5) == 0


def test_the_work_stands_behind_every_turn_of_a_computer():
    assert duties.registry()["exercises"].kind == "long"


def test_the_command_counts_again(ada, capsys):

    row = from_file()
    solving.answer(user=ada, exercise_id=row.pk, move=best(row))
    call_command("exercises", "recount")
    Solver.objects.update(mean=2.0)
    with pytest.raises(CommandError):
        call_command("exercises", "recount")
