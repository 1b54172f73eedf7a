"""The express door says of a call what Django's views say of it."""

import pytest
from django.urls import Resolver404

from config.api.throttles import Loads, Requests
from config.server.plain import PlainRequests
from games.api import matches, playing
from games.api.express import MATCH, Calls, kind_of

MatchDetail = matches.api.views["matches/<uuid:match_id>"]
MatchMoves = playing.api.views["matches/<uuid:match_id>/moves"]
HERE = MATCH.format("00000000-0000-0000-0000-000000000000")


def move():
    return kind_of("POST", HERE + "/moves", is_move=True)


def test_what_is_read_off_the_views():
    assert move() == (
        "POST", True, "moves", "play", "games.api.matches.moves.MatchMoves", "POST, OPTIONS",
    )  # fmt: skip
    assert kind_of("GET", HERE) == (
        "GET", False, "user", "read", "games.api.matches.matches.MatchDetail",
        "GET, HEAD, OPTIONS",
    )  # fmt: skip


def test_a_view_that_changes_takes_the_door_along(monkeypatch):
    monkeypatch.setattr(MatchMoves, "throttle_classes", (Loads,))
    monkeypatch.setattr(MatchMoves, "write_scope", "account", raising=False)
    monkeypatch.setattr(MatchMoves, "put", MatchMoves.post, raising=False)
    kind = move()
    assert (kind.limit, kind.scope, kind.allow) == ("loads", "account", "POST, PUT, OPTIONS")


def test_a_limit_that_the_door_does_not_count_stops_the_process(monkeypatch):
    monkeypatch.setattr(MatchDetail, "throttle_classes", (Requests, Loads))
    with pytest.raises(ValueError, match="too many values"):
        Calls(PlainRequests())


def test_an_address_that_moved_stops_the_process(settings):
    settings.ROOT_URLCONF = "accounts.urls"
    with pytest.raises(Resolver404):
        Calls(PlainRequests())
