"""Simulations in the background: parts that may be lost, figures that may not."""

from datetime import timedelta
from itertools import count
from typing import Any

import msgspec
import pytest
from django.conf import settings
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.models import User
from cardroom.arena.reports import PICTURES, Report
from cardroom.arena.request import Part, run_part
from cardroom.rules.pazaak.side_cards import SINGLES, STARTER
from config.models import Trouble
from config.tasks import duties
from games.simulations import work
from games.simulations.models import Simulation, SimulationPart, SimulationPicture
from games.simulations.work import BadSimulation, NoSuchSimulation, TooManySimulations

pytestmark = pytest.mark.django_db


def asked(owner: User | None, **wishes: object) -> Simulation:
    usual = {"game": "pyanitsa", "games": 40, "seed": 7, "options": {"max_tricks": 60}}
    return work.start(owner=owner, **(usual | wishes))


def finished(found: Simulation) -> Report:
    while work.run_parts_for_a_while():
        pass
    found.refresh_from_db()
    assert found.status == "finished", found.fault
    return msgspec.json.decode(bytes(found.report), type=Report)


def test_the_figures_are_those_of_the_arena(ada: User) -> None:
    report = finished(asked(ada))
    whole = run_part(report.simulation, Part(0, 40))
    assert msgspec.json.encode(report.figures) == msgspec.json.encode(whole)
    assert report.summary.matches == 40


def test_a_part_lost_with_its_worker_is_played_again(ada: User) -> None:
    found = asked(ada, games=80)
    lost = work._claim_part()
    while work.run_parts_for_a_while():
        pass
    found.refresh_from_db()
    assert (found.status, found.played) == ("running", 75)
    SimulationPart.objects.filter(id=lost.id).update(given_at=timezone.now() - 2 * work.LOST_AFTER)
    report = finished(found)
    whole = run_part(report.simulation, Part(0, 80))
    assert msgspec.json.encode(report.figures) == msgspec.json.encode(whole)


def test_a_late_answer_counts_once(ada: User) -> None:
    found = asked(ada, games=4)
    part = work._claim_part()
    figures = run_part(work.request_of(part.simulation), Part(0, 1))
    work._store_figures(part, figures)
    work._store_figures(part, figures)
    found.refresh_from_db()
    assert found.played == 1
    assert finished(found).summary.matches == 4


def test_a_cancelled_one_takes_no_more_parts(ada: User) -> None:
    found = asked(ada)
    part = work._claim_part()
    assert work.cancel(simulation_id=found.id, owner=ada).status == "cancelled"
    assert work.run_parts_for_a_while() is False
    work._store_figures(part, run_part(work.request_of(part.simulation), Part(0, 2)))
    found.refresh_from_db()
    assert (found.status, found.played) == ("cancelled", 0)


def test_a_finished_one_cannot_be_cancelled(ada: User) -> None:
    found = asked(ada, games=3)
    finished(found)
    assert work.cancel(simulation_id=found.id, owner=ada).status == "finished"


@pytest.mark.parametrize(
    ("wishes", "word"),
    [
        ({"game": "chess"}, "chess"),
        ({"bots": ("clever",)}, "clever"),
        ({"bots": ("os:system",)}, "os:system"),
        ({"options": {"players": 9}}, "players"),
        ({"games": 0}, "games"),
        ({"games": work.MOST_GAMES + 1}, "games"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(
    ada: User, wishes: dict[str, object], word: str
) -> None:
    with pytest.raises(BadSimulation, match=word):
        asked(ada, **wishes)
    assert not Simulation.objects.exists()


def test_nobody_runs_more_than_a_few_at_once(ada: User, ben: User) -> None:
    for _ in range(settings.LIMITS["simulations"]):
        asked(ada)
    with pytest.raises(TooManySimulations):
        asked(ada)
    asked(ben)


def test_without_an_owner_it_counts_in_nobodys_limit_and_has_no_pictures(ada: User) -> None:
    for _ in range(settings.LIMITS["simulations"]):
        asked(None, games=2)
    assert finished(asked(None, games=2)).summary.matches == 2
    assert not SimulationPicture.objects.exists()
    asked(ada)


def test_side_decks_are_part_of_the_request() -> None:
    decks = (STARTER, SINGLES)
    found = asked(None, game="pazaak", games=2, options={}, side_decks=decks)
    assert work.request_of(found).side_decks == decks
    assert work.summary_so_far(found) is None
    assert finished(found).summary.bots == work.summary_so_far(found).bots
    with pytest.raises(BadSimulation, match="without side decks"):
        asked(None, side_decks=decks)


def test_only_its_owner_may_cancel_it(ada: User, ben: User) -> None:
    with pytest.raises(NoSuchSimulation):
        work.cancel(simulation_id=asked(ada).id, owner=ben)


def test_they_are_due_as_long_as_there_is_a_part_to_take(ada: User) -> None:
    assert "simulations" not in duties.due_since()
    simulation = asked(ada)
    assert "simulations" in duties.due_since()
    Simulation.objects.filter(id=simulation.id).update(claimed=F("games"))
    assert "simulations" not in duties.due_since()


def test_one_that_breaks_three_times_is_set_aside(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulation = asked(ada)

    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setitem(work.KINDS, "", work.KINDS[""]._replace(run=broken))
    for _ in range(work.rows.TRIES):
        work.run_parts_for_a_while()
        Trouble.objects.update(next_at=timezone.now())
    simulation.refresh_from_db()
    assert simulation.status == "failed"
    assert "simulations" not in duties.due_since()


def test_accounts_take_turns_whatever_they_asked_for(ada: User, ben: User) -> None:
    for _ in range(3):
        asked(ada, games=900)
    small = asked(ben, games=64)
    order = [work._claim_part().simulation for _ in range(6)]
    assert [part.owner for part in order] == [ada, ben] * 3
    assert len({part.id for part in order if part.owner == ada}) == 3
    assert {part.id for part in order if part.owner == ben} == {small.id}


def test_who_had_much_lately_waits_for_who_had_little(ada: User, ben: User) -> None:
    long, small = asked(ada, games=900), asked(ben, games=64)
    spent = Simulation.objects.filter(id=long.id)
    spent.update(seconds=3)
    assert {work._claim_part().simulation_id for _ in range(4)} == {small.id}
    over = timezone.now() - work.LATELY
    spent.update(status="cancelled", finished_at=over + timedelta(seconds=5))
    asked(ada)
    assert {work._claim_part().simulation_id for _ in range(4)} == {small.id}
    spent.update(finished_at=over)
    assert {work._claim_part().simulation.owner for _ in range(2)} == {ada, ben}


def test_who_had_very_much_is_no_worse_off_than_who_had_much(ada: User, ben: User) -> None:
    for owner, more in ((ada, 1), (ben, 1000)):
        found = Simulation.objects.filter(id=asked(owner, games=900).id)
        found.update(seconds=work.SECONDS_COUNTED + more)
    assert {work._claim_part().simulation.owner for _ in range(2)} == {ada, ben}


def test_what_workers_spent_is_counted(ada: User) -> None:
    asked(ada)
    work._run(work._claim_part())
    assert Simulation.objects.get().seconds > 0


def test_the_figures_do_not_wait_for_the_pictures(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = asked(ada, games=2)
    with monkeypatch.context() as killed:
        killed.setattr(work, "_draw", lambda *_: None)
        assert finished(found).summary.matches == 2
    assert work.pictures_of(found) == []
    work.run_parts_for_a_while()
    assert work.pictures_of(found) == []  # somebody may still draw them
    Simulation.objects.update(finished_at=timezone.now() - 2 * work.DRAWING)
    work.run_parts_for_a_while()
    assert work.pictures_of(found) == list(PICTURES)


def test_a_long_match_is_played_in_moments(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "SECONDS_A_PART", 0)  # no more than nothing at a time
    long = {"game": "shithead", "games": 1, "bots": ("lowest",), "options": {"games": 20}}
    found = asked(ada, **long)
    for _ in range(3):
        work._run(work._claim_part())
    part = SimulationPart.objects.get()
    assert (part.given_at, part.figures) == (None, None)
    looks = count()
    monkeypatch.setattr(work, "monotonic", lambda: float(next(looks)))
    monkeypatch.setattr(work, "SECONDS_A_PART", 100)
    parts = 0
    while Simulation.objects.get().status == "running":
        work._run(work._claim_part())
        parts += 1
    assert parts > 2
    found.refresh_from_db()
    report = msgspec.json.decode(bytes(found.report), type=Report)
    whole = run_part(report.simulation, Part(0, 1))
    assert msgspec.json.encode(report.figures) == msgspec.json.encode(whole)


def test_as_pages(client: Client) -> None:
    assert client.get("/simulations").status_code == 200
    typed = {"game": "pyanitsa", "games": "5", "bots": "automaton", "seed": "3"}
    options = {"players": "2", "deck": "36", "dispute": "open", "collect_to": "won_pile"}
    options |= {"recycle": "fifo", "collect_order": "as_laid", "short_dispute": "takes_all"}
    options |= {"goal": "collect", "low_beats_ace": "off", "jokers": "equal", "leader": "winner"}
    options |= {"max_tricks": "200", "pace": "manual"}
    wrong = client.post("/simulations", typed | options | {"bots": "clever"})
    assert wrong.status_code == 422
    assert "clever" in wrong.content.decode()
    sent = client.post("/simulations", typed | options)
    assert sent.status_code == 302, sent.content.decode()
    page = client.get(sent["Location"]).content.decode()
    assert "0 of 5 played" in page
    finished(Simulation.objects.get())
    page = client.get(sent["Location"]).content.decode()
    assert "survival.png" in page
    assert Client().get(sent["Location"]).status_code == 404
