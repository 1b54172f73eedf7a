"""A few public matches a night are looked through, in turns, each once."""

import re
from datetime import datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from time_machine import travel

from config.tasks import duties
from games.exercises import collecting, selectors, solving
from games.exercises import searching as finding
from games.exercises.collecting import store
from games.exercises.models import Exercise, Scan, Solver
from games.exercises.selectors import NoExerciseLeft, NoSuchExercise
from games.matches.loading import load
from games.matches.models import Match, SharedDeal
from tests.api.calls import get
from tests.coaching.scenes import analysed
from tests.exercises.scenes import best, clear_position, collected, from_file, lax, of, over
from tests.matches.scenes import now, opened, played, resigned

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


# Whose secret an exercise is: asked when it is made, and again whenever it is shown.


@pytest.fixture
def public(ada):
    """A public match that gave exercises."""
    match = over(ada)
    collected()
    assert Exercise.objects.filter(match=match.id).exists()
    return match


def first(match):
    return Exercise.objects.filter(match=match.id, owner=None).order_by("id")[0]


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_a_match_that_is_not_public_gives_nobody_an_exercise(ada, visibility):
    over(ada, visibility=visibility)
    assert collected() == 0
    assert not Exercise.objects.exists()


def test_a_match_that_became_private_while_it_waited_gives_none(ada):
    match = over(ada)
    collecting.collect(1)
    Match.objects.filter(id=match.id).update(visibility="private")
    collecting.look_for_a_while()
    assert Scan.objects.get().status == "finished"
    assert not Exercise.objects.exists()


def test_a_running_match_and_one_that_was_called_off_give_none(ada):
    played(opened(ada, "me, bot gambler", "pazaak", visibility="public"), 4)
    match = over(ada)
    Match.objects.filter(id=match.id).update(status="aborted")
    assert collected() == 0


def test_it_is_kept_back_once_its_match_is_private(public, ben):
    row = first(public)
    assert selectors.find(row.pk, ben.pk) == row
    Match.objects.filter(id=public.id).update(visibility="private")
    with pytest.raises(NoSuchExercise):
        selectors.find(row.pk, ben.pk)
    with pytest.raises(NoExerciseLeft):
        selectors.next_for(ben.pk)


def test_it_is_kept_back_while_another_match_uses_its_cards(ada, ben):
    """Loaded while it ran, so what lies in its stock is dealt there still."""
    match = played(opened(ada, "me, bot gambler", "pazaak", visibility="public"), 3)
    child = load(match_id=match.id, version=match.version, user=ada, cards="same")
    played(now(match))
    assert child.status == "active"
    collected()
    assert not Exercise.objects.exists()
    decision, position = clear_position()
    store(position, "keep_a_card", match.id, decision.version, owner=None)
    row = first(match)
    for reader in (ben.pk, None):
        with pytest.raises(NoSuchExercise):
            selectors.find(row.pk, reader)
    assert selectors.of_the_day("pazaak") is None
    resigned(now(child), 0)
    assert selectors.find(row.pk, ben.pk) == row


def test_a_match_whose_cards_others_are_still_dealt_gives_none(ada):
    match = over(ada)
    sealed = SharedDeal.objects.create(commitment="0" * 64)
    Match.objects.filter(id=match.id).update(deal=sealed)
    collected()
    assert not Exercise.objects.exists()


def test_what_is_stored_names_no_one_and_holds_no_card_that_was_not_seen(public):
    row = first(public)
    stored = bytes(row.position)
    for secret in (public.seed.hex().encode(), b"Ada", b"Gambler", str(public.id).encode()):
        assert secret not in stored
    position = of(row)
    rival = position.seen.halves[1 - position.seat]
    assert not hasattr(rival, "hand")
    assert all(event == event.seen_by(position.seat) for event in position.remembered)


def test_page_and_api_tell_nothing_before_an_answer(public, ben, keyed, client):
    row = first(public)
    program = keyed(ben)
    for body in (
        get(program, f"exercises/{row.pk}").json(),
        get(program, "exercises/next?game=pazaak").json(),
    ):
        assert body["answer"] is None
        assert "choices" not in str(body)
        assert str(public.id) not in str(body)
    client.force_login(ben)
    page = client.get(f"/exercises/{row.pk}").content.decode()
    assert str(public.id) not in page
    assert not re.search(r"\bAda\b", page)
    chance = f"{100 * of(row).best.chance:.0f} %"
    assert chance not in page
    solving.answer(user=ben, exercise_id=row.pk, move=best(row))
    page = client.get(f"/exercises/{row.pk}").content.decode()
    assert f"/matches/{public.id}?ply={row.version}" in page
    assert chance in page
    assert get(program, f"exercises/{row.pk}").json()["answer"]["match"] == str(public.id)


def test_another_reader_still_reads_no_answer(public, ben, cleo, keyed):
    row = first(public)
    solving.answer(user=ben, exercise_id=row.pk, move=best(row))
    assert get(keyed(cleo), f"exercises/{row.pk}").json()["answer"] is None


def test_whoever_sat_at_the_table_is_not_rated_by_it(public, ada, ben):
    row = first(public)
    assert solving.answer(user=ada, exercise_id=row.pk, move=best(row)).after is None
    assert solving.answer(user=ben, exercise_id=row.pk, move=best(row)).after is not None


class TestMistakes:
    @pytest.fixture
    def private(self, ada):
        """A private match of Ada's that the coach judged."""
        match = over(ada, visibility="private")
        analysed(match, ada)
        collecting.collect_mistakes()
        while Scan.objects.filter(status="running").exists():
            collecting.look_for_a_while()
        return match

    def test_they_are_of_the_person_alone(self, private, ada, ben):
        rows = Exercise.objects.filter(match=private.id)
        assert rows
        for row in rows:
            assert row.owner == ada
            assert of(row).played
            assert not of(row).is_solved_by(of(row).played)
            assert selectors.find(row.pk, ada.pk) == row
            for reader in (ben.pk, None):
                with pytest.raises(NoSuchExercise):
                    selectors.find(row.pk, reader)
        with pytest.raises(NoExerciseLeft):
            selectors.next_for(ben.pk)

    def test_they_come_up_at_once_and_are_not_rated(self, private, ada):
        row = selectors.next_review(ada.pk, "pazaak")
        assert row.match_id == private.id
        assert solving.answer(user=ada, exercise_id=row.pk, move=best(row)).after is None

    def test_a_match_is_looked_through_once(self, private):
        assert collecting.collect_mistakes() == 0
