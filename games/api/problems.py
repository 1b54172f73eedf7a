"""Refusals with more fields: a stale version brings the match, a limit says when to retry."""

import msgspec

from config.api.errors import translates
from config.api.problems import ProblemResponse
from games.api.schemas.match_answers import match_response
from games.live.refusals import TooManyStreams
from games.matches.refusals import StaleVersion

SECONDS_UNTIL_A_STREAM_ENDS = 5


@translates(TooManyStreams)
def _too_many_streams(error: TooManyStreams) -> ProblemResponse:
    return ProblemResponse(error, {"Retry-After": str(SECONDS_UNTIL_A_STREAM_ENDS)})


@translates(StaleVersion)
def _stale(error: StaleVersion) -> ProblemResponse:
    """The caller gets the match as it stands, so that it can decide again at once."""
    match = msgspec.to_builtins(match_response(error.match, error.user))
    return ProblemResponse(error, match=match)
