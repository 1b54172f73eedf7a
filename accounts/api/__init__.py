"""Accounts over REST. What a service refuses becomes the problem of the same code."""

from accounts.services.refusals import Refused
from config.api.errors import translates
from config.api.problems import Problem


@translates(Refused)
def _refused(refusal: Refused) -> Problem:
    return Problem(refusal.code, str(refusal), **refusal.extras)
