"""The one refusal that needs a reader's eyes: a stale version brings the match."""

import msgspec

from config.api.errors import translates
from config.api.problems import ProblemResponse
from games.api.schemas.matches import match_response
from games.matches.refusals import StaleVersion


@translates(StaleVersion)
def _stale(error: StaleVersion) -> ProblemResponse:
    """The caller gets the match as it stands, so that it can decide again at once."""
    match = msgspec.to_builtins(match_response(error.match, error.user))
    return ProblemResponse(error, match=match)
