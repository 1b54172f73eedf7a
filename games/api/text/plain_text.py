"""Answers as plain text, for people with a terminal or a screen reader: ``Accept: text/plain``.

A match is described in full: the seats, what the reader may know of the table, and the legal moves
with the token that ``POST matches/<id>/moves`` takes. Cards in a row stand in brackets.
"""

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer

from games.api.schemas.catalog import GameJson
from games.api.schemas.matches import Match, MatchList
from games.api.schemas.moves import Events
from games.api.schemas.people import UserProfile
from games.api.schemas.programs.challenges import Challenge, ChallengeList
from games.api.schemas.rematches import RematchJson
from games.api.schemas.seeks import SeekJson, SeekList
from games.api.schemas.tournaments import TournamentJson, TournamentList, TournamentResults
from games.api.text import league_lines, lobby_lines, match_lines  # noqa: F401 - each registers its answers
from games.api.text.lines import lines_of

Answer = (
    Match
    | MatchList
    | Events
    | Challenge
    | ChallengeList
    | RematchJson
    | SeekJson
    | SeekList
    | TournamentJson
    | TournamentList
    | TournamentResults
    | UserProfile
    | list[GameJson]
)


class PlainText(BaseRenderer):
    """Renders the answers for which ``lines_of`` is registered."""

    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"

    def render(
        self,
        data: Any,
        _accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> str:
        names = getattr((renderer_context or {}).get("view"), "names", ())
        return "\n".join((*lines_of(data, names), ""))
