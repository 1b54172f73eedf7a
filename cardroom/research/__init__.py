"""Environments for people who train and study players, on the very rules that the service plays.

* ``environment``: a PettingZoo AEC environment of any game of the catalogue; ``parallel`` the same
  where all seats act at once.
  ``remembering`` adds what a seat could remember of the round.
* ``batch``: thousands of matches of one game at once, on its compiled kernel (``<slug>.batch``),
  alone or as a vector environment of Gymnasium.
* ``spiel``: any game as a game of OpenSpiel; ``<slug>.last_…`` are games cut down for solvers.

They need the extra ``research``. What a seat observes is its view (``Game.observe``) and nothing
else; action numbers and observations are described in ``cardroom/rules/encoding.py``.
"""

from cardroom.research.environment import CardroomEnvironment, environment
from cardroom.research.parallel import (
    CardroomParallelEnvironment,
    parallel_environment,
    remembering,
)

__all__ = [
    "CardroomEnvironment",
    "CardroomParallelEnvironment",
    "environment",
    "parallel_environment",
    "remembering",
]
