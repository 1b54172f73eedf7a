"""RULES.md and FORMAT.md as data: their sections, numbered rules and tables.

The documents are what the tests compare the code with, so they are read and never repeated.
"""

import re
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path

import cardroom.rules
from cardroom.rules import catalog

RULES = Path(cardroom.rules.__file__).parent
ROOT = RULES.parent.parent
NONE = "–"  # an empty cell

Row = dict[str, str]
_HEADING = re.compile(r"^#{2,3} (?:(\d+)\. )?(.+)$", re.MULTILINE)
_RULE = re.compile(r"^\* \*\*R(\d+)\.\*\*", re.MULTILINE)
_VECTOR = re.compile(r"^(?:\| |\* \*\*)(\d+)(?: \||\.\*\*)", re.MULTILINE)
_WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_AMOUNT = re.compile(rf"\d[\d,]*|\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
_CITED = re.compile(r"\bR\d+(\.\d+)?\b")
_CODE = re.compile(r"`([^`]*)`")


class Document:
    """A specification; sections by their number, tables by the heading above them."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text("utf-8")

    @cached_property
    def headings(self) -> list[str]:
        return [match[2] for match in _HEADING.finditer(self.text)]

    @cached_property
    def sections(self) -> dict[int, str]:
        numbered = re.split(r"^## (\d+)\. ", self.text, flags=re.MULTILINE)[1:]
        return {int(n): text for n, text in zip(numbered[::2], numbered[1::2], strict=True)}

    @cached_property
    def rules(self) -> dict[int, str]:
        """The text of each numbered rule, with the tables that belong to it."""
        parts = _RULE.split(self.sections[1])[1:]
        texts = [re.split(r"^### ", text, flags=re.MULTILINE)[0] for text in parts[1::2]]
        return {int(n): text for n, text in zip(parts[::2], texts, strict=True)}

    def has_rule(self, number: int, check: int | None = None) -> bool:
        """Whether R<number> is here, and in it the numbered ``check`` (R12.3)."""
        text = self.rules.get(number, "")
        return bool(text) and (check is None or f"\n  {check}. " in text)

    def notes(self) -> set[int]:
        """The rules that players need not read."""
        return {number for number, text in self.rules.items() if "*(note)*" in text}

    def vectors(self) -> list[int]:
        """The numbers of the test vectors, each once."""
        return sorted(set(map(int, _VECTOR.findall(self.sections[6]))))

    def table(self, heading: str, first: str | None = None) -> list[Row]:
        """The first table below a heading, or the one whose first column is named ``first``."""
        for rows in _tables(self._below(heading)):
            if first is None or first == next(iter(rows[0])):
                return rows
        raise LookupError(f"There is no such table below {heading!r}.")

    def _below(self, heading: str) -> str:
        (at,) = [match for match in _HEADING.finditer(self.text) if match[2] == heading]
        following = _HEADING.search(self.text, at.end())
        return self.text[at.end() : following.start() if following else None]


def _tables(text: str) -> Iterator[list[Row]]:
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *rows = [_cells(line) for line in block.splitlines()]
        yield [dict(zip(head, row, strict=True)) for row in rows]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


@cache
def rules_of(slug: str) -> Document:
    return Document(catalog.folder(slug) / "RULES.md")


@cache
def record_format() -> Document:
    return Document(RULES / "record" / "FORMAT.md")


def codes(cell: str) -> list[str]:
    """Everything that stands in backticks."""
    return _CODE.findall(cell)


def code(cell: str) -> str:
    """The one thing that stands in backticks; nothing for an empty cell."""
    found = codes(cell)
    return found[0] if found else ""


def pile(cell: str) -> str:
    """``[JS,5C]`` as the scenes write it."""
    return code(cell).strip("[]").replace(",", " ")


def numbers(cell: str) -> tuple[int, ...]:
    return tuple(int(number) for number in cell.split(", "))


def cards_at(cell: str) -> tuple[int, ...]:
    """Places in a deck: ``d4–d7`` or ``d2 d7 d12``."""
    if cell == NONE:
        return ()
    ends = [int(place) for place in re.findall(r"d(\d+)", cell)]
    return tuple(range(ends[0], ends[1] + 1)) if "–" in cell else tuple(ends)


def chosen(cell: str) -> dict[str, object]:
    """Options as a preset lists them: ``players`` 4, ``bottom_card`` ``exposed``."""
    pairs = re.findall(r"`(\w+)` (`\w+`|\w+)", cell)
    return {name: _value(value) for name, value in pairs}


def _value(text: str) -> object:
    words: dict[str, object] = {"true": True, "false": False, "null": None}
    if text.startswith("`"):
        return text.strip("`")
    return words[text] if text in words else int(text)


def cited_rules(text: str) -> list[int]:
    """The rules that a text refers to."""
    return [int(number) for number in re.findall(r"\bR(\d+)", text)]


def amounts(text: str) -> set[int]:
    """The numbers from two on, in figures or in words, but for those of cited rules."""
    found = [word.lower().replace(",", "") for word in _AMOUNT.findall(_CITED.sub("", text))]
    values = [_WORDS.index(word) + 2 if word in _WORDS else int(word) for word in found]
    return {value for value in values if value > 1}


def says(text: str, number: int) -> bool:
    """Whether a text names a number; 0 and 1 stand in many words, so they are not ``amounts``."""
    if number > 1:
        return number in amounts(text)
    words = {0: "0|no|none|nothing", 1: "1|one|once|a single"}[number]
    return re.search(rf"\b(?:{words})\b", _CITED.sub("", text), re.IGNORECASE) is not None
