"""Pages and answers of the API disclose no more than the view: hints, drawings in text.

As `cardroom.contract.secrets` does for words and numbers: a reader who cannot see a difference
between two matches is shown the same by both.
"""

from itertools import count

import msgspec
import pytest

from cardroom.contract.playing import NAMES, Dice
from cardroom.contract.reporting import Broken
from cardroom.contract.secrets import compare_twins, compare_with_a_re_deal
from cardroom.rules import catalog
from games.api.match_answers import Match, SeatJson
from games.api.text import drawing
from games.web.tables import page_of


def shown(game, view, seat, events):
    hint = page_of(game.slug).hint
    return {"drawing": [*drawing(match_of(game, view, seat))], "hint": hint and str(hint(view))}


def match_of(game, view, seat):
    seats = [
        SeatJson(**blank(SeatJson) | {"index": at, "name": NAMES[at]})
        for at in range(game.seats(view.options))
    ]
    facts = {"seats": seats, "acting_seat": seat, "view": view, "to_act": list(view.to_act)}
    return Match(**blank(Match) | facts)


def blank(kind):
    return {field.name: None for field in msgspec.structs.fields(kind)}


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_hints_and_drawings_tell_no_difference_that_the_seat_cannot_see(game):
    compare = compare_twins if game.distinct_cards else compare_with_a_re_deal
    for number in range(6):
        compare(game, Dice(f"{game.slug} {number}"), shown)


def test_what_tells_a_difference_is_found():
    numbers = count()
    with pytest.raises(Broken, match="told to"):
        compare_twins(catalog.find("pisti"), Dice(1), lambda *_: next(numbers))
