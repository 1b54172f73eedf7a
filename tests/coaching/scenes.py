"""Matches that the coach has judged."""

from games.coaching import selectors, services, work
from tests.matches.scenes import opened, played, resigned

QUICK = 16  # playouts of a move


def judged(match):
    """The analysis of a match once no worker has anything left to do for it."""
    while (row := selectors.find(match.id)) is not None and row.status == "running":
        work.judge_for_a_while()
    return row


def analysed(match, user):
    services.analyse(match=match, user=user)
    return judged(match)


def given_up(user):
    """A match of Pişti that its host gave up after ten plies."""
    return resigned(played(opened(user, "me, local Twin"), 10), 0)
