"""`GET games`: every game, for anybody."""

import msgspec
import pytest

from cardroom.rules import catalog
from tests.api.calls import get


@pytest.fixture
def told(api, db):
    return {game["slug"]: game for game in get(api, "games").json()}


def test_every_game_of_the_catalogue_in_its_order(told):
    assert list(told) == [game.slug for game in catalog.GAMES]


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_a_game_with_all_its_fields(told, game):
    shown = told[game.slug]
    assert set(shown) == {
        *("slug", "name", "summary", "rules_url", "seats", "options", "presets", "bots")
    }
    assert (shown["name"], shown["summary"]) == (game.name, game.summary)
    assert shown["seats"] == {"min": game.min_seats, "max": game.max_seats}
    assert shown["rules_url"].startswith("/")
    assert [set(bot) for bot in shown["bots"]] == [
        {"slug", "name", "summary", "level", "rated", "rating"}
    ] * len(game.bots)
    assert [bot["slug"] for bot in shown["bots"]] == [bot.slug for bot in game.bots]


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_the_options_are_a_json_schema_whole_in_itself(told, game):
    schema = told[game.slug]["options"]
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == set(game.options.__struct_fields__)
    for name, preset in told[game.slug]["presets"].items():
        assert set(preset) == set(schema["properties"])
        assert game.choose_options(preset) == game.presets[name]
    references = [text for text in _texts(schema) if text.startswith("#")]
    assert all(text.startswith("#/$defs/") for text in references)


def _texts(value):
    if isinstance(value, dict):
        value = value.values()
    if isinstance(value, str):
        return [value]
    return [t for part in value for t in _texts(part)] if hasattr(value, "__iter__") else []


def test_a_bad_key_is_told_even_here(holding, db):
    answer = get(holding("nonsense"), "games")
    assert answer.status_code == 401
    assert msgspec.json.decode(answer.content)["code"] == "bad_key"
