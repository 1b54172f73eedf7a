"""Why nobody may end a match for another's absence."""

from config.refusals import Refusal


class NotAbsent(Refusal, status=409):
    """Nobody has kept you waiting for three days in this match."""
