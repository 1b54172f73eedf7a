"""What players of this game say at the table. The slugs are stored and sent, so they stay."""

from collections.abc import Mapping
from typing import Final

from cardroom.rules.text import Phrase, say

PHRASES: Final[Mapping[str, Phrase]] = {
    "twenty": say("Twenty!"),
    "bust": say("Bust!"),
    "i_stand": say("I stand by that."),
    "tie_again": say("A tie again!"),
}
