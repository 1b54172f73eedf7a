"""An option is declared once: its words stand beside its bounds, everybody reads them there."""

from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta

from cardroom.rules import catalog
from cardroom.rules.option import option, words_of
from cardroom.rules.text import say
from cardroom.rules.values import Options


class TableOptions(Options, frozen=True, kw_only=True):
    deck: Annotated[
        Literal[36, 52],
        option(say("Cards"), choices={36: say("six to ace"), 52: say("two to ace")}),
    ] = 36
    limit: Annotated[
        Annotated[int, Meta(ge=1, le=9)] | None,
        option(say("Tricks at most"), say("Left empty, no limit."), note=say("Then it is a draw.")),
    ] = None
    quick_start: bool = False


def test_the_words_are_read_from_the_declaration():
    words = words_of(TableOptions)
    assert list(words) == ["deck", "limit", "quick_start"]
    assert str(words["deck"].choices[52]) == "two to ace"
    assert (str(words["limit"].sentence), str(words["limit"].note)) == (
        "Left empty, no limit.",
        "Then it is a draw.",
    )


def test_without_words_it_is_called_by_its_field():
    assert words_of(TableOptions)["quick_start"].label == "Quick start"


def test_programs_read_the_same_words_as_its_description():
    schema = msgspec.json.schema(TableOptions)["$defs"]["TableOptions"]["properties"]
    assert schema["deck"]["description"] == "Cards. `36`: six to ace. `52`: two to ace."
    assert schema["limit"]["description"] == (
        "Tricks at most. Left empty, no limit. Then it is a draw."
    )


def test_words_leave_the_bounds_as_they_are():
    with pytest.raises(msgspec.ValidationError, match="<= 9"):
        msgspec.convert({"limit": 10}, TableOptions)


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_an_option_repeats_no_sentence_and_has_words_for_each_of_its_values(game):
    for field in msgspec.structs.fields(game.options):
        words = game.option_words[field.name]
        texts = [*map(str, (words.label, words.sentence, words.note)), *words.choices.values()]
        said = [str(text) for text in texts if str(text)]
        assert len(said) == len(set(said)), field.name
        literal = msgspec.inspect.type_info(field.type)
        while isinstance(literal, msgspec.inspect.Metadata):
            literal = literal.type
        if isinstance(literal, msgspec.inspect.LiteralType):
            assert set(words.choices) == set(literal.values), field.name
