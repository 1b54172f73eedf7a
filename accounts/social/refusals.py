"""Why a block is refused."""

from config.refusals import NotFound, Refusal


class CannotBlockYourself(Refusal, status=422):
    """You cannot block yourself."""


class TooManyBlocks(Refusal, status=409):
    """You have blocked as many accounts as one account may. Unblock one first."""


class NoSuchAccount(NotFound):
    """There is no account of this name."""


class NotBlocked(NotFound):
    """You have not blocked this account."""
