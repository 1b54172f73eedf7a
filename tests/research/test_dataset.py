"""Decisions as Parquet: what is in a row, and whose secret none of it is."""

import re
from io import StringIO

import numpy
import pytest
from django.core.management import CommandError, call_command
from pyarrow import parquet

from cardroom.arena.request import describe, series
from cardroom.research import dataset
from cardroom.research.dataset import COLUMNS, card
from cardroom.research.parallel import encoding_version
from cardroom.rules import catalog
from games.matches import loading
from tests.matches.scenes import now, opened, played, resigned, short

every_game = pytest.mark.parametrize("slug", [game.slug for game in catalog.GAMES])


def written(tmp_path, *arguments):
    """The rows that the command wrote, the file, and what it said."""
    file, out = tmp_path / "decisions.parquet", StringIO()
    game, *others = arguments
    call_command("dataset", game, str(file), *others, stdout=out)
    return parquet.read_table(file), file, out.getvalue()


@pytest.mark.parametrize(
    ("slug", "bots"),
    [
        ("pisti", "searcher:playouts=20,greedy"),
        ("pazaak", "gambler"),
        ("shithead", "keeper,random"),
    ],
)
def test_computers_play_and_every_row_is_a_decision(slug, bots, tmp_path):
    preset = ["--preset", "single"] if slug == "pisti" else []
    table, file, said = written(
        tmp_path, slug, *preset, "--bots", bots, "--matches", "4", "--seed", "3", "--jobs", "1"
    )
    game, rows = catalog.find(slug), table.to_pylist()
    assert table.column_names == list(COLUMNS)
    assert f"{len(rows):,} decisions of 4 matches" in said
    assert {row["player"] for row in rows} == set(bots.split(","))
    for row in rows[:200]:
        assert len(row["observation"]) == game.observation.size
        assert len(row["legal"]) > 1
        assert row["action"] in row["legal"] or slug == "shithead"
        assert row["legal"] == sorted(row["legal"])
    by_match = {row["match"]: set() for row in rows}
    for row in rows:
        by_match[row["match"]].add((row["seat"], row["reward"]))
    assert all(sum(worth for _, worth in results) == 0 for results in by_match.values())
    about = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    assert about["encoding"] == encoding_version(game)
    text = card(file).read_text()
    assert all(f"`{each.name}`" in text for each in game.observation.features)
    assert "seed: 3" in text


def test_the_same_seed_writes_the_same_rows(tmp_path):
    asked = ("pazaak", "--bots", "gambler,rookie", "--matches", "3", "--seed", "5", "--jobs", "1")
    first, _, _ = written(tmp_path, *asked)
    again, _, _ = written(tmp_path, *asked)
    assert first.equals(again)


def test_an_observation_is_what_the_seat_saw_when_it_decided():
    request = describe("pisti", preset="single", bots=["greedy"], games=1, seed=2)
    rows = list(dataset.of_series(series(request), [0]))
    hand = [numpy.flatnonzero(row.observation[:52]).tolist() for row in rows]
    assert all(set(row.legal) == set(held) for row, held in zip(rows, hand, strict=True))
    assert all(row.action in row.legal for row in rows)


@every_game
def test_a_public_match_is_told_without_names(slug, ada, tmp_path):
    match = played(short(ada, slug, "me, bot random", visibility="public"))
    table, file, _ = written(tmp_path, slug, "--records")
    players = {row["player"] for row in table.to_pylist()}
    assert players <= {"person", "random"}
    assert players or slug == "pyanitsa"  # where nobody decides anything
    content = f"{table.to_pylist()} {table.schema.metadata} {card(file).read_text()}"
    for secret in ("Ada", str(ada.id), str(match.id), match.seed.hex()):
        assert secret not in content


def test_only_public_matches_that_are_over_are_taken(ada, tmp_path):
    for visibility in ("private", "unlisted"):
        played(opened(ada, preset="single", visibility=visibility))
    played(opened(ada, preset="single", visibility="public"), until=9)  # it still runs
    table, _, _ = written(tmp_path, "pisti", "--records")
    assert table.num_rows == 0


def test_cards_that_a_running_match_still_uses_stay_a_secret(ada, tmp_path):
    parent = played(opened(ada, preset="single", visibility="public"), 9)
    child = loading.load(match_id=parent.id, user=ada, cards="same", version=7)
    assert played(now(parent)).is_over
    assert written(tmp_path, "pisti", "--records")[0].num_rows == 0
    resigned(child, 0)
    rows = written(tmp_path, "pisti", "--records")[0].to_pylist()
    assert {row["match"] for row in rows} in ({0}, {1})  # of the child, which was loaded, none


def test_what_a_computer_decides_for_a_seat_that_gave_up_is_left_out(ada, tmp_path):
    rules = {"options": {"players": 3, "target_score": None}, "visibility": "public"}
    match = played(opened(ada, "me, local Twin, local Cleo", **rules), 10)
    assert played(resigned(match, 0)).is_over
    rows = written(tmp_path, "pisti", "--records")[0].to_pylist()
    assert {row["seat"] for row in rows if row["ply"] > match.version} == {1, 2}
    assert {row["seat"] for row in rows if row["ply"] < match.version} == {0, 1, 2}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("bridge", "--bots", "random"), "There is no game 'bridge'"),
        (("pisti", "--bots", "nobody"), "Pişti has no bot 'nobody'"),
        (("pisti",), "one of the arguments --bots --records is required"),
    ],
)
def test_what_cannot_be_is_named(arguments, sentence, tmp_path):
    with pytest.raises(CommandError, match=re.escape(sentence)):
        written(tmp_path, *arguments)
