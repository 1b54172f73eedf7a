"""The two commands, called as a person would; the toy game needs its own process only."""

import shlex
import sys
from io import StringIO

import msgspec
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from cardroom.arena.ranking import Tournament
from cardroom.arena.reports import Report
from cardroom.arena.request import Part, run_part
from cardroom.arena.series import MatchRecord
from games.management.commands.arena import Command as Arena
from games.management.commands.simulate import Command as Simulate


def run(command, *arguments):
    out = StringIO()
    call_command(command, *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def lines_of(bot, text):
    return [line for line in text.splitlines() if line.startswith(f"│ {bot} ")]


def test_arena_prints_a_line_a_bot_with_its_interval(toy):
    text = run(Arena(), "toy", "high", "low", "--matches", "20", "--seed", "1", "--jobs", "1")
    assert "Toy, 2 seats, seed 1" in text
    (high,), (low,) = lines_of("high", text), lines_of("low", text)
    assert "100.0 │ 83.9–100.0" in high  # Wilson's interval of 20 in 20
    assert "0.0 │" in low
    assert "20 matches" in text
    assert "plies" in text


def test_arena_fills_the_table_with_the_last_bot(toy):
    text = run(
        Arena(), "toy", "high", "low", "--players", "4", "--matches", "8", "--seed", "1",
        "--jobs", "1",
    )  # fmt: skip
    assert lines_of("high", text)[0].split("│")[2].strip() == "1"
    assert lines_of("low", text)[0].split("│")[2].strip() == "3"


def test_in_teams_the_bots_named_are_the_sides(toy):
    text = run(
        Arena(), "toy", "high", "low", "--players", "4", "--option", "teams=true",
        "--matches", "8", "--seed", "1", "--jobs", "1",
    )  # fmt: skip
    assert [line.split("│")[2].strip() for line in text.splitlines() if line[:1] == "│"] == [
        "2", "2",
    ]  # fmt: skip
    assert "100.0" in lines_of("high", text)[0]


def test_more_bots_than_seats_play_a_round_robin(toy):
    text = run(
        Arena(), "toy", "low", "random", "high", "--matches", "10", "--seed", "1", "--jobs", "1"
    )
    table = text[text.index("Round robin") :]
    assert [line.split("│")[1].strip() for line in table.splitlines() if line[:1] == "│"] == [
        "high", "random", "low",
    ]  # fmt: skip


def test_arena_repeats_itself_under_a_seed(toy):
    asked = ("toy", "random", "low", "--matches", "30", "--jobs", "1", "--seed")
    won = [lines_of("random", run(Arena(), *asked, seed))[0].split("│")[3] for seed in "778"]
    assert won[0] == won[1]


def test_a_seed_is_chosen_and_told(toy):
    texts = {run(Arena(), "toy", "high", "low", "--matches", "2", "--jobs", "1") for _ in range(2)}
    assert len({text.split("seed ")[1].split()[0] for text in texts}) == 2


def test_own_bots_play_by_their_dotted_path(toy):
    path = "tests.arena.toy:highest"
    text = run(Arena(), "toy", path, "low", "--matches", "10", "--seed", "1", "--jobs", "1")
    assert "100.0" in lines_of(path, text)[0]
    text = run(Simulate(), "toy", "--bots", f"{path},low", "--games", "10", "--jobs", "1")
    assert path in text


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["chess", "high"], "There is no game 'chess'; there are:"),
        (["toy", "deep"], "Toy has no bot 'deep'; there are: random, low, high"),
        (["toy", "high", "low", "deep"], "Toy has no bot 'deep'"),
        (["toy", "low", "--option", "size=3"], "Toy has no option 'size'; there are: players"),
        (["toy", "low", "--option", "colour=green"], "colour is one of"),
        (["toy", "low", "--option", "colour"], "name=value, not 'colour'"),
        (["toy", "low", "--players", "9"], "players is 2 to 6"),
        (["toy", "low", "--preset", "nine"], "there are: three"),
        (["toy", "low", "--matches", "0"], "games must be 1 to"),
        (["toy", "low", "--jobs", "0"], "--jobs must be 1 or more"),
        (["toy", "low", "--seed", "-4"], "seed must be 0 to"),
        (["toy", "low", "--round-robin"], "two or more different bots"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(toy, arguments, fault):
    with pytest.raises(CommandError, match=fault):
        run(Arena(), *arguments)


def test_a_bot_that_breaks_the_rules_ends_the_command_with_a_sentence(toy):
    with pytest.raises(CommandError, match=r"at seat 0 played 'my best' at ply 1: A move is"):
        run(Arena(), "toy", "tests.arena.test_commands:stubborn", "low", "--jobs", "1")


def broken(view, events, rng):
    return {}["no such plan"]


@pytest.mark.parametrize(
    ("bot", "said"),
    [("stubborn", "played 'my best' at ply"), ("broken", "raised KeyError: 'no such plan' at")],
)
def test_a_fault_names_seat_ply_seed_and_the_command_that_plays_it_again(toy, bot, said):
    path = f"tests.arena.test_commands:{bot}"
    asked = ["toy", "low", path, "--option", "target=5", "--seed", "7", "--jobs", "1"]
    with pytest.raises(CommandError) as first:
        run(Arena(), *asked)
    sentence = str(first.value)
    assert f"Bot '{path}' at seat 1 {said}" in sentence
    assert "ply 2" in sentence
    assert "Seed 7, match 0." in sentence
    command = shlex.split(sentence.partition("again: ")[2])
    assert command[:3] == ["manage.py", "arena", "toy"]
    out = StringIO()
    with pytest.raises(CommandError, match=f"at seat 1 {said}"):
        call_command(Arena(), *command[2:], stdout=out, stderr=StringIO())
    assert out.getvalue().splitlines()[1].startswith("   1 ")


def test_matches_are_written_a_line_each_and_play_again_the_same(toy, tmp_path):
    asked = ("toy", "random", "low", "high", "--jobs", "1")
    text = run(Arena(), *asked, "--matches", "7", "--seed", "3", "--out", str(tmp_path))
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"arena.json", "bots.csv", "ratings.csv", "matches.ndjson", "table.png"}
    assert all(f"wrote {tmp_path / name}" in text for name in names)
    lines = (tmp_path / "matches.ndjson").read_bytes().splitlines()
    records = [msgspec.json.decode(line, type=MatchRecord) for line in lines]
    assert [record.number for record in records] == list(range(7)) * 3
    assert [record.decks for record in records[:4]] == [0, 0, 1, 1]
    for record, line in list(zip(records, lines, strict=True))[:7:3]:
        replayed = run(Arena(), *asked[:3], "--replay", f"3:{record.number}")
        assert replayed.strip().encode() == line
    tournament = msgspec.json.decode((tmp_path / "arena.json").read_bytes(), type=Tournament)
    assert list(tournament.ratings) == ["high", "random", "low"]
    assert tournament.contests[0].figures.matches == 7


def test_a_match_is_shown_in_words():
    text = run(Arena(), "pisti", "greedy", "--preset", "single", "--replay", "1:4", "--show")
    lines = text.splitlines()
    assert "Deal 1" in lines[0]
    assert sum("plays" in line for line in lines) == 48
    assert lines[-1].startswith("deal: points (")


@pytest.mark.parametrize("named", ["7", "7:", "x:1", ":"])
def test_a_match_is_named_by_seed_and_number(toy, named):
    with pytest.raises(CommandError, match="SEED:NUMBER"):
        run(Arena(), "toy", "low", "--replay", named)


def test_columns_say_places_and_what_cannot_vary_is_left_out(toy):
    text = run(Simulate(), "shithead", "--games", "2", "--jobs", "1")
    assert "places" in text
    assert "Unfinished" not in text
    endless = ("--option", "target=1", "--option", "max_rounds=5")
    assert "Unfinished" in run(Simulate(), "toy", "--games", "2", "--jobs", "1", *endless)
    two, three = (
        run(Arena(), "toy", "low", "high", "--players", n, "--matches", "6", "--jobs", "1")
        for n in "23"
    )
    assert "last %" not in two  # who has not won, nor drawn
    assert "last %" in three


def stubborn(view, events, rng):
    return "my best"


def test_simulate_prints_lengths_and_seats(toy):
    text = run(Simulate(), "toy", "--players", "3", "--games", "40", "--seed", "3", "--jobs", "1")
    assert "Toy: 40 matches, seed 3" in text
    assert "Unfinished at the limit: " in text
    assert [line.split("│")[1].strip() for line in text.splitlines() if line[:1] == "│"] == [
        "rounds", "plies", "0", "1", "2",
    ]  # fmt: skip


def test_simulate_writes_figures_and_pictures(toy, tmp_path):
    text = run(
        Simulate(), "toy", "--bots", "high,low", "--games", "30", "--seed", "3", "--jobs", "1",
        "--out", str(tmp_path),
    )  # fmt: skip
    report = msgspec.json.decode((tmp_path / "simulation.json").read_bytes(), type=Report)
    assert report.figures == run_part(report.simulation, Part(0, 30))
    names = {path.name for path in tmp_path.iterdir()}
    assert {"measures.csv", "lengths.csv", "seats.csv", "length.png", "wins.png"} <= names
    assert all(f"wrote {tmp_path / name}" in text for name in names)


def test_simulate_keeps_the_figures_when_pictures_cannot_be_drawn(toy, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(CommandError, match="matplotlib"):
        run(Simulate(), "toy", "--games", "5", "--jobs", "1", "--out", str(tmp_path))
    assert (tmp_path / "simulation.json").exists()


def test_simulate_says_what_is_wrong(toy):
    with pytest.raises(CommandError, match="Toy has no option 'deck'"):
        run(Simulate(), "toy", "--deck", "36")
    with pytest.raises(CommandError, match="3 bots are named for 2 seats"):
        run(Simulate(), "toy", "--bots", "low,low,high")


def test_the_same_seed_gives_the_same_figures_with_any_number_of_jobs(tmp_path):
    for jobs in ("1", "2"):
        run(
            Simulate(), "pyanitsa", "--players", "3", "--games", "60", "--seed", "9",
            "--option", "max_tricks=100", "--jobs", jobs, "--out", str(tmp_path / jobs),
        )  # fmt: skip
    for name in ("simulation.json", "lengths.csv", "seats.csv", "length.png"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
