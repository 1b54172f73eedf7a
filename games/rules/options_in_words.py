"""How a form says the options of a game: a name, a sentence, and words for each choice."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.rules.text import Words


@dataclass(frozen=True)
class OptionWords:
    """``choices`` are the words for values that are no numbers."""

    label: Words
    help: Words = ""
    choices: Mapping[Any, Words] = field(default_factory=dict)
