"""Why a seek or a challenge is refused."""

from config.api.errors import KeyReused
from config.refusals import NotFound, Refusal


class NoSuchSeek(NotFound):
    """There is no such seek, or it is not yours."""


class AlreadyPaired(Refusal, status=409, members={"match_id": str}):
    """Somebody was found already, and the match has begun."""


class KeyOfAnotherSeek(KeyReused):
    """This idempotency key belongs to another seek; use a new key for each seek."""


class NoSuchChallenge(NotFound):
    """There is no such challenge, or it is not yours."""


class ChallengeIsOver(Refusal, status=409, members={"ending": str}):
    """This challenge does not wait for an answer any more."""


class KeyOfAnotherChallenge(KeyReused):
    """This idempotency key belongs to another challenge; use a new key for each challenge."""


class StaysAway(Refusal, status=409):
    """You made no first move in several matches of the last day. Until tomorrow, play unrated."""
