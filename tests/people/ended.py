"""Matches that are over, for scenes of results."""

from games.matches import joining, leaving, opening
from games.matches.selectors.access import Caller
from tests.matches.scenes import opened, seat_requests


def between(winner, loser, game="pisti", **rules):
    """A match of two people that the second one resigned."""
    match = opened(winner, "me, open", game, **rules)
    joining.join(match_id=match.id, user=loser)
    return resigned(match, loser)


def resigned(match, loser, seat=None):
    return leaving.resign(match_id=match.id, caller=Caller(user=loser.pk), seat=seat)


def against(person, bot, game="pisti", **rules):
    """A match against a computer, resigned."""
    return resigned(opened(person, f"me, bot {bot}", game, **rules), person)


def four(people, **rules):
    """Two against two at Pişti."""
    host, *others = people
    match = opening.open_match(
        creator=host,
        game="pisti",
        seats=seat_requests("me, open, open, open"),
        options={"players": 4, "teams": True},
        **rules,
    )
    for person in others:
        joining.join(match_id=match.id, user=person)
    return match
