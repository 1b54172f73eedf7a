"""A tournament from its announcement to its end, on a real database, paid as by the beat."""

import json
import subprocess
import sys
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
import time_machine
from django.contrib.auth.models import Permission
from django.db import IntegrityError, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.audit.log import Actor
from accounts.audit.models import Entry
from accounts.models import User
from accounts.social import services
from config.refusals import NotAllowed, Refusal
from games.competitions import advancing, selectors, taking_part
from games.competitions.models import Board, Entrant, Place, Stage, Tournament
from games.competitions.rules import Played, next_step
from games.competitions.selectors import (
    AlreadyBegun,
    BadTournament,
    KeyOfAnotherTournament,
    NoSuchTournament,
    TooLateToJoin,
    TooManyTournaments,
    TournamentIsFull,
)
from games.competitions.taking_part import NewTournament
from games.matches import loading, overdue
from games.matches.bot_turns import play_bot_turns
from games.matches.leaving import resign_as_operator
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.mirrored.opening import go_on_with_all
from games.operations import people, refereeing
from games.ratings.models import RatedMatch
from games.ratings.rating import rate_finished
from tests.api.calls import API, get
from tests.competitions import recounted
from tests.competitions.held import (
    begun,
    boards,
    end_all,
    held,
    matches_of,
    now,
    paid,
    played_out,
    players,
    sheet,
)
from tests.matches.scenes import move

pytestmark = pytest.mark.django_db

JOINED = Entrant.State.JOINED


def by(user):
    return Actor.of(user, "It has to be.")


@pytest.fixture
def boss():
    return User.objects.create_superuser("boss")


class TestCreating:
    def test_its_terms_are_fixed(self, ada):
        tournament = now(held(ada, preset="classic", fill_to=4, rounds=3))
        assert (tournament.status, tournament.game, tournament.rounds) == ("announced", "pazaak", 3)
        assert tournament.rules.seats(tournament.chosen_options) == 2
        assert tournament.round_minutes == 60

    def test_a_guest_holds_none(self, guest):
        with pytest.raises(NotAllowed):
            held(guest)

    def test_one_account_has_two_at_a_time_and_an_operator_any_number(self, ada, boss):
        for _ in range(2):
            held(ada)
        with pytest.raises(TooManyTournaments):
            held(ada)
        for _ in range(3):
            held(boss, most=500, fill_to=200)

    def test_a_right_is_enough_for_an_operator(self, ada):
        ada.user_permissions.add(Permission.objects.get(codename="run_tournament"))
        held(User.objects.get(pk=ada.pk), most=200)

    @pytest.mark.parametrize(
        "terms",
        [
            {"most": 1},
            {"most": 65},
            {"form": "round_robin", "most": 17},
            {"fill_to": 17},
            {"fill_to": 5, "most": 4},
            {"form": "arena", "minutes": 5},
            {"form": "arena", "pace": "slow_1"},
            {"pace": "quick"},
            {"game": "pisti", "options": {"players": 4}},
            {"starts_at": timedelta(days=91)},
            {"starts_at": timedelta(days=-1)},
            {"name": "operator"},
            {"name": "\u202e"},
        ],
        ids=str,
    )
    def test_what_cannot_be_held_is_refused(self, ada, terms):
        if "starts_at" in terms:  # so long after now
            terms = terms | {"starts_at": timezone.now() + terms["starts_at"]}
        with pytest.raises(BadTournament):
            held(ada, **terms)

    def test_the_same_key_gives_the_same_tournament(self, ada):
        terms = NewTournament("Cup", "pazaak")
        one = taking_part.create_tournament(creator=ada, terms=terms, key="k")
        assert taking_part.create_tournament(creator=ada, terms=terms, key="k").id == one.id
        arena = NewTournament("Cup", "pazaak", "arena")
        with pytest.raises(KeyOfAnotherTournament):
            taking_part.create_tournament(creator=ada, terms=arena, key="k")


class TestTakingPart:
    def test_joining_twice_is_joining_once(self, ada, ben):
        tournament = held(ada)
        for _ in range(2):
            taking_part.join(tournament_id=tournament.id, user=ben)
        assert Entrant.objects.count() == 1
        taking_part.withdraw(tournament_id=tournament.id, user=ben)
        assert Entrant.objects.count() == 0

    def test_a_full_one_takes_nobody(self, ada):
        tournament = held(ada, most=2)
        for one in players(2):
            taking_part.join(tournament_id=tournament.id, user=one)
        with pytest.raises(TournamentIsFull):
            taking_part.join(tournament_id=tournament.id, user=ada)

    def test_a_private_one_is_for_those_who_were_invited(self, ada, ben, cleo):
        tournament = held(ada, visibility="private")
        with pytest.raises(NoSuchTournament):
            taking_part.join(tournament_id=tournament.id, user=ben)
        taking_part.invite(tournament_id=tournament.id, user=ada, username="ben")
        taking_part.join(tournament_id=tournament.id, user=ben)
        with pytest.raises(NoSuchTournament):
            selectors.find(tournament.id, cleo.pk)
        with pytest.raises(NotAllowed):
            taking_part.invite(tournament_id=tournament.id, user=ben, username="cleo")

    def test_a_person_who_blocked_is_invited_by_nobody(self, ada, ben):
        services.block(owner=ben, blocked=ada.pk)
        tournament = held(ada, visibility="private")
        with pytest.raises(Refusal, match="no player called"):
            taking_part.invite(tournament_id=tournament.id, user=ada, username="ben")

    def test_one_that_is_known_by_its_address_is_not_listed(self, ada, ben):
        tournament = held(ada, visibility="link")
        assert selectors.find(tournament.id, None).id == tournament.id
        assert not selectors.listed_for(ben.pk).exists()
        assert selectors.listed_for(ada.pk).exists()

    def test_the_creator_calls_it_off_before_it_begins(self, ada, ben):
        tournament = held(ada)
        with pytest.raises(NotAllowed):
            taking_part.call_off(tournament_id=tournament.id, user=ben)
        taking_part.call_off(tournament_id=tournament.id, user=ada)
        assert (now(tournament).status, now(tournament).ending) == ("aborted", "creator")
        other = begun(held(ada), ada, ben)
        with pytest.raises(AlreadyBegun):
            taking_part.call_off(tournament_id=other.id, user=ada)


class TestBeginning:
    def test_too_few_came(self, ada):
        tournament = begun(held(ada), ada)
        assert (tournament.status, tournament.ending) == ("aborted", "too_few")

    def test_computers_fill_it_up(self, ada):
        tournament = begun(held(ada, fill_to=8), ada)
        entrants = Entrant.objects.filter(tournament=tournament)
        assert entrants.filter(bot="").count() == 1
        assert sorted(entrants.values_list("number", flat=True)) == list(range(1, 9))
        assert len(matches_of(tournament, "active")) == 4

    def test_the_strongest_by_their_ratings_come_first(self, ada, monkeypatch):
        one, other, third = players(3)
        known = {other.pk: 1900.0, third.pk: 1700.0}
        monkeypatch.setattr(
            "games.lobby.finding.offered", lambda _name: [lambda _game, _ids: known]
        )
        begun(held(ada), one, other, third)
        entrants = Entrant.objects.order_by("number")
        assert list(entrants.values_list("account", flat=True)) == [other.pk, third.pk, one.pk]

    def test_matches_are_the_houses_on_the_terms_of_the_tournament(self, ada, ben):
        tournament = begun(held(ada, pace="300+3", visibility="private"), ada)
        assert tournament.status == "aborted"
        tournament = held(ada, pace="300+3", visibility="private")
        taking_part.invite(tournament_id=tournament.id, user=ada, username="ben")
        (match,) = matches_of(begun(tournament, ada, ben), "active")
        assert match.visibility == "private"
        assert match.clock is not None
        assert match.creator.username == "cardroom-tournaments"
        assert {seat.user_id for seat in match.seats.all()} == {ada.pk, ben.pk}

    def test_people_who_blocked_each_other_are_paired_all_the_same(self, ada, ben):
        services.block(owner=ben, blocked=ada.pk)
        assert len(matches_of(begun(held(ada), ada, ben), "active")) == 1


class TestRounds:
    def test_a_swiss_of_four_is_played_to_its_end(self, ada):
        tournament = begun(held(ada, rounds=3), *players(4))
        assert (tournament.status, tournament.round, tournament.rounds) == ("running", 1, 3)
        tournament = played_out(tournament)
        assert (tournament.status, tournament.round) == ("finished", 3)
        met = {frozenset(p.entrant_id for p in b.places.all()) for b in sheet(tournament).boards}
        assert len(met) == 6
        assert sum(line.points for line in sheet(tournament).lines) == 12
        assert Stage.objects.filter(closed_at=None).count() == 0

    @pytest.mark.parametrize(("form", "rounds"), [("round_robin", 3), ("knockout", 2)])
    def test_the_other_forms_are_played_to_their_end(self, ada, form, rounds):
        tournament = begun(held(ada, form), *players(3))
        assert tournament.rounds == rounds
        tournament = played_out(tournament)
        assert (tournament.status, tournament.round) == ("finished", rounds)
        assert sheet(tournament).lines[0].place == 1

    def test_an_arena_pairs_whoever_is_free_until_its_time_is_up(self, ada):
        tournament = begun(held(ada, "arena", minutes=10), *players(4))
        assert len(matches_of(tournament, "active")) == 2
        resign_as_operator(match_id=matches_of(tournament, "active")[0].id, seat=1)
        paid(tournament)
        assert len(matches_of(tournament, "active")) == 1  # those two have just met
        end_all(tournament)
        assert len(matches_of(tournament, "active")) == 2
        Tournament.objects.update(begun_at=timezone.now() - timedelta(minutes=10))
        assert paid(tournament).status == "running"
        tournament = end_all(tournament)
        assert tournament.status == "finished"
        assert len(matches_of(tournament, "finished")) == 4

    def test_paying_again_changes_nothing(self, ada):
        tournament = begun(held(ada), *players(5))
        before = now(tournament).version, Board.objects.count(), Match.objects.count()
        advancing.advance_all()
        advancing.advance_all()
        assert (now(tournament).version, Board.objects.count(), Match.objects.count()) == before

    def test_the_database_says_no_to_a_second_board_in_a_round(self, ada):
        tournament = begun(held(ada), *players(4))
        board = Board.objects.create(tournament=tournament, round=1, number=9)
        entrant = Entrant.objects.first()
        for number in (1, 2):  # of this round, and of another one while a board is played
            with pytest.raises(IntegrityError), transaction.atomic():
                Place.objects.create(
                    tournament=tournament, round=number, board=board, seat=0, entrant=entrant
                )
        with pytest.raises(IntegrityError), transaction.atomic():
            Stage.objects.create(
                tournament=tournament, number=1, paired_at=timezone.now(),
                deadline_at=timezone.now(),
            )  # fmt: skip

    def test_a_plan_is_not_written_if_somebody_left_meanwhile(self, ada):
        from games.competitions import boards as rounds

        tournament = begun(held(ada), *players(4))
        for match in matches_of(tournament, "active"):
            resign_as_operator(match_id=match.id, seat=0)
        advancing._step(tournament.id)  # reads the results
        planned = sheet(tournament)
        leaver = planned.joined[0].account
        taking_part.withdraw(tournament_id=tournament.id, user=leaver)
        assert rounds.advance_round(planned) is False
        paid(tournament)
        second = {p.entrant.account_id for b in boards(tournament, 2) for p in b.places.all()}
        assert leaver.pk not in second
        assert len(second) == 3


class TestAbsence:
    def test_who_withdraws_loses_what_runs_and_is_not_paired_again(self, ada):
        people_there = players(4)
        tournament = begun(held(ada, rounds=3), *people_there)
        taking_part.withdraw(tournament_id=tournament.id, user=people_there[0])
        tournament = played_out(paid(tournament))
        line = next(
            line
            for line in sheet(tournament).lines
            if sheet(tournament).numbered[line.entrant].account_id == people_there[0].pk
        )
        assert (line.points, line.lost) == (0, 1)

    def test_in_a_round_robin_the_others_win_without_playing(self, ada):
        people_there = players(3)
        tournament = begun(held(ada, "round_robin"), *people_there)
        taking_part.withdraw(tournament_id=tournament.id, user=people_there[0])
        tournament = played_out(paid(tournament))
        results = [board.result for board in sheet(tournament).boards if board.result != "bye"]
        assert sorted(results) in (
            ["played", "played", "walkover"],
            ["played", "walkover", "walkover"],
        )

    def test_a_late_player_has_no_points_for_the_rounds_before(self, ada, ben):
        tournament = begun(held(ada, rounds=4), *players(6))
        end_all(tournament)
        taking_part.join(tournament_id=tournament.id, user=ben)
        assert selectors.entrant_of(tournament, ben.pk).number == 7
        tournament = played_out(tournament)
        own = [b for b in sheet(tournament).values if 7 in b.entrants]
        assert {board.round for board in own} == {3, 4}

    def test_in_the_second_half_nobody_joins(self, ada, ben):
        tournament = begun(held(ada, "knockout"), *players(4))
        with pytest.raises(TooLateToJoin):
            taking_part.join(tournament_id=tournament.id, user=ben)

    def test_at_the_deadline_who_is_to_act_has_lost(self, ada):
        tournament = begun(held(ada, rounds=1), *players(2))
        (match,) = matches_of(tournament, "active")
        late = match.to_act[0]
        match.seats.exclude(index=late).update(came=True)
        Stage.objects.update(deadline_at=timezone.now())
        assert paid(tournament).status == "finished"
        winner = sheet(tournament).lines[0].entrant
        seat = match.seats.get(user=sheet(tournament).numbered[winner].account)
        assert seat.index != late

    def test_two_boards_in_a_row_without_a_move_are_enough(self, ada):
        people_there = players(4)
        tournament = begun(held(ada, rounds=3), *people_there)
        absent = people_there[0]
        for _ in range(2):
            (match,) = [
                m for m in matches_of(tournament, "active") if m.seats.filter(user=absent).exists()
            ]
            resign_as_operator(match_id=match.id, seat=match.seats.get(user=absent).index)
            end_all(tournament)
        assert selectors.entrant_of(tournament, absent.pk).state == "withdrawn"

    def test_a_suspended_person_is_paired_no_more(self, ada, boss):
        people_there = players(4)
        tournament = begun(held(ada, rounds=3), *people_there)
        people.suspend(user_id=people_there[0].pk, by=by(boss), until=None, resigns=True)
        paid(tournament)
        assert selectors.entrant_of(tournament, people_there[0].pk).state == "withdrawn"
        assert played_out(tournament).status == "finished"

    def test_an_erased_person_stays_a_line_without_a_name(self, ada, ben, boss):
        tournament = begun(held(ada, rounds=1), ada, ben)
        people.erase(user_id=ben.pk, by=by(boss))
        assert paid(tournament).status == "finished"
        assert len(sheet(tournament).lines) == 2


class TestCalledOff:
    def test_a_match_that_an_operator_called_off_is_played_again_once(self, ada, boss):
        tournament = begun(held(ada, rounds=1), *players(2))
        for count in (1, 2):
            (match,) = matches_of(tournament, "active")
            refereeing.abort(match_id=match.id, by=by(boss))
            paid(tournament)
            assert len(matches_of(tournament, "aborted")) == count
        assert now(tournament).status == "finished"
        assert [line.points for line in sheet(tournament).lines] == [1, 1]

    def test_a_match_that_was_rolled_back_is_read_when_it_is_over(self, ada, boss):
        tournament = begun(held(ada, rounds=1), *players(2))
        (match,) = matches_of(tournament, "active")
        refereeing.roll_back(match_id=match.id, by=by(boss), round=1)
        assert paid(tournament).status == "running"
        assert end_all(tournament).status == "finished"

    def test_who_loads_a_match_against_a_computer_has_lost_the_board(self, ada):
        tournament = begun(held(ada, rounds=1, fill_to=2), ada)
        (match,) = matches_of(tournament, "active")
        loading.load(match_id=match.id, user=ada, round=1, cards="same")
        bot = next(seat.index for seat in match.seats.all() if seat.bot)
        tournament = end_all(tournament, loser=bot)
        line = sheet(tournament).lines[0]
        assert sheet(tournament).numbered[line.entrant].bot
        assert sheet(tournament).boards[0].result == "walkover"

    def test_no_player_is_host_of_a_match(self, ada):
        tournament = begun(held(ada, fill_to=2), ada)
        (match,) = matches_of(tournament, "active")
        assert match.creator_id != ada.pk


class TestOperators:
    def test_a_paused_one_pairs_nobody_and_its_deadline_moves(self, ada, boss):
        tournament = begun(held(ada, rounds=2), *players(2))
        advancing.pause(tournament_id=tournament.id, by=by(boss))
        before = Stage.objects.get().deadline_at
        assert end_all(tournament).round == 1
        Tournament.objects.update(paused_at=timezone.now() - timedelta(hours=2))
        advancing.resume(tournament_id=tournament.id, by=by(boss))
        assert Stage.objects.get(number=1).deadline_at - before > timedelta(hours=1)
        assert Entry.objects.filter(subject_type="tournament").count() == 2

    def test_one_that_was_called_off_goes_no_further(self, ada, boss):
        tournament = begun(held(ada), *players(4))
        advancing.abort(tournament_id=tournament.id, by=by(boss))
        assert end_all(tournament).status == "aborted"
        assert now(tournament).round == 1

    def test_a_removed_computer_loses_what_runs(self, ada, boss):
        tournament = begun(held(ada, fill_to=4, rounds=2), ada)
        bot = Entrant.objects.filter(tournament=tournament, account=None).first()
        advancing.remove(tournament_id=tournament.id, entrant_id=bot.pk, by=by(boss))
        paid(tournament)
        assert Place.objects.get(entrant=bot).points == 0
        with pytest.raises(Refusal):
            advancing.remove(tournament_id=tournament.id, entrant_id=bot.pk, by=by(boss))

    def test_a_removed_person_does_not_come_back(self, ada, ben, boss):
        tournament = begun(held(ada), ada, ben, *players(2))
        own = selectors.entrant_of(tournament, ben.pk)
        advancing.remove(tournament_id=tournament.id, entrant_id=own.pk, by=by(boss))
        with pytest.raises(TooLateToJoin):
            taking_part.join(tournament_id=tournament.id, user=ben)


def test_everybody_met_everybody_in_a_round_robin_with_computers(ada):
    tournament = played_out(begun(held(ada, "round_robin", fill_to=4), ada))
    met = {frozenset(p.entrant_id for p in b.places.all()) for b in sheet(tournament).boards}
    ids = Entrant.objects.filter(tournament=tournament).values_list("pk", flat=True)
    assert met == {frozenset(pair) for pair in combinations(ids, 2)}


# A player who does not come to a board forfeits it, and scores nothing by another absent one.


def waited(tournament):
    """Until nobody has time for a first move any more."""
    last = max(match.deadline_at for match in matches_of(tournament, "active"))
    with time_machine.travel(last + timedelta(seconds=1), tick=False):
        overdue.resend_overdue()
        return paid(tournament)


def points_of(tournament, account):
    table = sheet(tournament)
    number = next(n for n, one in table.numbered.items() if one.account_id == account.pk)
    return next(line.points for line in table.lines if line.entrant == number)


def the_board(tournament):
    (board,) = sheet(tournament).boards
    places = board.places.order_by("seat").select_related("entrant__account")
    return board.result, {place.entrant.account: place.points for place in places}


@pytest.mark.parametrize("pace", ["normal", "300+3", "slow_1"])
def test_who_came_wins_and_nobody_is_rated(ada, ben, keyed, pace):
    tournament = begun(held(ada, rounds=1, pace=pace), ada, ben)
    match = get_match(matches_of(tournament, "active")[0].id)
    there, absent = (ben, ada) if match.seats[match.to_act[0]].user_id == ada.pk else (ada, ben)
    assert get(keyed(there), f"matches/{match.id}").status_code == 200
    assert waited(tournament).status == "finished"
    assert the_board(tournament) == ("walkover", {there: 2, absent: 0})
    line = sheet(tournament).lines[0]
    assert (line.points, line.won) == (2, 0)  # a forfeit counts as no win that was played
    assert rate_finished() == 0
    assert not RatedMatch.objects.exists()
    assert Entrant.objects.get(account=absent).missed == 1


def test_the_page_of_the_table_is_a_sign_too(ada, ben, client):
    tournament = begun(held(ada, rounds=1), ada, ben)
    match = get_match(matches_of(tournament, "active")[0].id)
    second = match.seats[1 - match.to_act[0]]
    client.force_login(ada if second.user_id == ada.pk else ben)
    client.get(f"/matches/{match.id}")
    waited(tournament)
    assert sorted(the_board(tournament)[1].values()) == [0, 2]


def test_absent_against_absent_scores_nothing(ada, ben):
    tournament = begun(held(ada, rounds=1), ada, ben)
    waited(tournament)
    assert the_board(tournament) == ("walkover", {ada: 0, ben: 0})
    assert [line.points for line in sheet(tournament).lines] == [0, 0]


@pytest.mark.parametrize("form", ["swiss", "round_robin", "knockout", "arena"])
def test_an_absent_player_is_not_first_in_any_form(ada, form):
    people = players(4)
    more = {"minutes": 10} if form == "arena" else {}
    tournament = begun(held(ada, form, **more), *people)
    for _ in range(3):
        if matches_of(tournament, "active"):
            waited(tournament)
    assert {line.points for line in sheet(tournament).lines} == {0}


def test_against_a_computer_it_is_a_forfeit_too(ada):
    tournament = begun(held(ada, rounds=1, fill_to=2), ada)
    match = get_match(matches_of(tournament, "active")[0].id)
    if match.awaits_bot:
        play_bot_turns(match_id=match.id, version=match.version)
    waited(tournament)
    result, points = the_board(tournament)
    assert (result, points[ada]) == ("walkover", 0)
    assert Match.objects.get(pk=match.id).status == "aborted"


def test_a_set_of_mirrored_matches_is_forfeit_at_its_first(ada, ben, keyed):
    tournament = begun(held(ada, mirrored=True, pairs=3, game="pisti", rounds=1), ada, ben)
    match = get_match(matches_of(tournament, "active")[0].id)
    there = ben if match.seats[match.to_act[0]].user_id == ada.pk else ada
    get(keyed(there), f"matches/{match.id}")
    last = match.deadline_at
    with time_machine.travel(last + timedelta(seconds=1), tick=False):
        overdue.resend_overdue()
        go_on_with_all()
        paid(tournament)
    result, points = the_board(tournament)
    assert (result, points[there], sum(points.values())) == ("walkover", 2, 2)


def test_who_moved_and_is_left_alone_wins(ada, ben):
    tournament = begun(held(ada, rounds=1), ada, ben)
    match = get_match(matches_of(tournament, "active")[0].id)
    first = match.seats[match.to_act[0]].user_id
    while get_match(match.id).seats[match.to_act[0]].user_id in (
        get_match(match.id).seats[seat].user_id for seat in get_match(match.id).to_act
    ):
        move(get_match(match.id))
    waited(tournament)
    assert {one.pk: points for one, points in the_board(tournament)[1].items()}[first] == 2


def test_the_seats_change_with_the_matches_of_a_board():
    off = Played("aborted")
    step = next_step("swiss", [off, Played("aborted", absent=(0,))])
    assert (step.points, step.result) == ((2, 0), "walkover")


# The standings are those that an independent script counts from records alone.


def finished(ada, form, chance, count=4, **more):
    """Played to its end with results by chance; somebody leaves on the way."""
    people = players(count)
    tournament = begun(held(ada, form, **more), *people)
    taking_part.withdraw(tournament_id=tournament.id, user=people[0])
    for _ in range(12):
        if now(tournament).is_over:
            break
        for match in matches_of(tournament, "active"):
            resign_as_operator(match_id=match.id, seat=chance.choice([0, 1]))
        paid(tournament)
    return tournament


def exported(tournament):
    program = APIClient()
    results = program.get(f"{API}tournaments/{tournament.id}/results").json()
    matches = [match for board in results["boards"] for match in board["matches"]]
    records = {one: program.get(f"{API}matches/{one}/record").json() for one in matches}
    return results, records


@pytest.mark.parametrize("count", [4, pytest.param(6, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("form", ["swiss", "round_robin", "knockout", "arena"])
def test_every_form(ada, form, count):
    results, records = exported(finished(ada, form, Random(form), count, pace="blitz"))
    assert results["boards"]
    assert list(recounted.differences(results, records)) == []
    results["standings"][0]["points"] += 0.5
    assert len(list(recounted.differences(results, records))) == 1
    board = next(one for one in results["boards"] if one["result"] == "played")
    board["points"].reverse()
    assert len(list(recounted.differences(results, records))) == 2


def test_it_runs_by_itself(ada, tmp_path):
    tournament = finished(ada, "swiss", Random(1), rounds=2)
    results, records = exported(tournament)
    (tmp_path / "results.json").write_text(json.dumps(results))
    lines = "\n".join(json.dumps(record) for record in records.values())
    (tmp_path / "records.jsonl").write_text(lines)
    files = [tmp_path / "results.json", tmp_path / "records.jsonl"]
    done = subprocess.run(
        [sys.executable, "-I", Path(recounted.__file__), *files],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(sheet(tournament).boards)} boards" in done.stdout
