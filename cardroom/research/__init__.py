"""Environments for people who train and study players, on the very rules that the service plays.

* ``environment``: a PettingZoo AEC environment of any game of the catalogue; ``parallel`` the same
  where all seats act at once.
* ``memory``: a wrapper that adds what a seat could remember of the round.
* ``batch``: thousands of matches of one game at once, on its compiled kernel (``<slug>.batch``);
  ``vector`` the same as a vector environment of Gymnasium.
* ``spiel``: any game as a game of OpenSpiel; ``<slug>.last_…`` are games cut down for solvers.
* ``match``: one running match, which all of them are made of; ``rewards`` says what it is worth.

They need the extra ``research``. What a seat observes is its view (``Game.observe``) and nothing
else; action numbers and observations are described in ``cardroom/rules/encoding.py``.
"""

from cardroom.research.environment import CardroomEnvironment, environment
from cardroom.research.memory import remembering
from cardroom.research.parallel import CardroomParallelEnvironment, parallel_environment

__all__ = [
    "CardroomEnvironment",
    "CardroomParallelEnvironment",
    "environment",
    "parallel_environment",
    "remembering",
]
