"""Finished matches are counted once: results, tallies, meetings; and a recount finds the same."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from time_machine import travel

from accounts import services
from accounts.social.models import Privacy
from cardroom.rules import catalog
from config.models import Trouble
from config.offers import offered_by_name
from config.tasks import duties
from decks.selectors import ready_made
from games.daily.models import Entry
from games.daily.selectors import has_feat
from games.matches import loading
from games.matches.models import Match, Seat
from games.people import counting, profiles
from games.people.models import Meeting, Progress, Result, Tally
from games.people.profiles import profile_of
from tests.daily.days import again, begun, over, to_its_end
from tests.matches.scenes import opened, played
from tests.people.ended import against, between, four, resigned

pytestmark = pytest.mark.django_db


def tallies(person):
    rows = Tally.objects.filter(account=person).values_list("game", "bot", "won", "drawn", "lost")
    return {(game, bot): tuple(counts) for game, bot, *counts in rows}


def meetings(person):
    rows = Meeting.objects.filter(account=person).values_list(
        "opponent__username", "won", "drawn", "lost"
    )
    return {name: tuple(counts) for name, *counts in rows}


def recount(**how):
    out = StringIO()
    with travel(timezone.now() + counting.LATEST_COMMIT * 2):
        call_command("recount", stdout=out, **how)
    return out.getvalue()


def test_a_match_of_two_people(ada, ben):
    between(ada, ben)
    assert counting.count_finished() == 2
    assert (tallies(ada), tallies(ben)) == ({("pisti", ""): (1, 0, 0)}, {("pisti", ""): (0, 0, 1)})
    assert (meetings(ada), meetings(ben)) == ({"Ben": (1, 0, 0)}, {"Ada": (0, 0, 1)})


def test_it_counts_once_however_often_it_is_looked_at(ada, ben):
    between(ada, ben)
    counting.count_finished()
    assert counting.count_finished() == 0
    Progress.objects.all().delete()
    assert counting.count_finished() == 0
    between(ben, ada)
    assert counting.count_finished() == 2
    assert meetings(ada) == {"Ben": (1, 0, 1)}


def test_what_became_visible_late_is_counted(ada, ben):
    match = between(ada, ben)
    until = match.finished_at + counting.LATEST_COMMIT / 2
    Progress.objects.create(until=until)
    assert counting.count_finished() == 2


def test_more_than_one_look_takes_are_counted(ada, ben, monkeypatch):
    for _ in range(5):
        between(ada, ben)
    monkeypatch.setattr(counting, "AT_ONCE", 2)
    assert counting.count_finished() == 10
    assert counting.count_finished() == 0


def test_computers_have_tallies_of_their_own(ada):
    against(ada, "greedy")
    seats = "me, bot greedy, bot greedy, bot random"
    played(opened(ada, seats, options={"players": 4, "target_score": None}))
    counting.count_finished()
    assert tallies(ada)["pisti", "greedy"] == (0, 0, 1)
    assert sum(tallies(ada)["pisti", "*"]) == 1
    assert meetings(ada) == {}


def test_partners_win_together_and_do_not_meet(ada, ben, cleo):
    dora = services.register(username="Dora", password="a long and quiet evening")
    match = four([ada, ben, cleo, dora])
    resigned(resigned(match, dora), ben)
    counting.count_finished()
    assert tallies(ada) == tallies(cleo) == {("pisti", ""): (1, 0, 0)}
    assert tallies(ben) == tallies(dora) == {("pisti", ""): (0, 0, 1)}
    assert meetings(ada) == {"Ben": (1, 0, 0), "Dora": (1, 0, 0)}


def test_equal_places_are_a_draw(ada, ben):
    match = between(ada, ben)
    Seat.objects.filter(match=match.id).update(place=1)
    counting.count_finished()
    assert tallies(ada) == tallies(ben) == {("pisti", ""): (0, 1, 0)}
    assert meetings(ada) == {"Ben": (0, 1, 0)}


def test_what_does_not_count(ada, ben):
    hot_seat = opened(ada, "me, local Twin")
    resigned(hot_seat, ada, seat=0)
    running = opened(ada, "me, open")
    loaded = loading.load(match_id=hot_seat.id, user=ada, cards="reshuffled", round=1)
    assert Match.objects.filter(status="finished").exists()
    counting.count_finished()
    assert (running.status, loaded.parent_id) == ("open", hot_seat.id)
    assert Result.objects.count() == 0


def test_a_recount_agrees(ada, ben, cleo):
    between(ada, ben)
    between(cleo, ada, "pyanitsa")
    against(ben, "greedy")
    counting.count_finished()
    assert recount().count("equal to a recount") == len(offered_by_name("derivations"))


def test_a_recount_finds_and_mends_every_kind_of_fault(ada, ben, cleo):
    match = between(ada, ben)
    between(ada, cleo)
    counting.count_finished()
    Result.objects.filter(match=match.id, account=ada).update(outcome="drawn", place=2)
    Result.objects.filter(account=cleo).delete()
    Tally.objects.filter(account=ada).update(won=7)
    Meeting.objects.filter(account=ben).delete()
    Meeting.objects.create(account=cleo, opponent=ben, game="pisti", won=3)
    with pytest.raises(CommandError, match="differ"):
        recount()
    assert "mended" in recount(mend=True)
    assert recount().count("equal to a recount") == len(offered_by_name("derivations"))
    assert tallies(ada) == {("pisti", ""): (2, 0, 0)}
    assert (meetings(ben), meetings(cleo)) == ({"Ada": (0, 0, 1)}, {"Ada": (0, 0, 1)})


def test_a_recount_does_not_wait_for_what_ended_just_now(ada, ben):
    between(ada, ben)
    out = StringIO()
    call_command("recount", stdout=out)
    assert out.getvalue().count("equal to a recount") == len(offered_by_name("derivations"))


def test_a_match_that_cannot_be_counted_stops_no_other_one(ada, ben, monkeypatch):
    bad, good = (between(ada, ben) for _ in range(2))
    results_of = counting.results_of

    def poisoned(matches):
        if bad.id in {match.id for match in matches}:
            raise ValueError("its options cannot be read")
        return results_of(matches)

    with monkeypatch.context() as patch:
        patch.setattr(counting, "results_of", poisoned)
        assert counting.count_finished() == 2
    assert {row.match_id for row in Result.objects.all()} == {good.id}
    Progress.objects.update(until=timezone.now() + timedelta(days=1))  # it stands far behind
    assert counting.count_finished() == 0
    Trouble.objects.update(next_at=timezone.now())
    assert "results" in duties.due_since()
    assert counting.count_finished() == 2
    assert not Trouble.objects.exists()


def test_the_cursor_is_written_only_where_something_ended_and_it_lags(ada, time_machine):
    time_machine.move_to(timezone.now(), tick=False)
    counting.count_finished()
    until = Progress.objects.get().until
    time_machine.shift(59)
    assert "results" not in duties.due_since(timezone.now())
    counting.count_finished()
    assert Progress.objects.get().until == until
    time_machine.shift(2)
    assert "results" not in duties.due_since(timezone.now())
    ended = {"status": "finished", "finished_at": timezone.now(), "outcome": b"{}", "to_act": []}
    Match.objects.filter(id=opened(ada).id).update(**ended, coached=True)  # counts for nobody
    assert "results" in duties.due_since(timezone.now())
    counting.count_finished()
    assert Progress.objects.get().until > until


# Titles follow from matches: what gives one, what does not, and who sees them.

PROFESSOR = profiles.strongest(catalog.find("pazaak")).slug


def won_with(person, deck, bot=PROFESSOR):
    """A match against a computer that was won with these cards."""
    match = against(person, bot, "pazaak")
    seats = Seat.objects.filter(match=match.id)
    seats.update(place=2)
    seats.filter(user=person).update(place=1, side_deck=list(reversed(deck)))


def slugs(person, reader=None):
    return [(one.slug, one.game) for one in profile_of(reader, person.username).titles]


def test_the_strongest_computer_beaten_with_every_ready_made_deck(ada, ben):
    first, *others = ready_made()
    for deck in others:
        won_with(ada, deck)
    won_with(ada, first, bot="beginner")
    counting.count_finished()
    assert slugs(ada) == []
    won_with(ada, first)
    counting.count_finished()
    assert slugs(ada) == [("decks", "pazaak")]
    assert slugs(ben) == []


def test_a_pisti_in_a_deal_of_the_day(settings, ada, ben, keyed):
    begun(settings, ada, ben)
    match = to_its_end(ada)
    expected = has_feat(again(match))
    assert slugs(ada, ada.pk) == []  # not before the deal is revealed
    over()
    assert Entry.objects.get(account=ada).has_feat is expected
    Entry.objects.filter(account=ada).update(has_feat=not expected)
    with pytest.raises(CommandError):
        call_command("recount", stdout=StringIO())
    out = StringIO()
    call_command("recount", mend=True, stdout=out)
    assert "deals of the day: 1 mended" in out.getvalue()
    assert Entry.objects.get(account=ada).has_feat is expected
    Entry.objects.filter(account=ada).update(has_feat=True)
    assert slugs(ada) == [("daily", "pisti")]
    profile = keyed(ben).get("/api/v1/users/Ada").json()
    assert profile["titles"] == [{"title": "daily", "game": "pisti"}]
    Privacy.objects.create(account=ada, hides_titles=True)
    assert slugs(ada, ben.pk) == []
    assert slugs(ada, ada.pk) == [("daily", "pisti")]


def test_a_feat_is_an_event_of_the_persons_own_seat(settings, ada):
    """Of the match that was played, told by its record."""
    begun(settings, ada)
    match = again(to_its_end(ada))
    events = [event for entry in entries(match) for event in entry.events]
    own = [one for one in events if type(one).__name__ == "Pisti" and one.seat == 0]
    assert has_feat(match) is bool(own)


def entries(match):
    from games.matches.selectors.log import log_entries

    return log_entries(match)
