"""What can be wrong with a wish put to the arena; ``str(error)`` is a sentence to act on.

Each takes the sentence alone, so that it survives the way out of a worker process.
"""


class ArenaError(Exception):
    """The arena cannot do what it was asked."""


class BadRequest(ArenaError):
    """An unknown game, bot or option, or numbers that make no sense together."""


class BotFault(ArenaError):
    """A strategy returned a move that the rules refuse."""


class PlotsMissing(ArenaError):
    """The plotting library is not installed."""
