"""Every game of the catalogue keeps the contract (cardroom/contract); no game is named here.

A game added to the catalogue is tested by being there. `make test` draws a sixteenth of the
examples, `make sweeps` all that a known game needs, `make contract` many more.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator

from cardroom.contract import CHECKS, Check, golden
from cardroom.contract.golden import by_bots, new, read, replayed
from cardroom.contract.test_contract import hold
from cardroom.rules import catalog
from cardroom.rules.encoding import MOST, Layout
from cardroom.rules.game import AnyGame
from tests.fifth_game import GAME as HIGH_CARD
from tests.patience import PATIENCE
from tests.rules.playing import FUZZING, every_game, every_game_and_a_fifth

SEED = os.environ.get("FUZZ_SEED", "")
TRIED = [
    (game, check) for game in (*catalog.GAMES, HIGH_CARD) for check in CHECKS if check.applies(game)
]


every_check = pytest.mark.parametrize(
    ("game", "check"), TRIED, ids=[f"{game.slug}-{check.name}" for game, check in TRIED]
)


@every_check
def test_contract(game: AnyGame, check: Check) -> None:
    hold(check, game, 1 / 16, SEED)


@pytest.mark.sweep
@every_check
def test_contract_with_all_its_examples(game: AnyGame, check: Check) -> None:
    hold(check, game, 1 + FUZZING // 25, SEED)


@every_game_and_a_fifth
def test_presets_are_valid_by_the_schema_that_clients_read(game: AnyGame) -> None:
    schema = msgspec.json.schema(game.options)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for options in (game.options(), *game.presets.values()):
        validator.validate(msgspec.to_builtins(options))


def test_slugs_find_their_game() -> None:
    for game in catalog.GAMES:
        assert catalog.find(game.slug) is game
    with pytest.raises(KeyError):
        catalog.find("no-such-game")


# The contract is tried by authors who have the rules and nothing of the service.

TREE = Path(__file__).parents[2]


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """The rules, the contract's tests and one game, in a folder where Django cannot be imported."""
    (tmp_path / "cardroom").mkdir()
    shutil.copy(TREE / "cardroom/__init__.py", tmp_path / "cardroom")
    for part in ("cardroom/rules", "cardroom/contract"):
        shutil.copytree(TREE / part, tmp_path / part)
    shutil.copytree(TREE / "tests/fifth_game", tmp_path / "tests/fifth_game")
    for absent in ("django", "rest_framework", "numpy", "celery"):
        (tmp_path / f"{absent}.py").write_text("raise ImportError('It is not installed here.')\n")
    leaky = "from tests.fifth_game import GAME as HONEST\nfrom dataclasses import replace\n"
    leaky += "def tells(state, seat, move, shuffle):\n"
    leaky += "    raise RuntimeError('no play today')\n"
    leaky += "GAME = replace(HONEST, play=tells)\n"
    (tmp_path / "broken_game.py").write_text(leaky)
    return tmp_path


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    variables = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    variables |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    program = [sys.executable, "-m", *arguments]
    return subprocess.run(
        program,
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_the_command_prints_a_line_for_each_check_and_ends_with_a_status(elsewhere: Path) -> None:
    kept = run(elsewhere, "cardroom.contract", "tests.fifth_game:GAME", "--times", "1")
    assert kept.returncode == 0, kept.stdout + kept.stderr
    lines = kept.stdout.splitlines()
    assert len(lines) > 25
    assert all(line.startswith("ok ") for line in lines)
    broken = run(elsewhere, "cardroom.contract", "broken_game", "--only", "cards_are_conserved")
    assert broken.returncode == 1
    head, _, rule, *fault = broken.stdout.splitlines()
    assert head.startswith("BROKEN")
    assert rule == "No card is lost, doubled or made up. [cards_are_conserved]"
    assert "RuntimeError: no play today" in fault
    assert any(line.startswith("High Card, seed ") for line in fault)
    unknown = run(elsewhere, "cardroom.contract", "no_such_game:GAME")
    assert unknown.returncode == 2
    assert unknown.stdout.startswith("no_such_game:GAME cannot be imported: No module named")


@pytest.mark.sweep
def test_pytest_runs_the_same_checks(elsewhere: Path) -> None:
    named = ("--pyargs", "cardroom.contract", "-q", "--times", "1", "-p", "no:cacheprovider")
    kept = run(elsewhere, "pytest", *named, "--game", "tests.fifth_game:GAME")
    assert kept.returncode == 0, kept.stdout + kept.stderr
    assert " passed" in kept.stdout
    broken = run(elsewhere, "pytest", *named, "--game", "broken_game", "-k", "cards_are_conserved")
    assert broken.returncode == 1
    assert "No card is lost, doubled or made up." in broken.stdout
    assert "Falsifying example" in broken.stdout or "Failing test case" in broken.stdout
    nobody = run(elsewhere, "pytest", *named)
    assert nobody.returncode != 0
    assert "Name a game to be checked: --game my_game:GAME" in nobody.stdout + nobody.stderr


# Golden playthroughs still play as they did; a change of rules, events, views or words shows.
#
# To write them again: ``python -m cardroom.contract.golden``. What a file holds is said in
# ``cardroom/contract/golden.py``.

every_file = pytest.mark.parametrize("path", golden.all_of_them(), ids=lambda path: path.stem)


@every_file
def test_every_line_is_as_it_was(path):
    text = path.read_text(encoding="utf-8")
    for number, (now, then) in enumerate(
        zip(replayed(text), text.splitlines(), strict=True), start=1
    ):
        assert msgspec.json.decode(now) == msgspec.json.decode(then), f"line {number}"
        assert now == then, f"line {number}"  # the order of fields too


@every_file
def test_it_is_a_whole_match(path):
    text = path.read_text(encoding="utf-8")
    lines = [msgspec.json.decode(line) for line in text.splitlines()]
    match, moves = read(text)
    assert path.stem.startswith(f"{match.game}-")
    outcome = lines[-1]["outcome"]
    scores = [line["scores"] for line in lines if "scores" in line]
    assert [sum(column) for column in zip(*scores, strict=True)] == outcome["points"]
    assert len(moves) == max(line.get("ply", 0) for line in lines)


@pytest.mark.parametrize("name", [name for name, _, _ in golden.needed()])
def test_every_game_and_preset_has_one(name):
    assert golden.golden_path(name).exists(), f"write it: python -m cardroom.contract.golden {name}"


def test_the_first_deck_is_the_sealed_one():  # FORMAT.md §3, k = 0
    lines = golden.golden_path("pisti-classic").read_text(encoding="utf-8").splitlines()
    events = msgspec.json.decode(lines[2])["events"]
    told = {event["type"] + str(event.get("seat", "")): event for event in events}
    assert told["hand_dealt0"]["cards"] == ["2H", "9C", "TH", "QC"]
    assert told["hand_dealt1"]["cards"] == ["9D", "9S", "7D", "9H"]
    assert told["centre_dealt"]["top"] == "6S"


@every_game
def test_a_new_file_begins_with_its_setup(game):
    match = new(game, None, {})
    lines = match.lines(by_bots(match))
    first, second = (msgspec.json.decode(next(lines)) for _ in range(2))
    assert first["game"] == game.slug
    assert len(second["seats"]) == game.seats(game.options())


# The numbers of moves and views that the games of the house published to learners.

# Programs keep these: a policy that was trained yesterday must read the game as it did.
PUBLISHED = {"pisti": (52, 199), "pazaak": (50, 232), "shithead": (3071, 660), "pyanitsa": (5, 139)}


@every_game
def test_sizes_stay_as_published(game):
    sizes = (len(game.actions.texts), game.observation.size)
    assert sizes == PUBLISHED.get(game.slug, sizes)


def test_the_same_position_looks_the_same_from_every_seat():
    pisti = catalog.find("pisti")
    state = pisti.start(pisti.choose_options(preset="four"), (), list).state
    starts = pisti.observation.starts
    for seat in range(4):
        observed = pisti.observe(pisti.view(state, seat))
        starter = observed[starts["starter"] : starts["starter"] + 4].index(1)
        assert (seat + starter) % 4 == state.to_play  # seats are counted from the own one


def test_a_number_that_does_not_fit_is_cut():
    layout = Layout()
    assert layout.size == 0
    pyanitsa = catalog.find("pyanitsa")
    options = pyanitsa.choose_options({"max_tricks": 100_000})
    state = pyanitsa.start(options, (), list).state
    observed = pyanitsa.observe(pyanitsa.view(state, 0))
    assert observed[pyanitsa.observation.starts["options.max_tricks"]] == MOST


@pytest.mark.parametrize(
    ("listed", "number"), [("5H 5D", "5D 5H"), ("5D 5H", "5D 5H"), ("pickup", "pickup")]
)
def test_where_equal_cards_lie_makes_no_difference(listed, number):
    actions = catalog.find("shithead").actions
    assert [actions.texts[at] for at in actions.among([listed])] == [number]
