"""Several workers pay at once, and one dies in the middle: every board is there once."""

from threading import Barrier, Thread

import pytest
from django.db import connection

from accounts import services
from games.competitions import advancing
from games.competitions.models import Board, BoardMatch, Place, Stage
from games.matches.leaving import resign_as_operator
from games.matches.models import Match
from tests.competitions.held import begun, end_all, held, matches_of, now, paid, players, sheet

PASSWORD = "a long and quiet evening"
WORKERS = 3


def pay_at_once(tournament):
    barrier = Barrier(WORKERS)

    def work():
        try:
            barrier.wait()
            advancing.advance(tournament.id)
        finally:
            connection.close()

    workers = [Thread(target=work) for _ in range(WORKERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


@pytest.mark.django_db(transaction=True)
def test_three_workers_pair_a_round_once():
    ada = services.register(username="Ada", password=PASSWORD)
    tournament = begun(held(ada, rounds=2), *players(6))
    for match in matches_of(tournament, "active"):
        resign_as_operator(match_id=match.id, seat=0)
    for _ in range(3):
        pay_at_once(tournament)
    assert now(tournament).round == 2
    assert Stage.objects.count() == 2
    assert Board.objects.count() == Match.objects.count() == BoardMatch.objects.count() == 6
    assert Place.objects.count() == 12


@pytest.mark.django_db
def test_a_worker_that_dies_between_a_match_and_its_board_leaves_neither(ada, monkeypatch):
    created = BoardMatch.objects.create
    deaths = iter(range(3))

    def dies(**values):
        if next(deaths, None) is not None:
            raise MemoryError
        return created(**values)

    monkeypatch.setattr(BoardMatch.objects, "create", dies)
    tournament = held(ada, rounds=1)
    for _ in range(3):
        with pytest.raises(MemoryError):
            begun(tournament, *([] if now(tournament).begun_at else players(4)))
        assert Match.objects.count() == BoardMatch.objects.count()
    paid(tournament)
    assert Match.objects.count() == Board.objects.count() == 2
    assert end_all(tournament).status == "finished"
    assert len(sheet(tournament).lines) == 4


@pytest.mark.django_db
@pytest.mark.parametrize("form", ["swiss", "round_robin", "knockout", "arena"])
def test_a_beat_that_comes_again_changes_nothing(ada, form):
    def rows():
        return [list(kind.objects.order_by("pk").values()) for kind in (Stage, Board, BoardMatch)]

    tournament = begun(held(ada, form, pace="blitz"), *players(3))
    for _ in range(2):
        before = rows()
        assert before[1]
        advancing.advance(tournament.id)
        assert rows() == before
        end_all(tournament)
