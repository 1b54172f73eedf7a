"""Why a program is not registered, or not there."""

from config.refusals import NotFound, Refusal


class BadRedirect(Refusal, status=422):
    """This address cannot be returned to."""


class TooManyPrograms(Refusal, status=409, members={"limit": int}):
    """You have registered as many programs as one account may have. Delete one first."""


class NoSuchProgram(NotFound):
    """You have no such program."""


class NoSuchConnection(NotFound):
    """No such program is connected with your account."""
