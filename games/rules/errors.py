"""Why the rules refuse, by cause; the text of each error is a sentence for a person."""


class RulesError(Exception):
    """Refused by the rules; ``str(error)`` is a sentence a person can act on."""


class BadOptions(RulesError):
    """The options contradict the rules or each other. ``faults`` names each."""

    def __init__(self, *faults: str) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


class BadSideDeck(RulesError):
    """What a seat brings to the table is not allowed. ``faults`` names each."""

    def __init__(self, *faults: str) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


class MoveRefused(RulesError):
    """A move that cannot be applied; the state is unchanged. ``reason`` is a stable word."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class MalformedMove(MoveRefused):
    """Not in the notation of this game, so no state could allow it."""


class NotYourTurn(MoveRefused):
    """The seat has nothing to decide now."""

    def __init__(self, sentence: str = "It is not your turn.") -> None:
        super().__init__("not_your_turn", sentence)


class IllegalMove(MoveRefused):
    """Well-formed, but the rules do not allow it here and now."""
