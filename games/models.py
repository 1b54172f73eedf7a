"""The tables of this app, where Django looks for them; each subject defines its own."""

from games.matches.models import ArchiveDictionary, ArchivedMatch, Match, Notice, Ply, Round, Seat
from games.simulations.models import Simulation, SimulationPart, SimulationPicture

__all__ = [
    "ArchiveDictionary",
    "ArchivedMatch",
    "Match",
    "Notice",
    "Ply",
    "Round",
    "Seat",
    "Simulation",
    "SimulationPart",
    "SimulationPicture",
]
