"""RULES.md of every game agrees with its code, and what is cited can be looked up.

A game is compared field by field: options with values and defaults, presets, events. Its worked
vectors are compared in ``tests/rules/<slug>/test_vectors.py``.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from cardroom.rules import catalog
from cardroom.rules.values import Event
from tests.rules.specification import (
    ROOT,
    chosen,
    cited_rules,
    codes,
    record_format,
    rules_of,
    says,
)

pytestmark = pytest.mark.xdist_group("specification")  # every file is read once
SLUGS = catalog.slugs()
TITLES = [
    "Conventions", "Default rules", "Options", "Moves (text notation)", "Events",
    "What a seat sees", "Test vectors",
]  # fmt: skip
WHERE = ("accounts", "cardroom", "config", "decks", "games", "tests")
KINDS = (".py", ".html", ".js", ".css")

RULE = re.compile(r"\bR(\d+)(?:\.(\d+))?\b")
SECTION = re.compile(r"(?<!\.md )(?<!\d )§(\d+)")  # of the game's own rules
RECORD = re.compile(r"FORMAT\.md §(\d+)(?:, ([\w ]+\w))?")
DOCUMENT = re.compile(r"[\w/*-]+\.md\b")


@cache
def sources() -> list[tuple[Path, str]]:
    paths = [path for place in WHERE for path in sorted((ROOT / place).rglob("*"))]
    return [
        (path.relative_to(ROOT), path.read_text("utf-8")) for path in paths if path.suffix in KINDS
    ]


def of_game(slug: str) -> Iterator[tuple[Path, str]]:
    """The files of one game: those with its name in their path."""
    names = (slug, slug.replace("-", "_"))
    if catalog.installed(slug):
        return ((path, path.read_text("utf-8")) for path in catalog.folder(slug).rglob("*.py"))
    return ((path, text) for path, text in sources() if any(name in str(path) for name in names))


@pytest.mark.parametrize("slug", SLUGS)
def test_every_game_has_its_rules_with_the_same_sections(slug):
    rules = rules_of(slug)
    assert list(rules.sections) == list(range(len(TITLES)))
    assert [text.splitlines()[0] for text in rules.sections.values()] == TITLES
    assert list(rules.rules) == list(range(1, len(rules.rules) + 1))
    assert rules.vectors() == list(range(1, len(rules.vectors()) + 1))


@pytest.mark.parametrize("slug", SLUGS)
def test_a_rule_cited_in_a_game_is_in_its_rules(slug):
    rules, cited = rules_of(slug), 0
    for path, text in of_game(slug):
        for number, check in RULE.findall(text):
            cited += 1
            assert rules.has_rule(int(number), int(check) if check else None), (
                f"{path} cites R{number}{check and '.' + check}"
            )
    assert cited, f"nothing cites the rules of {slug}"


@pytest.mark.parametrize("slug", SLUGS)
def test_a_rule_cited_with_the_name_of_its_game_is_there(slug):
    cited = re.compile(rf"\b{slug},? R(\d+)\b")
    for path, text in sources():
        for number in cited.findall(text) if slug in text else ():
            assert rules_of(slug).has_rule(int(number)), f"{path} cites {slug} R{number}"


@pytest.mark.parametrize("slug", SLUGS)
def test_a_section_cited_in_a_game_is_in_its_rules(slug):
    for path, text in of_game(slug):
        for number in SECTION.findall(text):
            assert int(number) in rules_of(slug).sections, f"{path} cites §{number}"


def test_a_section_cited_from_the_record_is_in_its_format():
    headings = {heading.lower() for heading in record_format().headings}
    cited = [
        (path, match)
        for path, text in sources()
        if "FORMAT.md" in text
        for match in RECORD.finditer(text)
    ]
    assert cited
    for path, match in cited:
        assert int(match[1]) in record_format().sections, f"{path} cites {match[0]}"
        assert match[2] is None or match[2].lower() in headings, f"{path} cites {match[0]}"


def test_a_document_cited_is_in_the_repository():
    below = [
        path
        for folder in ("cardroom", "docs", "docker", "games")
        for path in (ROOT / folder).rglob("*")
    ]
    files = [*ROOT.iterdir(), *below]
    names = {path.name for path in files if path.suffix == ".md"}
    for path, text in sources():
        if ".md" in text and not path.is_relative_to(
            "tests/docs"
        ):  # names pages that are missing on purpose
            for cited in DOCUMENT.findall(text):
                assert Path(cited).name in names, f"{path} cites {cited}"


@pytest.mark.parametrize("slug", SLUGS)
def test_the_options_have_the_values_and_defaults_of_the_rules(slug):
    fields = msgspec.structs.fields(catalog.find(slug).options)
    table = rules_of(slug).table("Options", "Option")
    assert [row["Option"] for row in table] == [f"`{field.name}`" for field in fields]
    for row, field in zip(table, fields, strict=True):
        assert row["Values"] == values(field.type), field.name
        assert row["Default"] == written(field.default), field.name
        assert row["Effect"], field.name


@pytest.mark.parametrize("slug", SLUGS)
def test_a_default_number_is_the_one_in_the_text_of_its_rules(slug):
    rules = rules_of(slug)
    for row in rules.table("Options", "Option"):
        text = " ".join(rules.rules[number] for number in cited_rules(row["Effect"]))
        if text and row["Default"].isdigit():
            assert says(text, int(row["Default"])), row["Option"]


def values(kind: Any, limits: Any = None) -> str:
    """An option's type as the rules write it: ``1…9``, ``true, false``, ``1…99 or null``."""
    metadata = getattr(kind, "__metadata__", ())
    if metadata:
        bounds = next((meta for meta in metadata if meta.ge is not None), limits)
        return values(kind.__origin__, bounds)
    arguments = get_args(kind)
    if type(None) in arguments:
        return f"{values(arguments[0], limits)} or null"
    if arguments:
        return ", ".join(map(written, arguments))
    return "true, false" if kind is bool else f"{limits.ge}…{limits.le}"


def written(value: Any) -> str:
    return f"`{value}`" if isinstance(value, str) else msgspec.json.encode(value).decode()


@pytest.mark.parametrize("slug", SLUGS)
def test_the_presets_are_those_of_the_rules(slug):
    game = catalog.find(slug)
    listed = {row["Preset"].strip("`"): row["Options"] for row in _presets(slug)}
    assert list(listed) == list(game.presets)
    for name, options in listed.items():
        assert chosen(options) or options == "the defaults"
        assert game.choose_options(chosen(options)) == game.presets[name], name


def _presets(slug: str) -> list[dict[str, str]]:
    return rules_of(slug).table("Options", "Preset") if catalog.find(slug).presets else []


@pytest.mark.parametrize("slug", SLUGS)
def test_the_events_have_the_fields_of_the_rules(slug):
    """A field marked * is private, so its event has something to hide from others."""
    kinds = {kind.__struct_config__.tag: kind for kind in get_args(catalog.find(slug).events)}
    table = rules_of(slug).table("Events")
    assert {row["Event"].strip("`") for row in table} == set(kinds)
    for row in table:
        kind = kinds[row["Event"].strip("`")]
        assert codes(row["Fields"]) == list(kind.__struct_encode_fields__), row["Event"]
        assert ("*" in row["Fields"]) == (kind.seen_by is not Event.seen_by), row["Event"]
        assert row["What it tells"], row["Event"]


@pytest.mark.parametrize("slug", SLUGS)
def test_the_fields_inside_an_event_are_in_the_rules(slug):
    """An event's own structs, such as one side's score, have their fields named beside it."""
    table = {
        row["Event"].strip("`"): row["What it tells"] for row in rules_of(slug).table("Events")
    }
    for kind in get_args(catalog.find(slug).events):
        for inner in _structs(kind):
            named = codes(table[kind.__struct_config__.tag])
            assert set(inner.__struct_encode_fields__) <= set(named), inner.__name__


def _structs(event: type[Event]) -> list[Any]:
    items = [argument for f in msgspec.structs.fields(event) for argument in get_args(f.type)]
    return [item for item in items if isinstance(item, type) and issubclass(item, msgspec.Struct)]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_vector_is_a_scene_of_the_tests(slug):
    """In a table that is played as it stands, or by number: ``test_vector_7_…``, ``# vector 7``."""
    scenes = "".join(text for path, text in of_game(slug) if path.name == "test_vectors.py")
    shown = set(map(int, re.findall(r"vectors?[_ ](\d+)", scenes)))
    rules = rules_of(slug)
    for heading in re.findall(r'(?:rows|_table)\("([^"]+ \(R[^"]+)"', scenes):
        shown |= {int(row["#"]) for row in rules.table(heading)}
    assert set(rules.vectors()) <= shown


def test_the_catalogue_of_side_cards_is_that_of_the_rules():  # pazaak §0
    from cardroom.rules.pazaak.side_cards import SIDE_CARDS

    table = rules_of("pazaak").table("Conventions")
    listed = [(row["Kind"], code) for row in table for code in codes(row["Codes"])]
    kinds = {"plus-or-minus 1/2": "plus-or-minus-1-2"}
    assert [(kinds.get(kind, kind), code) for kind, code in listed] == [
        (card.kind, card.code) for card in SIDE_CARDS
    ]
    assert [int(row["Types"]) for row in table] == [len(codes(row["Codes"])) for row in table]
