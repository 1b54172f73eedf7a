"""Tournaments and weeks of leagues are corrected by operators (issue 59.6)."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.audit.log import Actor
from accounts.audit.models import Entry
from games.competitions import advancing
from games.competitions.models import Entrant, Tournament
from games.leagues import divisions
from games.leagues.models import Line, Week
from games.operations import acts, undoing
from games.operations.models import BulkRun
from games.ratings import rating
from games.ratings.models import PersonRating
from games.ratings.people import standing_of
from tests.admin.test_acts import WHY, staff, told
from tests.competitions.held import begun, end_all, held, matches_of, paid, player, sheet
from tests.competitions.held import now as now_of
from tests.competitions.test_organising import told as told_of
from tests.leagues.scenes import day, line, over, recounted, won
from tests.matches.scenes import now
from tests.people.ended import between

pytestmark = pytest.mark.django_db


@pytest.fixture
def by(cleo) -> Actor:
    return Actor.of(cleo, "It was entered wrongly.")


@pytest.fixture
def cup(ada):
    cup = held(ada, "swiss", rounds=2, game="pisti", rated=False)
    return begun(cup, *(player(f"player{n}") for n in range(4)))


def changed(cup, what, role="referee", **sent) -> str:
    browser = staff(role)
    page = reverse("admin:competitions_tournament_act", args=[cup.pk, what])
    answer = browser.post(page, WHY | sent)
    return told(browser, answer)[0] if answer.status_code == 302 else str(answer.status_code)


def points_of(cup) -> list[int]:
    return [line.points for line in sheet(cup).lines]


def test_a_result_is_corrected_and_the_standings_follow(cup):
    cup = end_all(cup)  # the second round runs
    board = next(one for one in sheet(cup).boards if one.round == 1 and one.number == 1)
    before = {place.entrant_id: place.points for place in board.places.all()}
    assert changed(cup, "correct", board=board.pk, result="second").startswith("Corrected")
    again = next(one for one in sheet(cup).boards if one.pk == board.pk)
    after = {place.entrant_id: place.points for place in again.places.all()}
    assert list(after.values()) == list(before.values())[::-1]
    assert Entry.objects.get(action="correct_board").details["was"] == list(before.values())
    assert end_all(cup).status == "finished"
    was = points_of(cup)
    board = sheet(cup).boards[-1]
    changed(cup, "correct", role="administrator", board=board.pk, result="draw")
    assert points_of(cup) != was  # after its end, too


@pytest.mark.parametrize("sent", [{"board": "x"}, {"board": "99999"}, {"result": "both"}])
def test_no_other_result(cup, sent):
    board = sheet(cup).undecided[0]
    said = changed(cup, "correct", **{"board": board.pk, "result": "first"} | sent)
    assert said.startswith(("Only the result", "Name who wins"))
    assert points_of(cup) == [0] * 4


def test_a_knockout_has_winners(ada):
    cup = begun(held(ada, "knockout", game="pisti"), *(player(f"player{n}") for n in range(4)))
    end_all(cup)
    board = sheet(cup).boards[0]
    assert changed(cup, "correct", board=board.pk, result="draw").startswith("Name who wins")
    said = changed(cup, "correct", role="administrator", board=board.pk, result="second")
    assert said.startswith("The winner plays the next round")


def test_its_date_and_its_name(ada, cup):
    later = timezone.now().replace(microsecond=0, second=0) + timedelta(days=2)
    sent = {"at": f"{later:%Y-%m-%dT%H:%M}"}
    waiting = held(ada, name="Morning cup")
    assert changed(waiting, "move", **sent).startswith("Moved to")
    assert now_of(waiting).starts_at == later
    changed(cup, "move", role="administrator", **sent)
    assert sheet(cup).stages[-1].deadline_at == later
    assert told_of(ada) == ["begun", "changed", "changed"]
    changed(cup, "rename", role="viewer", name="Night cup")
    assert now_of(cup).name == "Evening cup"  # a viewer only looks


@pytest.mark.parametrize("at", ["", "tomorrow", "2020-01-01T10:00", "2099-01-01T10:00"])
def test_no_other_date(ada, at):
    waiting = held(ada)
    assert changed(waiting, "move", at=at).startswith(("Write the time", "Name a time"))
    assert now_of(waiting).starts_at == waiting.starts_at


@pytest.mark.parametrize("name", ["Night cup", "x" * 41, "admin", ""])
def test_a_name_by_the_rules_of_names(cup, name):
    changed(cup, "rename", name=name)
    assert now_of(cup).name == (name if name == "Night cup" else "Evening cup")
    assert (told_of(cup.creator) == ["begun", "changed"]) == (name == "Night cup")


def test_another_person_plays_on_in_a_place(cup, ben):
    """With the points and the number; the match that runs is called off and opened again."""
    end_all(cup)
    running = matches_of(cup, "active")[0]
    entrant = Entrant.objects.get(tournament=cup, account=running.seats.get(index=0).user)
    number, points = entrant.number, {one.entrant: one.points for one in sheet(cup).lines}
    before = entrant.account
    assert "plays in the place of" in changed(cup, "replace", entrant=entrant.pk, username="BEN")
    entrant.refresh_from_db()
    assert (entrant.account, entrant.number) == (ben, number)
    assert {one.entrant: one.points for one in sheet(cup).lines} == points
    assert now(running).status == "aborted"
    assert (told_of(before)[-1:], told_of(ben)) == (["removed"], ["begun", "changed"])
    paid(cup)
    assert any(m.seats.filter(user=ben).exists() for m in matches_of(cup, "active"))
    assert end_all(cup).status == "finished"


@pytest.mark.parametrize("username", ["nobody", "player1", "robo", ""])
def test_by_nobody_else(cup, username):
    entrant = Entrant.objects.filter(tournament=cup).first()
    said = changed(cup, "replace", entrant=entrant.pk, username=username)
    assert said.startswith(("There is no such person", "This person has a place"))
    assert Entrant.objects.get(pk=entrant.pk).account_id == entrant.account_id


class TestWeeks:
    @pytest.fixture
    def week(self, ada, ben) -> Week:
        with day():
            divisions.join(user=ada, game="pisti"), divisions.join(user=ben, game="pisti")
            won(ada, ben), won(ada, ben), won(ben, ada)
        over()
        return Week.objects.get(closed_at__isnull=False)

    def page(self, week) -> str:
        return reverse("admin:leagues_week_change", args=[week.pk])

    def test_annulled_in_bulk_with_a_preview(self, week, ada, ben):
        with day(0, week=1):
            browser = staff("referee")
            sent = {"what": "annul", "username": "ada"}
            draft = browser.post(self.page(week), sent)["Location"]
            shown = browser.get(f"{draft}?ratings")
            assert len(BulkRun.objects.get().match_ids) == 3
            rows = PersonRating.objects.select_related("account").order_by("account__username")
            before = [(row.account.username, standing_of(row, row.at).rating) for row in rows]
            assert [(name, was, then) for name, _, was, then in shown.context["ratings"]] == [
                (name, round(was), None) for name, was in before
            ]
            browser.post(draft, WHY)
            acts.work_off_all()
            rating.rate_finished()
            assert not PersonRating.objects.exists()

    def test_judged_again_after_a_look(self, week, ada, ben, by):
        """Without what was annulled since; the week that followed is put in order."""
        with day(0, week=1):
            browser, was = staff("referee"), stored()
            first = Line.objects.get(week=week, place=1)
            undoing.annul_rating(match_id=won_by(first.account), by=by)
            rating.rate_finished()
            shown = browser.post(self.page(week), {"what": "look"})
            assert len(shown.context["moved"]) == 2
            assert stored() == was
            browser.post(self.page(week), {"what": "judge"})  # without a reason
            assert stored() == was
            browser.post(self.page(week), WHY | {"what": "judge"})
            assert (line(ada).matches, line(ben).matches) == (2, 2)
            recounted()  # raises where something does not follow
            assert Entry.objects.filter(action="judge_week_again").exists()

    def test_not_while_it_runs(self, week, by):
        running = Week.objects.get(closed_at=None)
        with pytest.raises(divisions.WeekRuns):
            divisions.judge_again(week_id=running.pk, by=by)
        assert staff("viewer").post(self.page(running), {"what": "look"}).status_code == 403

    def test_nobody_of_that_name(self, week):
        browser = staff("referee")
        answer = browser.post(self.page(week), {"what": "annul", "username": "nobody"})
        assert told(browser, answer) == ["This person does not play in this week."]


def stored() -> list:
    names = ("pk", "tier", "division", "slot", "points", "matches", "place", "move")
    return [list(Week.objects.values_list("closed_at")), list(Line.objects.values_list(*names))]


def won_by(account):
    from games.ratings.models import RatedSeat

    return RatedSeat.objects.filter(account=account, place=1).order_by("at")[0].rated_match_id


def test_a_look_leaves_the_ratings_as_they_are(ada, ben):
    match = between(ada, ben)
    rating.rate_finished()
    before = list(PersonRating.objects.order_by("pk").values())
    assert [one[0] for one in acts.changes_of_annulling([match.id])] == ["Ada", "Ben"]
    assert list(PersonRating.objects.order_by("pk").values()) == before
    assert now(match).rated


def test_pages_ask_little(cup, django_assert_max_num_queries):
    browser = staff("referee")
    page = reverse("admin:competitions_tournament_change", args=[cup.pk])
    browser.get(page)
    with django_assert_max_num_queries(16):
        assert browser.get(page).status_code == 200


def test_advancing_is_by_the_right(cup):
    assert changed(cup, "replace", role="viewer", entrant="1", username="Ada") == "403"
    assert Tournament.objects.get(pk=cup.pk).version == cup.version
    assert advancing.POINTS["first"] == (2, 0)
