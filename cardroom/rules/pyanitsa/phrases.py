"""What players of this game say at the table. The slugs are stored and sent, so they stay."""

from collections.abc import Mapping
from typing import Final

from cardroom.rules.text import Phrase, say

PHRASES: Final[Mapping[str, Phrase]] = {
    "dispute": say("A dispute!"),
    "my_ace": say("There goes my ace."),
    "heap_grows": say("My heap is growing."),
    "all_night": say("This may take all night."),
}
