"""Every game of the catalogue keeps the contract (cardroom/contract); no game is named here.

A game added to the catalogue is tested by being there. `make test` draws a sixteenth of the
examples, `make sweeps` all that a known game needs, `make contract` many more.
"""

import os

import msgspec
import pytest
from jsonschema import Draft202012Validator

from cardroom.contract import CHECKS, Check
from cardroom.contract.test_contract import hold
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from tests.fifth_game import GAME as HIGH_CARD
from tests.rules.playing import FUZZING, every_game_and_a_fifth

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
