"""A server of the Model Context Protocol: an assistant reads and plays matches of Cardroom.

It acts with one key of its user, and sees what that person may see: the own hand and no other.
"""

import os
from typing import Any

from mcp.server import MCPServer

from cardroom import Cardroom  # the client that the service serves, beside this file

SHOWN = ("id", "game", "status", "version", "round", "to_act", "your_seats", "view", "outcome")

mcp = MCPServer("Cardroom")
room = Cardroom(
    os.environ.get("CARDROOM_URL", "http://127.0.0.1:8000"), os.environ.get("CARDROOM_KEY")
)


def shown(match: dict[str, Any]) -> dict[str, Any]:
    """A match as an assistant needs it: what the seat knows, and its moves in words."""
    moves = {legal["move"]: legal["label"] for legal in match["legal_moves"]}
    players = [seat["name"] for seat in match["seats"]]
    return {name: match[name] for name in SHOWN} | {"players": players, "legal_moves": moves}


@mcp.resource("cardroom://games")
def games() -> list[dict[str, Any]]:
    """The games with their computers, options and the address of the rules."""
    return room.games()


@mcp.resource("cardroom://matches/{match_id}")
def match(match_id: str) -> dict[str, Any]:
    """A match as the person may see it now."""
    return shown(room.match(match_id))


@mcp.resource("cardroom://matches/{match_id}/record")
def record(match_id: str) -> dict[str, Any]:
    """The record of a match that is over: seed, shuffles and moves."""
    return room.record(match_id)


@mcp.tool()
def new_match(game: str, computer: str) -> dict[str, Any]:
    """Open a match against a computer, both named by the slugs of the games."""
    return shown(room.create_match(game, ["me", f"bot {computer}"]))


@mcp.tool()
def list_moves(match_id: str) -> dict[str, str]:
    """The legal moves, each with what it means; none while another is to act."""
    return shown(room.match(match_id))["legal_moves"]


@mcp.tool()
def play_move(match_id: str, move: str, version: int) -> dict[str, Any]:
    """Play one of the legal moves in the match at this version."""
    return shown(room.move(match_id, move, version))


@mcp.tool()
def what_happened(match_id: str, after: int = -1) -> list[dict[str, Any]]:
    """The events after a version, as the person may know them."""
    return room.events(match_id, after)["events"]


@mcp.tool()
def analyse(match_id: str) -> dict[str, Any]:
    """Ask the coach to judge the own moves of a match that is over, or read how far that is."""
    return room.analyse(match_id)


if __name__ == "__main__":
    mcp.run()
