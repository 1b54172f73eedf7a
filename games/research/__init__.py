"""Environments for people who train and study players, on the very rules that the service plays.

* ``environment``: a PettingZoo AEC environment of any game of the catalogue; ``parallel`` the same
  where all seats act at once.
* ``<slug>.batch``: thousands of matches of one game at once, on its compiled kernel.
* ``spiel``: any game as a game of OpenSpiel.
* ``match``: one running match, which all of them are made of.

They need the extra ``research``. What a seat observes is its view (``Game.observe``) and nothing
else; action numbers and observations are described in ``games/rules/encoding.py``.
"""

from games.research.environment import CardroomEnvironment, environment
from games.research.parallel import CardroomParallelEnvironment, parallel_environment

__all__ = [
    "CardroomEnvironment",
    "CardroomParallelEnvironment",
    "environment",
    "parallel_environment",
]
