"""How many SQL statements a move takes, sign-in by key included; prints the most and the mean.

A process of its own, `python -m tests.bench.statements`, for it is Django itself that counts.
"""

import json
import os
from typing import Any

import django

MOVES = 100


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(SERVER_NAME="localhost")

    def post(path: str, body: Any) -> Any:
        answer = client.post(f"/api/v1/{path}", json.dumps(body), "application/json")
        if answer.status_code != 201:
            raise RuntimeError(f"{path}: {answer.status_code} {answer.content!r}")
        return answer.json()

    client.defaults["HTTP_AUTHORIZATION"] = f"Token {post('accounts/guest', {})['token']}"
    seats = [{"kind": "me"}, {"kind": "local", "name": "Neighbour"}]
    match = post("matches", {"game": "pisti", "seats": seats})
    counts = []
    for _ in range(MOVES):
        match = client.get(f"/api/v1/matches/{match['id']}").json()
        move = {"move": match["legal_moves"][0]["move"], "version": match["version"]}
        with CaptureQueriesContext(connection) as statements:
            post(f"matches/{match['id']}/moves", move)
        counts.append(len(statements))
    print(max(counts), sum(counts) / MOVES)


if __name__ == "__main__":
    main()
