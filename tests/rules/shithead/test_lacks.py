"""What the turns of a seat tell of the cards that nobody has seen in its hand."""

from random import Random

import pytest

from cardroom.rules.cards import TEXT
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.bots.belief import lacking
from cardroom.rules.shithead.bots.world import ONE, PLACE
from cardroom.rules.shithead.events import Burned, Dealt, Drew, PickedUp, Played
from cardroom.rules.shithead.knowledge import known_hands
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import pick_seat
from tests.rules.shithead.scene import position, setups

TURNS = 250
PLAYERS = 4
ACE = ONE[PLACE["A"]]


def unknown_cards(state, events, seat):
    known = known_hands(events, len(state.hands))[seat]
    return [ONE[PLACE[TEXT[card][0]]] for card in state.hands[seat] if card not in known]


def fits(cards, lacks):
    """Whether each of the cards can be one of those that these say, and each of them another."""
    if not cards:
        return True
    card, *others = cards
    left = [
        [*lacks[:at], *lacks[at + 1 :]] for at, each in enumerate(lacks) if not each.none & card
    ]
    return any(fits(others, rest) for rest in left)


@pytest.mark.parametrize("bots", [("keeper",), ("keeper", "random")])
@pytest.mark.parametrize("pickup", ["forced", "voluntary"])
@pytest.mark.parametrize("refill", ["one_per_turn", "up_to_three"])
def test_what_is_said_to_be_sure_is_true_whoever_plays(refill, pickup, bots):
    """shithead R8, R16: of every unknown card in every hand, before every turn."""
    options = SHITHEAD.options(players=PLAYERS, refill=refill, pickup=pickup)
    rng, shuffle = Random(1), seeded(Random(1))
    step = SHITHEAD.start(options, setups(PLAYERS), shuffle)
    events = list(step.events)
    for _ in range(TURNS):
        acting = SHITHEAD.to_act(step.state)
        if not acting:
            break
        seat = pick_seat(acting, rng)
        view = SHITHEAD.view(step.state, seat)
        lacks = lacking(view, [event.seen_by(seat) for event in events], exchanges=True)
        for other in set(range(PLAYERS)) - {seat}:
            cards = unknown_cards(step.state, events, other)
            assert len(lacks[other]) == len(cards)
            assert fits(cards, lacks[other])
        move = SHITHEAD.bot(rng.choice(bots)).choose(view, events, rng)
        step = SHITHEAD.play(step.state, seat, move, shuffle)
        events += step.events


def test_nothing_is_sure_of_a_hand_that_parted_with_a_card_it_hardly_held():  # shithead R8
    """Seat 1 has no ace, plays its king before lower cards, draws, and plays a four: hardly one of
    the old cards. If it was one, the drawn card stayed and may be an ace.
    """
    view = SHITHEAD.view(position(["8C 5C", "4C 9C"], pile="6D"), 0)
    told = [Dealt(1, ("JS", "JD"), None), Played(0, ("KC",), "hand"), PickedUp(1, 1)]
    told += [Played(1, ("KC",), "hand"), Burned(1, 1, "four"), Drew(1, 3, None)]
    hand = lacking(view, told, exchanges=False)[1]
    assert [bool(card.none & ACE) for card in hand] == [True, True, False]
    hand = lacking(view, [*told, Played(1, ("4D",), "hand")], exchanges=False)[1]
    assert [bool(card.none & ACE) for card in hand] == [False, False]
    assert all(card.few & ACE for card in hand)
