"""Accepting, declining and withdrawing a challenge, each exactly once.

All three and its expiry lock the match first, so that one of them wins and the others learn what
became of it. The same answer again is no error.
"""

from uuid import UUID

from accounts.models import User
from config.refusals import NotAllowed
from games.lobby.challenges.reading import challenge_of
from games.lobby.challenges.terms import ChallengeTerms, Reason, Status
from games.lobby.refusals import ChallengeIsOver
from games.matches.refusals import AlreadySeated, MatchNotOpen, SeatTaken
from games.matches.seating.joining import join, leave


def accept(*, account: User, challenge_id: UUID, deck: str | None = None) -> ChallengeTerms:
    """Seats the challenged person, and the match begins. Raises a refusal by cause."""
    _check_is_challenged(challenge_of(account.pk, challenge_id), account)
    try:
        join(match_id=challenge_id, user=account, deck=deck)
    except (AlreadySeated, MatchNotOpen, SeatTaken):
        return _settled(account, challenge_id, "accepted")
    return challenge_of(account.pk, challenge_id)


def decline(*, account: User, challenge_id: UUID, reason: Reason = "generic") -> ChallengeTerms:
    _check_is_challenged(challenge_of(account.pk, challenge_id), account)
    try:
        leave(match_id=challenge_id, user=account, reason=reason)
    except MatchNotOpen:
        return _settled(account, challenge_id, "declined")
    return challenge_of(account.pk, challenge_id)


def withdraw(*, account: User, challenge_id: UUID) -> ChallengeTerms:
    shown = challenge_of(account.pk, challenge_id)
    if shown.challenger.username != account.username:
        raise NotAllowed("Only who made a challenge can withdraw it. You can decline it.")
    try:
        leave(match_id=challenge_id, user=account)
    except MatchNotOpen:
        return _settled(account, challenge_id, "withdrawn")
    return challenge_of(account.pk, challenge_id)


def _check_is_challenged(shown: ChallengeTerms, account: User) -> None:
    if shown.challenged.username != account.username:
        raise NotAllowed("Only the person who was challenged can answer. You can withdraw it.")


def _settled(account: User, challenge_id: UUID, wanted: Status) -> ChallengeTerms:
    """The challenge if it ended as it was to; raises ChallengeIsOver with how it did."""
    shown = challenge_of(account.pk, challenge_id)
    if shown.status != wanted:
        raise ChallengeIsOver(ending=shown.status)
    return shown
