"""Why an account service said no. ``code`` is the API's word for it, the text is for a person."""

from config.refusals import Refused


class BadAccount(Refused):
    """Something about the account is not allowed; ``faults`` names each field with its faults."""

    code = "bad_account"

    def __init__(self, faults: dict[str, list[str]]) -> None:
        super().__init__(" ".join(fault for each in faults.values() for fault in each))
        self.extras = {"faults": faults}


class UsernameTaken(Refused):
    """This username is taken. Choose another one."""

    code = "username_taken"


class AlreadyRegistered(Refused):
    """You have an account already. Sign out before you make another one."""

    code = "already_registered"


class BadCredentials(Refused):
    """No account has this username and password."""

    code = "bad_credentials"


class TooManyKeys(Refused):
    """You have as many keys as one account may have. Revoke one first."""

    code = "too_many_keys"


class NoSuchKey(Refused):
    """You have no such key."""

    code = "not_found"
