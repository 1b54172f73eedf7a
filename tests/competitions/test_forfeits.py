"""A player who does not come to a board forfeits it, and scores nothing by another absent one."""

from datetime import timedelta

import pytest
import time_machine

from games.competitions.models import Entrant
from games.competitions.rules import Played, next_step
from games.matches import overdue
from games.matches.bot_turns import play_bot_turns
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.mirrored.opening import go_on_with_all
from games.ratings.models import RatedMatch
from games.ratings.rating import rate_finished
from tests.api.calls import get
from tests.competitions.held import begun, held, matches_of, paid, players, sheet
from tests.matches.scenes import move


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
