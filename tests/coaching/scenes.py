"""Matches that the coach has judged."""

from games.coaching import analyses
from tests.matches.scenes import opened, played, resigned

QUICK = 8  # playouts of a move


def judged(match):
    """The analysis of a match once no worker has anything left to do for it."""
    while (row := analyses.find_analysis(match.id)) is not None and row.status == "running":
        analyses.judge_for_a_while()
    return row


def analysed(match, user):
    analyses.analyse(match=match, user=user)
    return judged(match)


def given_up(user, plies=10):
    """A match of Pişti that its host gave up after so many plies."""
    return resigned(played(opened(user, "me, local Twin"), plies), 0)


def to_choose(match, user):
    """The match as soon as this person has a choice."""
    while True:
        match = played(match, match.version + 1)
        seat = match.acting_seat(user.pk)
        if seat in match.to_act and len(match.rules.legal_moves(match.state, seat)) > 1:
            return match


def alone(user, game="pisti", bot="greedy", **more):
    """An unrated match against a computer in which the person has a choice."""
    return to_choose(opened(user, f"me, bot {bot}", game, rated=False, **more), user)
