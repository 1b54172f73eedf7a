"""From an answer to the calls that follow: the links of the OpenAPI document.

A tool that reads them plays: it opens a match, joins and moves without knowing what an id is.
"""

from typing import Any, Final

from config.api.document import operations

Schema = dict[str, Any]

MATCH: Final = {"match_id": "$response.body#/id"}
MOVE: Final = {
    "operationId": "move",
    "parameters": MATCH,
    "requestBody": {
        "move": "$response.body#/legal_moves/0/move",
        "version": "$response.body#/version",
    },
    "description": "The first legal move, where it is the caller's turn.",
}
AFTER_OPENING: Final = {
    "read": {"operationId": "match", "parameters": MATCH},
    "join": {"operationId": "join", "parameters": MATCH, "description": "By somebody else."},
    "invite": {"operationId": "invite", "parameters": MATCH},
    "move": MOVE,
    "events": {"operationId": "events", "parameters": MATCH},
    "stream": {"operationId": "stream", "parameters": MATCH},
    "load": {"operationId": "load", "parameters": MATCH},
    "resign": {"operationId": "resign", "parameters": MATCH},
}
AFTER_MOVE: Final = {name: AFTER_OPENING[name] for name in ("read", "move", "events", "resign")}
AFTER: Final[dict[tuple[str, str], Schema]] = {
    ("create_match", "201"): AFTER_OPENING,
    ("rematch", "201"): AFTER_OPENING,
    ("load", "201"): AFTER_OPENING,
    ("join", "200"): AFTER_OPENING,
    ("match", "200"): AFTER_OPENING,
    ("move", "201"): AFTER_MOVE,
    ("create_simulation", "201"): {
        "read": {"operationId": "simulation", "parameters": {"simulation_id": MATCH["match_id"]}},
        "cancel": {
            "operationId": "cancel_simulation",
            "parameters": {"simulation_id": MATCH["match_id"]},
        },
    },
    ("create_export", "202"): {
        "read": {"operationId": "export", "parameters": {"export_id": MATCH["match_id"]}},
        "file": {"operationId": "export_file", "parameters": {"export_id": MATCH["match_id"]}},
    },
    ("create_deck", "201"): {
        "read": {"operationId": "deck", "parameters": {"deck_id": MATCH["match_id"]}},
    },
}


def show_links(result: Schema, **_: Any) -> Schema:
    """drf-spectacular's postprocessing hook."""
    for _path, _method, operation in operations(result):
        for status, answer in operation["responses"].items():
            links = AFTER.get((operation["operationId"], status))
            if links:
                answer["links"] = links
    return result
