"""What is told of a game beside its places, from what everybody saw."""

from random import Random

from cardroom.rules.shithead import GAME
from cardroom.rules.shithead.events import Burned, Drew, HiddenFailed, PickedUp, Played
from cardroom.rules.shithead.narration import match_causes
from cardroom.rules.shithead.options import ShitheadOptions
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Setup


def counted(events, players=2):
    causes = match_causes(events, ShitheadOptions(players=players))
    return [[(str(each.what), each.points) for each in side] for side in causes]


def test_cards_picked_up_and_piles_burned():
    events = [
        PickedUp(seat=0, count=4),
        Burned(seat=1, count=5, reason="ten"),
        PickedUp(seat=0, count=3),
        Burned(seat=1, count=1, reason="ten"),
        PickedUp(seat=1, count=2),
    ]
    assert counted(events) == [
        [("cards picked up", 7)],
        [("cards picked up", 2), ("piles burned", 2)],
    ]


def test_a_seat_that_did_neither_has_no_cause():
    assert counted([Burned(seat=2, count=4, reason="ten")], players=3)[:2] == [[], []]


def test_whole_games_lose_no_card():
    """Of each seat: what it was dealt, drew and picked up is what it played and still holds."""
    for seed in range(4):
        options = ShitheadOptions(players=3)
        shuffle, rng = seeded(Random(seed)), Random(seed)
        step = GAME.start(options, [Setup(name) for name in "ABC"], shuffle)
        events = list(step.events)
        while acting := GAME.to_act(step.state):
            moves = GAME.legal_moves(step.state, acting[0])
            step = GAME.play(step.state, acting[0], rng.choice(moves), shuffle)
            events += [event.seen_by(None) for event in step.events]
        picked = [dict(side).get("cards picked up", 0) for side in counted(events, 3)]
        over = step.state
        for seat in range(3):
            dealt = 3 * next(event.k for event in events if hasattr(event, "k"))
            drawn = sum(isinstance(each, Drew) and each.seat == seat for each in events)
            failed = sum(isinstance(each, HiddenFailed) and each.seat == seat for each in events)
            played = sum(
                len(each.cards) for each in events if isinstance(each, Played) and each.seat == seat
            )
            hidden = over.hidden[seat]
            held = len(over.hands[seat]) + len(over.tops[seat]) + len(hidden) - hidden.count(None)
            assert dealt + drawn + picked[seat] == played + failed + held
