"""A match goes on by the version of the rules that it began with."""

from dataclasses import replace
from random import Random

import msgspec
import pytest
from msgspec.structs import replace as changed

from cardroom.arena import engine
from cardroom.arena.request import Part, SimulationRequest, describe, run_part, series
from cardroom.rules import catalog, record
from cardroom.rules.game import DERIVED, AnyGame
from tests.fifth_game import GAME as HIGH_CARD
from tests.rules.falsifying import plain
from tests.rules.playing import Sitting, every_game, over

EARLIER = [game.by_version(number) for game in catalog.GAMES for number in game.earlier]
earlier_versions = over(*EARLIER)


@every_game
def test_every_version_up_to_the_newest_is_known(game):
    for number in range(1, game.rules_version + 1):
        known = catalog.begun_by(game.slug, number)
        assert (known.slug, known.rules_version) == (game.slug, number)
    for unknown in (0, game.rules_version + 1):
        with pytest.raises(KeyError):
            game.by_version(unknown)
        assert catalog.begun_by(game.slug, unknown) is game


@earlier_versions
def test_its_records_verify_by_its_own_rules(game):
    sitting = Sitting.begun(game, game.options()).play_on(Random(1))
    told = sitting.record()
    assert told.rules_version == game.rules_version
    assert record.verify(record.write(told)) is None
    assert record.replay(told).state == sitting.state


@earlier_versions
@pytest.mark.parametrize("seats", [None, frozenset({0})], ids=["same", "reshuffled"])
def test_a_load_of_its_match_goes_on_by_it(game, seats):
    parent = Sitting.begun(game, game.options()).play_on(Random(1), 40)
    child = parent.loaded(2, seats).play_on(Random(2))
    assert record.verify(child.record()) is None


@every_game
def test_a_version_that_nobody_knows_is_refused(game):
    told = plain(Sitting.begun(game, game.options()).play_on(Random(1)))
    fault = record.verify(told | {"rules_version": game.rules_version + 1})
    assert f"versions up to {game.rules_version} are known" in fault.fault


def test_more_swaps_than_3k_are_told_by_version_1_alone():  # shithead R5
    old = catalog.begun_by("shithead", 1)
    sitting = Sitting.begun(old, old.options())
    for _ in range(30):
        sitting.play(0, old.legal_moves(sitting.state, 0)[1])
    told = plain(sitting.play_on(Random(1)))
    assert record.verify(told) is None
    fault = record.verify(told | {"rules_version": 2})
    assert (fault.round, fault.move) == (1, 27)


def no_last_trick(state, seat, move, shuffle):
    return HIGH_CARD.play(state, seat, move, shuffle)


def test_what_follows_from_a_changed_fact_follows_from_the_earlier_one():
    newer: AnyGame = replace(
        HIGH_CARD,
        rules_version=3,
        earlier={1: {"play": no_last_trick}, 2: {"name": "Old"}},
        play_past=DERIVED,
    )
    assert newer.by_version(3) is newer
    assert newer.by_version(1).play is newer.by_version(1).play_past is no_last_trick
    assert newer.by_version(2).play_past is HIGH_CARD.play
    assert newer.by_version(2) is newer.by_version(2)
    assert newer.by_version(2).earlier == {}


class TestSimulations:
    """What was asked for under an earlier version is played by it to its end."""

    def test_a_new_one_names_the_newest(self):
        asked = describe("shithead", games=4)
        assert asked.rules_version == 2
        assert series(asked).game is catalog.find("shithead")

    def test_one_that_was_stored_before_goes_on_as_it_began(self):
        asked = describe("shithead", bots=["random"], games=20, seed=3)
        newest = msgspec.json.encode(asked)
        stored = msgspec.json.decode(newest)
        del stored["rules_version"]
        old = msgspec.convert(stored, SimulationRequest)
        assert msgspec.json.encode(old) == msgspec.json.encode(stored)
        assert series(old).game.rules_version == 1
        assert engine.why_rules(series(old))
        swaps = [run_part(one, Part(0, 20)).events["exchanged"] for one in (old, asked)]
        assert swaps[0] > 20 * 2 * 27 > swaps[1]

    @every_game
    def test_a_request_of_version_1_is_written_as_ever(self, game):
        asked = changed(describe(game.slug, games=3), rules_version=msgspec.UNSET)
        assert b"rules_version" not in msgspec.json.encode(asked)
