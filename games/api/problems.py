"""The one refusal that needs more words than its own: a stale version brings the match."""

import msgspec

from config.api.errors import translates
from config.api.problems import Problem
from games.api.schemas.matches import match_response
from games.matches.refusals import StaleVersion


@translates(StaleVersion)
def _stale(error: StaleVersion) -> Problem:
    """The caller gets the match as it stands, so that it can decide anew at once."""
    match = msgspec.to_builtins(match_response(error.match, error.user))
    return Problem(error.code, str(error), version=error.match.version, match=match)
