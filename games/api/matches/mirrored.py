"""Mirrored matches over the API: where one stands in its set, and what all of the set say."""

from datetime import datetime
from typing import Literal
from uuid import UUID

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.api.schema import refusals
from games.absent import GameNotInstalled, check_installed
from games.api.matches.access import visible
from games.mirrored.refusals import NotMirrored
from games.mirrored.results import PairResult, SetResult
from games.mirrored.standing import Standing, standing_of


class MirroredPair(msgspec.Struct, frozen=True):
    """``margins`` are those of the first side, in both ``matches``; the second one is swapped.

    ``skill`` is their sum, ``luck`` their difference: what the cards of the first side in the first
    match were worth in both together. ``winner`` is a side, null for a draw: who has the greater
    margin in both, but a side that gave one of them up has lost the pair.
    """

    matches: list[UUID]
    margins: list[int]
    skill: int
    luck: int
    winner: int | None


class MirroredResult(msgspec.Struct, frozen=True):
    """``sides``: the names on both; ``won``: how many pairs each has won.

    ``skill`` is the first side's in all pairs, ``luck`` how much the cards moved, whichever way.
    ``winner`` has won more pairs, else has the greater skill; null for a draw.
    """

    sides: list[list[str]]
    won: list[int]
    skill: int
    luck: int
    winner: int | None
    pairs: list[MirroredPair]


class MirroredSetJson(msgspec.Struct, frozen=True):
    """The match is ``number`` of ``matches``; ``following`` is your next one, once it has begun.

    ``result`` is null until ``over_at``; until then nobody learns which matches were dealt alike.
    """

    form: Literal["set", "duplicate"]
    number: int
    matches: int
    following: UUID | None
    over_at: datetime | None
    result: MirroredResult | None

    @classmethod
    def of(cls, standing: Standing) -> "MirroredSetJson":
        result = standing.result
        return cls(
            form=standing.form,  # type: ignore[arg-type]
            number=standing.number,
            matches=standing.matches,
            following=standing.following,
            over_at=standing.over_at,
            result=_result(standing, result) if result else None,
        )


def _result(standing: Standing, result: SetResult) -> MirroredResult:
    return MirroredResult(
        sides=list(standing.sides),
        won=list(result.won),
        skill=result.skill,
        luck=result.luck,
        winner=result.winner,
        pairs=[_pair(pair) for pair in result.pairs],
    )


def _pair(pair: PairResult) -> MirroredPair:
    return MirroredPair(
        matches=[each.match_id for each in pair],
        margins=[each.margin for each in pair],
        skill=pair.skill,
        luck=pair.luck,
        winner=pair.winner,
    )


class Mirrored(APIView):
    permission_classes = (AllowAny,)  # who may see a match is said by the match

    @extend_schema(
        operation_id="mirrored",
        summary="Read how a mirrored match stands",
        tags=["watching"],
        responses={200: MirroredSetJson, **refusals(NotMirrored, GameNotInstalled)},
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """What follows a mirrored match, and skill and luck once all of its set are over."""
        match = visible(match_id, request)
        check_installed(match.rules)
        return Response(MirroredSetJson.of(standing_of(match.id, request.user.pk)))
