"""What ``strong_searcher`` takes into account and ``searcher`` does not."""

from random import Random

from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.bots.belief import believed
from cardroom.rules.shithead.bots.layouts import led_to, missing
from cardroom.rules.shithead.bots.world import PLACE, counts_of
from cardroom.rules.shithead.events import Dealt, Exchanged
from tests.rules.shithead.scene import position
from tests.rules.shithead.world import sampled

SEEDS = range(200)


def aces_held(events, **told):
    """How many aces seat 1 holds, in all worlds; nobody can place four of them."""
    state = position(["8C 5C", "4C 4D"], ["9C 9D", "QC KC"], hidden=["5D AC AD", "6C AH AS"])
    known = believed(SHITHEAD.view(state, 0), events, **told)
    worlds = [sampled(known, Random(seed)) for seed in SEEDS]
    return sum(world.hands[1] >> 4 * PLACE["A"] & 15 for world in worlds)


def dealt(to_top, to_hand):
    return [Dealt(1, ("5D", "KC"), None), Exchanged(1, to_top, to_hand)]


def test_a_seat_that_laid_its_best_cards_open_hardly_kept_better_ones():
    """The searcher and the coach judge without this."""
    best, told = dealt("QC", "5D"), {"exchanges": True}
    assert aces_held(best, **told) < aces_held(best) / 3
    assert aces_held([], **told) == aces_held([])


def test_an_exchange_of_another_kind_tells_nothing():
    """A ten that was taken into the hand is better than the queen that lies open."""
    odd = [Dealt(1, ("TD", "KC"), None), Exchanged(1, "QC", "TD")]
    assert aces_held(odd, exchanges=True) == aces_held(odd)


def test_an_exchange_goes_on_to_where_its_swaps_led():
    tops, aim, other = (counts_of(text.split()) for text in ("5C 6C", "AC 6C", "5C KC"))
    swap = Exchanged(0, "AC", "5C")
    assert led_to([aim, other], aim, [swap, Exchanged(1, "KC", "6C")], 0) == [aim]
    assert led_to([aim, other], tops, [], 0) == [aim, other]
    assert missing(aim, tops) == 1
