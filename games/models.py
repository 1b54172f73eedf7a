"""The tables of this app, where Django looks for them; each subject defines its own."""
# ruff: noqa: F401

from games.matches.models import ArchiveDictionary, ArchivedMatch, Match, Notice, Ply, Round, Seat
from games.simulations.models import Simulation, SimulationPart, SimulationPicture
