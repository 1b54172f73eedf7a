"""Why the arena refuses a request; ``str(error)`` is a sentence for a person.

Each error takes only this sentence, or a phrase that a door translates, so that it can be pickled
and leave a worker process.
"""


class ArenaError(Exception):
    """The arena cannot do what it was asked."""


class BadRequest(ArenaError):
    """An unknown game, bot or option, or numbers that make no sense together."""


class BotFault(ArenaError):
    """A strategy raised an error, or returned a move that the rules refuse."""


class PlotsMissing(ArenaError):
    """The plotting library is not installed."""
