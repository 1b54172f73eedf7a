"""One button takes an act back, with all that followed from it (issue 59.6)."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.audit.log import Actor
from accounts.audit.models import Entry
from accounts.models import User
from decks.models import Deck
from games.competitions import boards
from games.leagues import divisions
from games.leagues.models import Line
from games.matches import joining, verification
from games.matches.models import Match, Ply
from games.operations import people, undoing
from games.operations.acts import ACTS
from games.operations.models import Undoable
from games.operations.undoing import TooLate
from games.people.counting import count_finished
from games.people.models import Meeting, Result, Tally
from games.ratings import rating
from games.ratings.models import PersonRating, RatedSeat
from tests.admin.test_acts import WHY, staff, told
from tests.competitions.held import begun, end_all, held, matches_of, player, sheet
from tests.competitions.held import now as now_of
from tests.leagues.scenes import IN_PUBLIC, day, line, over, recounted, won
from tests.matches.scenes import now, opened, played
from tests.people.ended import between, resigned

pytestmark = pytest.mark.django_db
UNDO = '<button class="op-button primary">Undo</button>'
DERIVED = (PersonRating, RatedSeat, Result, Tally, Meeting, Line)


@pytest.fixture
def by(cleo) -> Actor:
    return Actor.of(cleo, "It was a mistake.")


@pytest.fixture
def match(ada, ben):
    found = opened(ada, "me, user Ben", **IN_PUBLIC)
    return played(joining.join(match_id=found.id, user=ben), 5)


def derived() -> dict[str, list]:
    """All that is counted from matches, without the ids of its rows."""
    rating.rate_finished(), count_finished()
    found = {}
    for model in DERIVED:
        names = [f.attname for f in model._meta.concrete_fields if f.name not in ("id", "account")]
        found[model.__name__] = sorted(map(repr, model.objects.values_list("account_id", *names)))
    return found


def pressed(browser=None) -> str:
    """The message after a press of the newest undo button."""
    if browser is None:
        User.objects.filter(username="referee").update(username=f"referee{User.objects.count()}")
        browser = staff("referee")
    row = Undoable.objects.first()
    answer = browser.post(reverse("admin:operations_undoable_change", args=[row.pk]))
    return told(browser, answer)[-1] if answer.status_code == 302 else str(answer.status_code)


def acted(slug, match, by, **values):
    return ACTS[slug].apply(match.id, by, values)


def stands_as(match) -> tuple:
    row = now(match)
    seats = [(one.place, one.resigned_at, one.points, one.stand_in) for one in row.seats]
    return row.status, row.version, row.round, row.to_act, row.outcome_json, row.state_json, seats


@pytest.mark.parametrize(("slug", "values"), [("abort", {}), ("adjudicate", {"winner": 1})])
def test_a_match_goes_on_as_it_stood(match, ada, ben, by, slug, values):
    """Neither moves nor ratings, results and meetings of before are lost (6)."""
    between(ben, ada, **IN_PUBLIC)
    before, stood = derived(), stands_as(match)
    acted(slug, match, by, **values)
    derived()
    Match.objects.filter(pk=match.id).update(finished_at=timezone.now() - timedelta(minutes=30))
    left = match.deadline_at - timezone.now()
    assert "stands as it did" in pressed()
    assert stands_as(match) == stood
    assert abs(now(match).deadline_at - timezone.now() - timedelta(minutes=30) - left) < (
        timedelta(seconds=5)
    )
    assert derived() == before
    assert not list(verification.faults(now(match)))
    recounted()  # raises where something does not follow
    assert not now(match).rated  # its record could be read
    assert played(now(match), now(match).version + 1).version == match.version + 1
    assert Entry.objects.filter(action=f"undo_{slug}").exists()


def test_rated_matches_after_it_are_rated_as_without_it(match, ada, ben, by):
    acted("adjudicate", match, by, winner=1)
    rating.rate_finished()
    between(ada, ben, **IN_PUBLIC)
    derived()
    pressed()
    found = derived()
    rows = [one for one in found["RatedSeat"] if str(match.id) in one]
    assert (rows, len(found["RatedSeat"])) == ([], 2)
    recounted()


def test_annulled_and_back_in_its_place(ada, ben, by):
    """The ratings of the matches after it follow from it again, to the last bit."""
    first = between(ada, ben, **IN_PUBLIC)
    between(ben, ada, **IN_PUBLIC), between(ada, ben, **IN_PUBLIC)
    before = derived()
    acted("annul-rating", first, by)
    assert derived() != before
    assert pressed() == "In the ratings again."
    assert derived() == before
    acted("annul-rating", first, by)  # nothing was settled in between
    pressed()
    assert derived() == before


@pytest.mark.parametrize("slug", ["annul-rating", "close"])
def test_points_of_a_closed_week_come_back(ada, ben, by, slug):
    with day():
        divisions.join(user=ada, game="pisti"), divisions.join(user=ben, game="pisti")
        match = won(ada, ben)
        count_finished()
        before = now(match).visibility
        acted(slug, match, by)
        rating.rate_finished()
    over()
    assert line(ada).matches == 0
    Undoable.objects.update(until=timezone.now() + timedelta(days=30))
    with day(0, week=1):
        pressed()
        assert now(match).visibility == before
        assert (line(ada).matches, line(ada).points > line(ben).points) == (1, True)
    recounted()  # raises where something does not follow


def test_a_match_that_waits_for_players(ada, ben, by):
    match = opened(ada, "me, open", **IN_PUBLIC)
    acted("abort", match, by)
    pressed()
    assert joining.join(match_id=match.id, user=ben).status == "active"
    assert now(match).rated


def test_too_late(match, by):
    acted("abort", match, by)
    Undoable.objects.update(until=timezone.now())
    assert pressed() == str(TooLate())
    assert now(match).status == "aborted"


def test_twice_is_once(match, by):
    acted("abort", match, by)
    pressed()
    assert pressed(staff("administrator")) == str(TooLate())


def test_what_was_done_later_is_taken_back_first(match, by):
    """Otherwise the match would be shown again with the first, and the second would stand."""
    acted("abort", match, by), acted("close", match, by)
    browser = staff("referee")
    page = browser.get(reverse("admin:games_match_change", args=[match.id]))
    assert [one.act for one in page.context["undoable"]] == ["close"]
    first = Undoable.objects.get(act="abort")
    answer = browser.post(reverse("admin:operations_undoable_change", args=[first.pk]))
    assert told(browser, answer) == ["Take back first what was done later."]
    assert pressed(browser) == "Who could see it sees it again."
    browser.post(reverse("admin:operations_undoable_change", args=[first.pk]))
    assert (now(match).status, now(match).visibility) == ("active", match.visibility)


@pytest.mark.parametrize(("role", "said"), [("viewer", "403"), ("referee", "The match stands")])
def test_by_those_who_may_do_the_act(match, by, role, said):
    acted("abort", match, by)
    browser = staff(role)
    page = browser.get(reverse("admin:games_match_change", args=[match.id])).content.decode()
    assert (UNDO in page) == (role == "referee")
    assert pressed(browser).startswith(said)


def test_by_no_player_of_the_match(match, ada, by):
    acted("abort", match, by)
    ada.is_staff = ada.is_superuser = True
    ada.save()
    with pytest.raises(undoing.refereeing.OwnMatter):
        undoing.undo(undo_id=Undoable.objects.get().pk, user=ada)


class TestPeople:
    @pytest.mark.parametrize("days", ["", "3"])
    def test_the_suspended_play_on(self, match, ada, ben, by, days):
        """For good their seats were given up, for a time a computer held them."""
        waiting = opened(ben, "me, open", **IN_PUBLIC)
        before, stood = derived(), stands_as(match)
        browser = staff("referee")
        sent = WHY | {"days": days, "seats": "bot" if days else "resign"}
        browser.post(reverse("admin:operations_person_act", args=[ben.pk, "suspend"]), sent)
        assert now(waiting).status == "aborted"
        derived()
        assert "The suspension is lifted. Matches put back: 2 of 2." in pressed(browser)
        assert stands_as(match) == stood
        assert derived() == before
        assert joining.join(match_id=waiting.id, user=ada).status == "active"
        assert User.objects.get(pk=ben.pk).is_active
        assert now(match).rated == bool(days)

    def test_all_is_counted_again_once_and_only_if_something_ended(
        self, match, ada, ben, by, monkeypatch
    ):
        counted = []
        monkeypatch.setattr(undoing.counting, "count_again", counted.append)
        acted("close", match, by)
        assert counted == []
        lost = [match, joining.join(match_id=opened(ada, "me, user Ben").id, user=ben)]
        undoing.suspend(user_id=ben.pk, by=by, until=None, resigns=True)
        assert "Matches put back: 2 of 2." in pressed()
        assert [set(each) for each in counted] == [{one.id for one in lost}]

    def test_what_was_played_on_stays(self, match, ada, ben, by):
        until = timezone.now() + timedelta(days=1)
        undoing.suspend(user_id=ben.pk, by=by, until=until, resigns=False)
        resigned(now(match), ada)
        assert "Matches put back: 0 of 1." in pressed()
        assert now(match).status == "finished"

    def test_erased_after_a_day_or_not_at_all(self, match, ada, ben, first):
        browser, stood = staff("administrator"), stands_as(match)
        page = reverse("admin:operations_person_act", args=[ada.pk, "erase"])
        browser.post(page, WHY | {"username": "Ada"})
        people.finish_erasures()
        ada.refresh_from_db()
        assert (ada.username, ada.is_active) == ("Ada", False)
        assert first.get("/api/v1/accounts/me").status_code == 401
        shown = browser.get(reverse("admin:operations_person_change", args=[ada.pk]))
        assert UNDO in shown.content.decode()
        assert "open again" in pressed(browser)
        assert first.get("/api/v1/accounts/me").status_code == 200
        assert stands_as(match) == stood
        browser.post(page, WHY | {"username": "Ada"})
        User.objects.update(erasing_since=timezone.now() - timedelta(minutes=2))
        assert pressed(browser) == str(TooLate())
        people.finish_erasures()
        ada.refresh_from_db()
        assert ada.username.startswith("deleted-")
        assert not Undoable.objects.filter(subject_id=str(ada.pk)).exists()


class TestTournaments:
    @pytest.fixture
    def cup(self, ada):
        cup = held(ada, "swiss", rounds=2, game="pisti")
        return begun(cup, *(player(f"player{n}") for n in range(4)))

    def test_goes_on_with_as_much_time(self, cup, by):
        left = sheet(cup).stages[-1].deadline_at - timezone.now()
        undoing.abort_tournament(tournament_id=cup.id, by=by)
        type(cup).objects.filter(pk=cup.pk).update(ended_at=timezone.now() - timedelta(minutes=20))
        assert "goes on" in pressed()
        assert (now_of(cup).status, now_of(cup).paused_at) == ("running", None)
        now_left = sheet(cup).stages[-1].deadline_at - timezone.now() - timedelta(minutes=20)
        assert abs(now_left - left) < timedelta(seconds=5)
        assert end_all(cup).round == 2

    def test_its_board_is_undecided_again(self, cup, by):
        match = matches_of(cup, "active")[0]
        acted("adjudicate", match, by, winner=0)
        cup.refresh_from_db()
        boards.read_results(sheet(cup))
        assert len(sheet(cup).undecided) == 1
        pressed()
        assert len(sheet(cup).undecided) == 2
        assert end_all(cup).round == 2

    def test_unless_the_next_round_is_paired(self, cup, by):
        match = matches_of(cup, "active")[0]
        acted("adjudicate", match, by, winner=0)
        end_all(cup)
        assert "Correct the result" in pressed()
        assert now(match).status == "finished"


def test_a_deleted_deck(ada):
    deck = Deck.objects.create(owner=ada, name="Mine", cards=["P1"] * 10, is_default=True)
    browser = staff("referee")
    browser.post(reverse("admin:decks_deck_delete", args=[deck.pk]), {"post": "yes"})
    assert not Deck.objects.exists()
    Deck.objects.create(owner=ada, name="Other", cards=["P2"] * 10, is_default=True)
    assert pressed(browser) == "The deck is there again."
    again = Deck.objects.get(pk=deck.pk)
    assert (again.name, again.cards, again.is_default) == ("Mine", ["P1"] * 10, False)
    browser.post(reverse("admin:decks_deck_delete", args=[deck.pk]), {"post": "yes"})
    Deck.objects.create(owner=ada, name="mine", cards=["P2"] * 10)
    assert "another deck of this name" in pressed(browser)


def test_no_card_is_kept_of_a_match(match, by):
    """The kept rows have no state, no seed and no move of the match that was called off."""
    acted("abort", match, by)
    kept = json.loads(Undoable.objects.get().before)
    fields = {name for row in kept for name in row["fields"]}
    assert not {"state", "seed", "options", "loaded", "side_deck"} & fields
    assert Ply.objects.filter(match=match.id).exists()
    shown = staff("administrator").get(reverse("admin:operations_undoable_changelist"))
    assert "resigned_at" not in shown.content.decode()
