"""Mirrored sets for scenes: opened, played on with the beat between, played out."""

from random import Random

from games.matches import joining
from games.matches.selectors.access import get_match
from games.mirrored import opening
from games.mirrored.models import Leg
from games.mirrored.opening import open_mirrored
from tests.matches.scenes import played, seat_requests

SHORT = {
    "pisti": {"target_score": None},
    "pazaak": {"rounds_to_win": 1},
    "shithead": {"players": 2, "games": 1},
}


def begin(creator, seats="me, bot gambler", game="pazaak", **terms):
    """The first match of a set of three short pairs."""
    options = terms.pop("options", SHORT.get(game))
    return open_mirrored(
        creator=creator, game=game, seats=seat_requests(seats), options=options, **terms
    )


def between(host, guest, game="pazaak", **terms):
    match = begin(host, "me, open", game, **terms)
    return joining.join(match_id=match.id, user=guest)


def legs(match):
    of = Leg.objects.values_list("of", flat=True).get(match=match.id)
    return list(
        Leg.objects.filter(of=of).select_related("of", "match", "deal").order_by("position")
    )


def newest(match):
    """The match of the same set that began last."""
    begun = [leg.match_id for leg in legs(match) if leg.match_id]
    return get_match(begun[-1])


def following(match):
    """The next match, once this one is over and the beat has come."""
    opening.go_on_with_all()
    return newest(match)


def to_its_end(match, until=10**6, seed=1):
    """A set played to its end, or to that of the match of this number; the last one."""
    rng = Random(seed)
    while True:
        played(newest(match), rng=rng)
        begun = sum(leg.match_id is not None for leg in legs(match))
        if begun >= until or not opening.go_on_with_all() or is_over(match):
            return newest(match)


def is_over(match):
    return legs(match)[0].of.over_at is not None
