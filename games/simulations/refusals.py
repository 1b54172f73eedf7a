"""Why a simulation was refused."""

from config.refusals import NotFound, Refusal


class BadSimulation(Refusal, status=422):
    """The simulation cannot be run as asked."""


class NoSuchSimulation(NotFound):
    """There is no such simulation, or it is not yours."""


class TooManySimulations(Refusal, status=409):
    """You have too many simulations running."""
