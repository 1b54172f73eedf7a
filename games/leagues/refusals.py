"""Why somebody cannot play in a league."""

from config.refusals import NotAllowed, NotFound


class NoSuchLeague(NotFound):
    """There is no such league, week or division."""


class CannotJoinLeague(NotAllowed):
    """Leagues are for people with an account. Sign up to play in one."""
