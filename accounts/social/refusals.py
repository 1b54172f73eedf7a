"""Why a block or a friendship is refused."""

from config.refusals import NotFound, Refusal


class CannotBlockYourself(Refusal, status=422):
    """You cannot block yourself."""


class TooManyBlocks(Refusal, status=409):
    """You have blocked as many accounts as one account may. Unblock one first."""


class NoSuchAccount(NotFound):
    """There is no account of this name."""


class NotBlocked(NotFound):
    """You have not blocked this account."""


class CannotBefriendYourself(Refusal, status=422):
    """You cannot be your own friend."""


class GuestsHaveNoFriends(Refusal, status=403):
    """Sign up to have friends."""


class YouBlockThem(Refusal, status=409):
    """You have blocked this account. Unblock it first."""


class TooManyFriends(Refusal, status=409):
    """You have as many friends and requests as one account may. End one first."""
