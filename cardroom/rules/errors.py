"""Why the rules refuse, by cause.

Each error keeps its sentence as a phrase, so that a door can translate it; ``str(error)`` is the
English text.
"""

from typing import Final

from cardroom.rules.text import Phrase, Words, say

NOT_YOUR_TURN: Final[Phrase] = say("It is not your turn.")
MATCH_OVER: Final[Phrase] = say("The match is over.")


class RulesError(Exception):
    """Refusal by the rules; ``str(error)`` is a sentence a person can act on."""


class Faulty(RulesError):
    """Something contradicts the rules; ``faults`` names each fault, a sentence each."""

    def __init__(self, *faults: Words) -> None:
        super().__init__(*faults)
        self.faults = faults

    def __str__(self) -> str:
        return " ".join(map(str, self.faults))


class BadOptions(Faulty):
    """The options contradict the rules or each other; ``fields``: option at fault -> its fault."""

    def __init__(self, /, *faults: Words, **fields: Words) -> None:
        super().__init__(*faults, *fields.values())
        self.fields = fields


class BadSideDeck(Faulty):
    """What a seat brings to the table is not allowed."""


class MoveRefused(RulesError):
    """A move that cannot be applied; the state is unchanged. ``reason`` is a stable word."""

    def __init__(self, reason: str, sentence: Words) -> None:
        super().__init__(reason, sentence)
        self.reason = reason
        self.sentence = sentence

    def __str__(self) -> str:
        return str(self.sentence)


class MalformedMove(MoveRefused):
    """Not in the notation of this game, so no state could allow it."""


class NotYourTurn(MoveRefused):
    """The seat has nothing to decide now."""

    def __init__(self, sentence: Words = NOT_YOUR_TURN) -> None:
        super().__init__("not_your_turn", sentence)


class IllegalMove(MoveRefused):
    """Well-formed, but the rules do not allow it here and now."""
