"""What players of this game say at the table. The slugs are stored and sent, so they stay."""

from collections.abc import Mapping
from typing import Final

from cardroom.rules.text import Phrase, say

PHRASES: Final[Mapping[str, Phrase]] = {
    "well_burned": say("Well burned!"),
    "pick_it_up": say("Pick it up!"),
    "not_me": say("It will not be me."),
    "blind_luck": say("Blind luck!"),
}
