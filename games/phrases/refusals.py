"""Why nothing is said."""

from datetime import datetime

from config.refusals import NotFound, Refusal


class NoSuchPhrase(Refusal, status=422):
    """Choose one of the phrases that this game offers."""


class NobodyListens(Refusal, status=409):
    """Nobody else sits at this table who could read it."""


class TableIsLeft(Refusal, status=409):
    """This match has been over for a while."""


class TooManyPhrases(Refusal, status=429, members={"limit": int}):
    """You have said enough for a minute."""


class Silenced(Refusal, status=403, members={"until": datetime | None}):
    """An operator has taken the phrases from you."""


class NobodyToMute(NotFound):
    """Nobody sits there whom you could mute."""
