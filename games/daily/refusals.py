"""Why somebody cannot play a deal of the day."""

from config.refusals import NotFound, Refusal


class NoSuchDeal(NotFound):
    """There is no such deal of the day."""


class NotToday(Refusal, status=409):
    """The deal of today is not there yet, or no more. Try again in a moment."""


class CannotCompete(Refusal, status=403):
    """The deal of today is for accounts with a few finished matches that were there yesterday."""
