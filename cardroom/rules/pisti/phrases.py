"""What players of this game say at the table. The slugs are stored and sent, so they stay."""

from collections.abc import Mapping
from typing import Final

from cardroom.rules.text import Phrase, say

PHRASES: Final[Mapping[str, Phrase]] = {
    "pisti": say("Pişti!"),
    "jack_takes_all": say("A jack takes it all."),
    "i_counted": say("I have counted the cards."),
    "what_a_pile": say("What a pile!"),
}
