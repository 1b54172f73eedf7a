"""Why a simulation was refused."""

from config.refusals import Refused


class BadSimulation(Refused):
    """The simulation cannot be run as asked."""

    code = "bad_simulation"


class NoSuchSimulation(Refused):
    """There is no such simulation, or it is not yours."""

    code = "not_found"


class TooManySimulations(Refused):
    """You have too many simulations running."""

    code = "too_many_simulations"
