"""Why a seat holds as many cards as it does, from what everybody saw."""

from random import Random

import pytest

from cardroom.rules.pyanitsa import GAME
from cardroom.rules.pyanitsa.events import CardLaid, Dealt, Dispute, TrickTaken
from cardroom.rules.pyanitsa.narration import match_causes
from cardroom.rules.pyanitsa.options import PyanitsaOptions
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Setup


def counted(events, options):
    causes = match_causes(events, options)
    return [[(str(each.what), each.points) for each in side] for side in causes]


def laid(*cards, level=0):
    return [CardLaid(seat=seat, card=card, level=level) for seat, card in enumerate(cards)]


def test_plain_tricks_and_disputes_are_apart():
    events = [
        Dealt(cards_per_seat=18, set_aside=0),
        *laid("7C", "9C"),
        TrickTaken(seat=1, count=2, reason="highest"),
        *laid("8C", "8H"),
        Dispute(level=1, seats=(0, 1), mortgage=False),
        *laid("KC", "6H", level=1),
        TrickTaken(seat=0, count=4, reason="dispute_won"),
    ]
    assert counted(events, PyanitsaOptions()) == [
        [("dealt", 18), ("plain tricks", -1), ("disputes", 2)],
        [("dealt", 18), ("plain tricks", 1), ("disputes", -2)],
    ]


@pytest.mark.parametrize(
    "options",
    [
        PyanitsaOptions(players=2, max_tricks=80),
        PyanitsaOptions(players=5, deck=52, max_tricks=60),
        PyanitsaOptions(players=3, goal="giveaway", max_tricks=300),
    ],
    ids=["two", "five", "giveaway"],
)
def test_they_add_up_to_what_a_seat_holds(options):
    for seed in range(4):
        shuffle, rng = seeded(Random(seed)), Random(seed)
        setups = [Setup(str(seat)) for seat in range(options.players)]
        step = GAME.start(options, setups, shuffle)
        events = list(step.events)
        while acting := GAME.to_act(step.state):
            moves = GAME.legal_moves(step.state, acting[0])
            step = GAME.play(step.state, acting[0], rng.choice(moves), shuffle)
            events += [event.seen_by(None) for event in step.events]
        sums = [sum(points for _, points in side) for side in counted(events, options)]
        view = GAME.view(step.state, None)
        assert sums == [a + b for a, b in zip(view.draw_counts, view.won_counts, strict=True)]
