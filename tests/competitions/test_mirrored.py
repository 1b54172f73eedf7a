"""Mirrored tournaments: each board is a set, followed to its end; nothing of it is told early."""

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from games.competitions import advancing, taking_part
from games.competitions.models import BoardMatch, Stage
from games.competitions.selectors import BadTournament
from games.matches.leaving import resign_as_operator
from games.matches.models import Match, Seat, SharedDeal
from games.matches.selectors.access import get_match
from games.mirrored import opening
from games.mirrored.models import Leg, MirroredSet
from games.mirrored.results import CannotBeMirrored
from tests.api.calls import API
from tests.competitions import recounted
from tests.competitions.held import begun, held, matches_of, now, paid, players, sheet
from tests.competitions.test_tournaments import exported
from tests.matches.scenes import called_off, played
from tests.web.browsing import Browser, signed_in

pytestmark = pytest.mark.django_db

SHORT = {"game": "pazaak", "options": {"rounds_to_win": 1}, "mirrored": True, "pairs": 3}


def cup(creator, form="swiss", **more):
    return held(creator, form, **{**SHORT, "rounds": 1, **more})


def step(tournament, end=played):
    """Ends the match of each board that runs; then the beat of the sets, then that of boards."""
    for match in matches_of(tournament, "active"):
        end(get_match(match.id))
    opening.go_on_with_all()
    return paid(tournament)


def to_its_end(tournament, end=played):
    for _ in range(60):
        if now(tournament).is_over:
            break
        step(tournament, end)
    return now(tournament)


def beaten_to_its_end(tournament):
    """Nobody plays: the beat alone."""
    for _ in range(12):
        paid(tournament)
        if now(tournament).is_over:
            break
        opening.go_on_with_all()
    return now(tournament)


def first_seat(tournament, person):
    board = next(one for one in sheet(tournament).boards)
    entrants = sheet(tournament).by_id
    places = sorted(board.places.all(), key=lambda place: place.seat)
    return [entrants[one.entrant_id].account_id for one in places].index(person.pk)


def lost_by(person):
    def end(match):
        resign_as_operator(match_id=match.id, seat=match.seats_of(person.pk)[0])

    return end


def points_of(tournament, person):
    (board,) = sheet(tournament).boards
    return sorted(board.places.all(), key=lambda place: place.seat)[
        first_seat(tournament, person)
    ].points


def test_a_swiss_of_two_rounds_is_played_by_people_and_computers_to_its_end(ada, ben):
    tournament = begun(cup(ada, rounds=2, fill_to=3), ada, ben)
    tournament = to_its_end(tournament)
    assert tournament.status == "finished"
    boards = sheet(tournament).boards
    assert [one.result for one in boards] == ["played", "bye"] * 2
    assert [len(one.matches.all()) for one in boards] == [6, 0] * 2
    assert MirroredSet.objects.filter(over_at=None).count() == 0
    assert BoardMatch.objects.count() == Match.objects.count() == Leg.objects.count() == 12
    assert sum(line.points for line in sheet(tournament).lines) == 8


def test_results_are_counted_again_from_the_records(ada):
    chance = Random(3)

    def end(match):
        played(match, rng=chance)

    people = players(3)
    tournament = begun(cup(ada, rounds=2), *people)
    for _ in range(30):
        if now(tournament).is_over:
            break
        step(tournament, end if chance.random() < 0.8 else lost_by_seat(chance.choice([0, 1])))
    results, records = exported(tournament)
    assert results["pairs"] == 3
    assert list(recounted.differences(results, records)) == []
    board = next(board for board in results["boards"] if board["result"] == "played")
    board["points"] = [0.0, 1.0] if board["points"] == [1.0, 0.0] else [1.0, 0.0]
    assert list(recounted.differences(results, records))


def lost_by_seat(seat):
    return lambda match: resign_as_operator(match_id=match.id, seat=seat)


@pytest.mark.parametrize(
    ("form", "count"),
    [("round_robin", 2), ("knockout", 3), pytest.param("round_robin", 3, marks=pytest.mark.sweep)],
)
def test_other_forms(ada, ben, cleo, form, count):
    tournament = begun(cup(ada, form, rounds=None), *(ada, ben, cleo)[:count])
    tournament = to_its_end(tournament, lambda match: lost_by(loser(match, ada, ben))(match))
    assert tournament.status == "finished"
    line = sheet(tournament).lines[0]
    assert sheet(tournament).numbered[line.entrant].account == ada


def loser(match, ada, ben):
    """Ada wins all, Ben what is left."""
    held_by = {seat.user_id for seat in match.seats}
    return User.objects.exclude(pk=ada.pk if ada.pk in held_by else ben.pk).get(pk__in=held_by)


@pytest.mark.parametrize(
    ("terms", "refusal"),
    [
        ({"form": "arena", "pace": "blitz"}, BadTournament),
        ({"game": "pyanitsa", "options": None}, CannotBeMirrored),
        ({"pairs": 2}, CannotBeMirrored),
        ({"pairs": 9}, CannotBeMirrored),
        ({"mirrored": False}, BadTournament),
    ],
    ids=str,
)
def test_what_cannot_be_mirrored_is_refused(ada, terms, refusal):
    with pytest.raises(refusal):
        cup(ada, **terms)


def test_who_withdraws_loses_what_is_left(ada, ben):
    tournament = begun(cup(ada), ada, ben)
    taking_part.withdraw(tournament_id=tournament.id, user=ben)
    assert beaten_to_its_end(tournament).status == "finished"
    assert points_of(tournament, ada) == 2
    assert BoardMatch.objects.count() == 6


def test_at_the_deadline_the_same_player_loses_every_match_that_is_left(ada, ben):
    tournament = begun(cup(ada), ada, ben)
    (match,) = matches_of(tournament, "active")
    Seat.objects.update(awaited=False)  # both have moved
    late = get_match(match.id)
    person = {seat.index: seat.user_id for seat in late.seats}[late.to_act[0]]
    Stage.objects.update(deadline_at=timezone.now() - timedelta(seconds=1))
    assert beaten_to_its_end(tournament).status == "finished"
    assert points_of(tournament, User.objects.get(pk=person)) == 0
    for one in Match.objects.all():
        (out,) = one.seats.exclude(resigned_at=None)
        assert out.user_id == person


def test_a_set_that_is_called_off_is_played_again_once_then_drawn(ada, ben):
    tournament = begun(cup(ada), ada, ben)
    step(tournament)
    step(tournament, called_off)
    paid(tournament)
    assert MirroredSet.objects.count() == 2
    assert BoardMatch.objects.count() == 3
    step(tournament, called_off)
    paid(tournament)
    (board,) = sheet(tournament).boards
    assert (board.result, [place.points for place in board.places.all()]) == ("called_off", [1, 1])


def test_the_seats_change_with_each_set_of_a_board(ada, ben):
    tournament = begun(cup(ada), ada, ben)
    step(tournament, called_off)
    paid(tournament)
    one, two = Match.objects.order_by("created_at")
    assert one.seats.get(index=0).user_id == two.seats.get(index=1).user_id
    to_its_end(tournament, lost_by(ben))
    assert points_of(tournament, ada) == 2


def test_a_worker_may_die_at_any_write_of_a_board(ada, ben, monkeypatch):
    created = BoardMatch.objects.create
    state = {"calls": 0}

    def dies(**values):
        state["calls"] += 1
        if state["calls"] % 2:
            raise MemoryError
        return created(**values)

    tournament = begun(cup(ada), ada, ben)
    monkeypatch.setattr(BoardMatch.objects, "create", dies)
    for _ in range(30):
        if now(tournament).is_over:
            break
        for match in matches_of(tournament, "active"):
            lost_by(ben)(get_match(match.id))
        opening.go_on_with_all()
        for _ in range(2):
            try:
                advancing.advance(tournament.id)
            except MemoryError:
                continue
    assert now(tournament).status == "finished"
    assert state["calls"] == 10
    assert [one.number for one in BoardMatch.objects.order_by("number")] == [1, 2, 3, 4, 5, 6]
    assert points_of(tournament, ada) == 2


def begun_matches():
    return list(Leg.objects.exclude(match=None).values_list("match_id", flat=True))


def test_nothing_tells_a_pair_before_the_set_is_over(ada, ben, cleo):
    tournament = begun(cup(ada), ada, ben)
    for _ in range(4):
        step(tournament)
    (running,) = matches_of(tournament, "active")
    deals = SharedDeal.objects.filter(revealed_at=None)
    secrets = [str(deal.id) for deal in deals]
    secrets += [bytes(deal.seed).hex() for deal in deals]
    secrets += [deal.commitment for deal in deals]
    page, api = f"/tournaments/{tournament.id}", f"{API}tournaments/{tournament.id}"
    own, other, stranger = signed_in(ada), signed_in(cleo), Browser()
    for browser in (own, other, stranger):
        shown = browser.open(page).page
        assert not [one for one in secrets if one in shown]
        ids = [one for one in map(str, begun_matches()) if one in shown]
        assert ids == ([str(running.id)] if browser is own else [])
        assert ("playing" in browser.text) is (browser is not own)
    program = APIClient()
    for path in (api, f"{api}/results", f"{api}/results.csv"):
        text = program.get(path).content.decode()
        assert not [one for one in secrets if one in text]
    results = program.get(f"{api}/results").json()
    assert [board["points"] for board in results["boards"]] == [None]
    for one in begun_matches():
        assert program.get(f"{API}matches/{one}").status_code == 404
    to_its_end(tournament, lost_by(ben))
    assert program.get(f"{API}matches/{running.id}/record").status_code == 200
    last = sheet(tournament).boards[0].matches.all()[5]
    assert f"/matches/{last.match_id}" in stranger.open(page).page


def test_by_the_form(ada):
    browser = signed_in(ada).open("/tournaments/new")
    browser.press("Announce it", name="Cup", game="pisti:classic", mirrored="on", pairs="4")
    assert "mirrored: 4 deals, each played twice" in browser.text
