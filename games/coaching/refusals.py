"""Why an analysis was refused."""

from config.refusals import NotFound, Refusal


class NoSuchAnalysis(NotFound):
    """This match was not analysed. Ask for it first."""


class NothingToJudge(Refusal, status=409):
    """There is no decision in this match that the coach could judge."""


class TooManyAnalyses(Refusal, status=409, members={"limit": int}):
    """You have as many analyses running as one account may have. Wait until one is finished."""


class NotYourAnalysis(Refusal, status=409):
    """Somebody else asked for this analysis, or it is finished. It cannot be stopped by you."""


class CannotBeCoached(Refusal, status=409):
    """Only a running match that is not rated and in which you alone play computers has a coach."""


class NotCoached(Refusal, status=409):
    """The coach is not switched on in this match."""


class LooksLikeABlunder(Refusal, status=409):
    """The coach warns of this move. Press it again to play it all the same."""
