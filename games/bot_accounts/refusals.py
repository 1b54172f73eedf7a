"""Why an account becomes no bot's, or is not confirmed."""

from config.refusals import NotFound, Refusal


class NoSuchBotAccount(NotFound):
    """There is no such bot account, or it is not yours."""


class HasPlayedRated(Refusal, status=409):
    """This account has played rated matches as a person. Register another one for the program."""


class AlreadyABotAccount(Refusal, status=409):
    """This is a bot account already, and stays one."""


class NotAnOwner(Refusal, status=422):
    """The owner of a bot account is a person with an account of their own."""


class TooManyPrograms(Refusal, status=409, members={"limit": int}):
    """The owner has as many bot accounts as one person may have."""


class BadProgram(Refusal, status=422):
    """This is nothing that can be played here."""
