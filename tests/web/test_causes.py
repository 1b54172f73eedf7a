"""What a result is made of, at the end of a round and in the picture of the match."""

import re
from random import Random

from games.matches.selectors.log import events_for, log_entries
from games.web.picture import picture_of
from games.web.table.ending import LONGEST_LOOKED_AT
from tests.matches.scenes import now, opened, played_until

CAUSES = re.compile(r'<span class="causes">(.*?)</span></span>', re.DOTALL)
SPAN = re.compile(r"<span data-part>(.*?) <b>(.*?)</b>")


def shown(page):
    """The causes of each seat, in the order of the ending."""
    return [SPAN.findall(each) for each in CAUSES.findall(page)]


def played_out(match, until=lambda _: False):
    return played_until(now(match), until, Random(3))


def events_of(match):
    return [event for entry in log_entries(match) for event in events_for(match, entry, None)]


def test_pyanitsa_shows_where_the_cards_come_from(ada, at_home):
    match = played_out(opened(ada, "me, local Twin", "pyanitsa", options={"max_tricks": 25}))
    sides = shown(at_home.open(f"/matches/{match.id}").page)
    assert len(sides) == 2
    held = [
        sum(int(points.replace("−", "-").replace("+", "")) for _what, points in side)
        for side in sides
    ]
    view = match.rules.view(match.state, None)
    cards = [a + b for a, b in zip(view.draw_counts, view.won_counts, strict=True)]
    assert held == sorted(cards, reverse=True)
    causes = {what for side in sides for what, _ in side}
    assert {"dealt"} <= causes <= {"dealt", "plain tricks", "disputes"}  # none that came to nothing
    pictured = [side.causes[0] for side in picture_of(match, with_cards=True).sides]
    assert pictured in (["dealt 18", "dealt 18"], ["dealt +18", "dealt +18"])


def shithead(ada):
    options = {"games": 2, "exchange": False}
    return opened(ada, "me, bot lowest", "shithead", options=options)


def second_game(ada):
    """A match whose first game is over, not too long for its causes to be looked for."""
    match = played_out(shithead(ada), until=lambda match: match.round == 2)
    return match if match.version <= LONGEST_LOOKED_AT else second_game(ada)


def test_shithead_counts_what_a_game_cost(ada, stranger):
    """Of the game that is over alone; the next one has begun."""
    match = second_game(ada)
    page = stranger.open(f"/matches/{match.id}").page
    first = events_of(match)
    picked = sum(getattr(each, "count", 0) for each in first if type(each).__name__ == "PickedUp")
    told = [int(n) for side in shown(page) for what, n in side if what == "cards picked up"]
    assert sum(told) == picked


def test_a_second_game_starts_at_nothing(ada, at_home):
    match = second_game(ada)
    before = events_of(match)
    match = played_out(match)
    while match.version > LONGEST_LOOKED_AT:
        match = second_game(ada)
        before = events_of(match)
        match = played_out(match)
    after = events_of(match)[len(before) :]
    burned = sum(type(each).__name__ == "Burned" for each in after)
    page = at_home.open(f"/matches/{match.id}").page
    told = [int(n) for side in shown(page) for what, n in side if what == "piles burned"]
    assert sum(told) == burned
