"""The standings are those that an independent script counts from records alone."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from rest_framework.test import APIClient

from games.competitions import taking_part
from games.matches.leaving import resign_as_operator
from tests.api.calls import API
from tests.competitions import recounted
from tests.competitions.held import begun, held, matches_of, now, paid, players, sheet

pytestmark = pytest.mark.django_db


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
