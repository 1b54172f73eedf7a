"""The tables of this app, where Django looks for them; each subject defines its own."""

from games.matches.models import Match, Notice, Ply, Round, Seat
from games.simulations.models import Simulation, SimulationPart, SimulationPicture

__all__ = [
    "Match",
    "Notice",
    "Ply",
    "Round",
    "Seat",
    "Simulation",
    "SimulationPart",
    "SimulationPicture",
]
