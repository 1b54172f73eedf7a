"""Refusals of the account services."""

from config.refusals import NotAllowed, NotFound, Refusal, TooManyRequests


class BadAccount(
    Refusal, status=422, members={"faults": list[str], "fields": dict[str, list[str]]}
):
    """Something about the account is not allowed; ``fields`` names the faults of each field."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        faults = [fault for each in fields.values() for fault in each]
        super().__init__(" ".join(faults), faults=faults, fields=fields)


class UsernameTaken(Refusal, status=409):
    """This username is taken. Choose another one."""


class AlreadyRegistered(Refusal, status=409):
    """You have an account already. Sign out before you make another one."""


class NoGuests(NotAllowed):
    """One plays here with an account only: sign in."""


class RegistrationIsClosed(NotAllowed):
    """Nobody can sign up here at the moment. Ask who runs this place for an account."""


class InvitationNeeded(NotAllowed):
    """One signs up here by invitation. Ask who runs this place for a link."""


class InvitationIsOver(NotAllowed):
    """This invitation is over. Ask for a new one."""


class AddressNeeded(NotAllowed):
    """Confirm your address of mail first: the page of the sign-up sends you a link."""


class AddressTaken(Refusal, status=409):
    """Another account has this address of mail."""


class BadCredentials(Refusal, status=401):
    """No account has this username and password."""


class WrongPassword(BadCredentials):
    """The password is wrong."""


class NotConfirmed(Refusal, status=422):
    """Type your username as it is, to say that you mean it."""


class StaffStays(Refusal, status=409):
    """You belong to the staff. Have an administrator take you off the staff first."""


class SecondFactorRequired(Refusal, status=401):
    """The account has a second factor. Send its code, or a recovery code, as `code` as well."""


class TooManyKeys(Refusal, status=409, members={"limit": int}):
    """You have as many keys as one account may have. Revoke one first."""


class NoSuchKey(NotFound):
    """You have no such key."""


class NoSuchNotice(NotFound):
    """You have no such notice."""


class LockedOut(Refusal, status=429):
    """Too many wrong passwords for this account. Try again later."""


class TooManyWrongCodes(LockedOut):
    """Too many wrong codes for this account. Try again in a quarter of an hour."""


class RegistrationIsBlocked(Refusal, status=403):
    """No account can be made from here at the moment. Ask the operators of this place."""


class TooManyGuests(TooManyRequests):
    """Too many guests have come from your address. Sign in, or try again in an hour."""


class TooManyRegistrations(TooManyRequests):
    """Too many accounts were made from your address. Try again in an hour."""
