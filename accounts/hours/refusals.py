"""Why quiet hours or a holiday are refused."""

from config.refusals import NotFound, Refusal


class BadHours(Refusal, status=422):
    """These hours cannot be kept."""


class BadHoliday(Refusal, status=422):
    """This holiday cannot be announced."""


class TooManyHolidays(Refusal, status=409):
    """You have not so many days of holiday left in that year."""


class HolidaysOverlap(Refusal, status=409):
    """You have announced a holiday in these days already."""


class ProgramsDoNotRest(Refusal, status=403):
    """The account of a program has no quiet hours and no holidays."""


class NoSuchHoliday(NotFound):
    """You have announced no such holiday."""


class HolidayIsOver(Refusal, status=409):
    """This holiday is over already."""
