"""A server of the Model Context Protocol: an assistant reads and plays matches of Cardroom.

It acts with one key of its user, and sees what that person may see: the own hand and no other.
"""

import os
from collections.abc import Callable
from functools import wraps
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError

from cardroom import Cardroom, Problem  # the client that the service serves, beside this file

SHOWN = ("id", "game", "status", "version", "round", "to_act", "your_seats", "view", "outcome")

mcp = MCPServer("Cardroom")
room = Cardroom(
    os.environ.get("CARDROOM_URL", "http://127.0.0.1:8000"), os.environ.get("CARDROOM_KEY")
)


def telling(failure: type[Exception]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A refusal reaches the assistant in the service's own words: the SDK hides other errors."""

    def decorated(call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def answered(*given: Any, **named: Any) -> Any:
            try:
                return call(*given, **named)
            except Problem as problem:
                raise failure(f"{problem.code}: {problem}") from None

        return answered

    return decorated


def shown(match: dict[str, Any]) -> dict[str, Any]:
    """A match as an assistant needs it: what the seat knows, and its moves in words."""
    moves = {legal["move"]: legal["label"] for legal in match["legal_moves"]}
    players = [seat["name"] for seat in match["seats"]]
    return {name: match[name] for name in SHOWN} | {"players": players, "legal_moves": moves}


@mcp.resource("cardroom://games")
@telling(ResourceError)
def games() -> list[dict[str, Any]]:
    """The games with their computers, options and the address of the rules."""
    return room.games()


@mcp.resource("cardroom://matches/{match_id}")
@telling(ResourceError)
def match(match_id: str) -> dict[str, Any]:
    """A match as the person may see it now."""
    return shown(room.match(match_id))


@mcp.resource("cardroom://matches/{match_id}/record")
@telling(ResourceError)
def record(match_id: str) -> dict[str, Any]:
    """The record of a match that is over: seed, shuffles and moves."""
    return room.record(match_id)


@mcp.tool()
@telling(ToolError)
def new_match(game: str, computer: str, preset: str = "") -> dict[str, Any]:
    """Open a match against a computer, both named by the slugs of the games, as their preset."""
    chosen = {"preset": preset} if preset else {}
    return shown(room.create_match(game, ["me", f"bot {computer}"], **chosen))


@mcp.tool()
@telling(ToolError)
def list_moves(match_id: str) -> dict[str, str]:
    """The legal moves, each with what it means; none while another is to act."""
    return shown(room.match(match_id))["legal_moves"]


@mcp.tool()
@telling(ToolError)
def play_move(match_id: str, move: str, version: int) -> dict[str, Any]:
    """Play one of the legal moves in the match at this version."""
    return shown(room.move(match_id, move, version))


@mcp.tool()
@telling(ToolError)
def what_happened(match_id: str, after: int = -1) -> list[dict[str, Any]]:
    """The events after a version, as the person may know them."""
    return room.events(match_id, after)["events"]


@mcp.tool()
@telling(ToolError)
def analyse(match_id: str) -> dict[str, Any]:
    """Ask the coach to judge the own moves of a match that is over, or read how far that is."""
    return room.analyse(match_id)


if __name__ == "__main__":
    mcp.run()
