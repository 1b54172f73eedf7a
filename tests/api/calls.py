"""Calls of the API as a program makes them, and what every refusal looks like."""

from typing import Any
from uuid import UUID

from rest_framework.test import APIClient

from config.api.errors import MEDIA_TYPE
from config.refusals import Refusal
from games.matches.selectors.access import get_match
from tests.matches import scenes

API = "/api/v1/"
NAMED = {"bot": "bot", "user": "username", "local": "name"}


def get(client: APIClient, path: str, query: dict[str, Any] | None = None, **headers: str) -> Any:
    return client.get(API + path, query, headers=_spelt(headers))


def post(client: APIClient, path: str, body: Any = None, **headers: str) -> Any:
    body = {} if body is None else body
    return client.post(API + path, body, format="json", headers=_spelt(headers))


def _spelt(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def refused(answer: Any, code: str) -> dict[str, Any]:
    """The problem (RFC 9457) that an answer is; it must be the one of this code."""
    assert answer["Content-Type"] == MEDIA_TYPE, answer.content
    told = answer.json()
    assert told["code"] == code, told
    assert answer.status_code == told["status"] == Refusal.by_code[code].status
    assert told["type"] == f"urn:cardroom:problem:{code}"
    assert told["title"] == Refusal.by_code[code].title
    assert told["request_id"] == answer["X-Request-Id"]
    assert told["detail"].strip().endswith((".", ".)"))
    return told


def wishes(text: str) -> list[dict[str, str]]:
    """`me, bot greedy, user ben, open, local Cleo` as the seats of a new match."""
    found = []
    for seat in text.split(", "):
        kind, _, name = seat.partition(" ")
        found.append({"kind": kind} | ({NAMED[kind]: name} if name else {}))
    return found


def new_match(
    client: APIClient, seats: str = "me, local Twin", game: str = "pisti", **rules: Any
) -> dict[str, Any]:
    answer = post(client, "matches", {"game": game, "seats": wishes(seats)} | rules)
    assert answer.status_code == 201, answer.content
    return answer.json()


def read(client: APIClient, match: dict[str, Any], **query: Any) -> dict[str, Any]:
    answer = get(client, f"matches/{match['id']}", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def move(client: APIClient, match: dict[str, Any], text: str = "", **said: Any) -> Any:
    """Posts a move, by default the first legal one of the match as it is given."""
    named = {"key": "Idempotency_Key", "csrf": "X_CSRFToken"}
    headers = {named[name]: said.pop(name) for name in list(said) if name in named}
    body = {"move": text or match["legal_moves"][0]["move"], "version": match["version"]} | said
    return post(client, f"matches/{match['id']}/moves", body, **headers)


def played(client: APIClient, match: dict[str, Any], until: int = 10**6) -> dict[str, Any]:
    """The match after moves of a person who sits on all its seats; no request for each of them."""
    scenes.played(get_match(UUID(match["id"])), until)
    return read(client, match)
