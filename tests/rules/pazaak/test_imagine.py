"""Possible worlds behind a view."""

from collections import Counter
from random import Random

import msgspec

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.predicates import MAIN_PACK
from cardroom.rules.pazaak.side_cards import faults
from tests.rules.pazaak.scene import deck, half, play, scene, start

ANN = "P1 P2 P3 P4 P5 P6 M1 M2 M3 M4"


BOB = "F12 F13 F14 F15 F16 F23 F24 F25 F26 F34"


def opening():
    mains = [deck("2 3", bottom="9"), deck("4 5", bottom="8")]
    return start([ANN.split(), BOB.split(), *mains], (ANN, BOB))[0]


def test_an_imagined_world_keeps_to_what_is_known():
    step = opening()
    played = play(step.state, "0 draw", "0 P2", "1 draw", "1 pass")
    view = PAZAAK.view(played.state, 0)
    events = [event.seen_by(0) for event in (*step.events, *played.events)]
    for seed in range(20):
        world = PAZAAK.imagine(view, Random(seed), events)
        assert PAZAAK.view(world, 0) == view
        assert (world.halves[0].main[-1], world.halves[1].main[-1]) == (9, 8)
        rival = world.halves[1]
        assert faults(rival.hand + rival.side) == ()
        assert Counter(rival.main) + Counter([4]) == Counter(MAIN_PACK)


def test_imagined_rivals_keep_to_the_options():
    table = scene(half("5", side=ANN), half(hand="P1 P2", side=ANN), catalogue="kotor1")
    state = scene(*table.halves, catalogue="kotor1", max_copies=1)
    for seed in range(20):
        rival = PAZAAK.imagine(PAZAAK.view(state, 0), Random(seed)).halves[1]
        assert max(Counter(rival.hand + rival.side).values()) == 1
        assert not faults((rival.hand + rival.side)[:10], "kotor1")


def test_an_imagined_cheater_holds_what_it_brought():
    table = scene(half("5"), half("9 2:PM2", side="PM1 T", allowance=1))
    brought = ["PM1", "PM2", "PM2", "PM3", "PM3", "PM4", "PM5", "PM6", "PM12", "T"]
    spent = tuple(brought[1:9])
    table = msgspec.structs.replace(
        table, halves=(table.halves[0], msgspec.structs.replace(table.halves[1], played=spent))
    )
    world = PAZAAK.imagine(PAZAAK.view(table, 0), Random(3))
    assert sorted(world.halves[1].side) == ["PM1", "T"]
