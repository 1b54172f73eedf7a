"""Why somebody cannot play a deal of the day."""

from config.refusals import NotFound, Refusal


class NoSuchDeal(NotFound):
    """There is no such deal of the day."""


class NotToday(Refusal, status=409):
    """The deal of today is not there yet, or no more. Try again in a moment."""


class CannotCompete(Refusal, status=403, members={"opens_on": str, "matches_left": int}):
    """The deal of today is for accounts of before today with a few matches played to their end."""
