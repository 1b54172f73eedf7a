"""Why a tournament refuses."""

from config.api.errors import KeyReused
from config.refusals import NotAllowed, NotFound, Refusal


class NoSuchTournament(NotFound):
    """There is no such tournament, or it is not yours to see."""


class BadTournament(Refusal, status=422, members={"faults": list[str]}):
    """A tournament cannot be held like this."""


class TooManyTournaments(Refusal, status=409, members={"limit": int}):
    """You have as many tournaments that are not over as one account may have."""


class GuestsHoldNoTournaments(NotAllowed):
    """Sign up to hold a tournament; guests can take part in those of others."""


class NotTheOrganiser(NotAllowed):
    """Only who created the tournament, or an operator, can do this."""


class TournamentIsFull(Refusal, status=409):
    """This tournament is full."""


class TooLateToJoin(Refusal, status=409):
    """Nobody can join this tournament any more."""


class NotTakingPart(Refusal, status=409):
    """You do not take part in this tournament."""


class TournamentIsOver(Refusal, status=409):
    """This tournament is over."""


class AlreadyBegun(Refusal, status=409, code="tournament_has_begun"):
    """This tournament has begun already."""


class KeyOfAnotherTournament(KeyReused):
    """This idempotency key belongs to another tournament; use a new key for each tournament."""
