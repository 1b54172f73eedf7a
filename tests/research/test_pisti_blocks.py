"""What Pişti's tables of the points to come are learned from, and that they are."""

from lzma import decompress

import numpy
import pytest

from games.research.pisti import blocks
from games.research.pisti.blocks import BLOCKS, SHAPE, Counted, Tables
from games.rules.pisti.bots import points_to_come
from games.rules.pisti.bots.points_to_come import PILES, SCALE
from games.rules.pisti.bots.world import BLOCK
from games.rules.pisti.predicates import PACK
from games.rules.stream import Stream

POSITIONS = int(numpy.prod(SHAPE))


def in_python(deals, word):
    met, points = [0] * POSITIONS, [0] * POSITIONS
    worlds, passed = blocks.before_the_first_card(), [0] * (2 * BLOCKS)
    blocks.play_deals(Stream(word), deals, worlds, list(range(len(PACK))), passed, met, points)
    return met, points


def drawn(rng):
    piles = rng.normal(0, 2, blocks.shape_without(blocks.LEAD))
    return Tables(piles, rng.normal(0, 1, blocks.shape_without(*blocks.OF_LEADS)))


def test_compiled_and_plain_code_count_the_same(monkeypatch):
    class Word:
        @staticmethod
        def getrandbits(_):
            return 5

    monkeypatch.setattr(blocks, "generator", lambda *_: Word)
    counted = blocks.count_part(1, blocks.Part(0, 12))
    met, points = in_python(12, 5)
    assert counted.met.tolist() == met
    assert counted.points.tolist() == points


def test_each_deal_has_five_ends_of_blocks():
    counted = blocks.count(1, 300, 1)
    assert counted.met.sum() == 300 * BLOCKS
    assert (counted.points[counted.met == 0] == 0).all()


def test_the_same_seed_gives_the_same_counts_with_any_number_of_processes(monkeypatch):
    monkeypatch.setattr(blocks, "A_PART", 100)
    first, again = (blocks.count(7, 250, jobs) for jobs in (1, 2))
    assert (first.met == again.met).all()
    assert (first.points == again.points).all()
    assert (first.points != blocks.count(8, 250, 1).points).any()


def test_the_tables_add_up_to_what_was_counted():
    tables = drawn(numpy.random.default_rng(3))
    met = numpy.full(SHAPE, 500)
    points = numpy.rint(met * (tables.piles + tables.leads)).astype(int)
    learned = blocks.fit(Counted(met.ravel(), points.ravel()))
    assert learned.piles + learned.leads == pytest.approx(tables.piles + tables.leads, abs=0.05)
    assert blocks.left_over(Counted(met.ravel(), points.ravel()), learned) < 0.02


def test_a_position_never_met_goes_by_those_like_it():
    tables = drawn(numpy.random.default_rng(4))
    tables.piles[...] = tables.piles[..., :1]  # however many jacks are left
    met = numpy.full(SHAPE, 500)
    met[3, :, 1, 2, 4] = 0
    points = numpy.rint(met * (tables.piles + tables.leads)).astype(int)
    learned = blocks.fit(Counted(met.ravel(), points.ravel()))
    assert learned.piles[3, 0, 1, 2, 4] == pytest.approx(learned.piles[3, 0, 1, 2, 0], abs=0.1)


def test_the_bot_reads_what_was_learned(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(blocks, "LEAST_DEALS", 100)
    file = tmp_path / "two_seats.table"
    monkeypatch.setattr("sys.argv", ["blocks", "--deals", "400", "--out", str(file)])
    blocks.main()
    assert f"{file}: " in capsys.readouterr().out
    tables = blocks.fit(blocks.count(1, 400, 1))
    whole = numpy.frombuffer(decompress(file.read_bytes()), dtype="<i2").tolist()
    monkeypatch.setattr(points_to_come, "OF_PILES", whole[:PILES])
    monkeypatch.setattr(points_to_come, "OF_LEADS", whole[PILES:])
    (world, _) = blocks.before_the_first_card()
    world.plays, world.pile_size, world.top, world.pile_points = 2 * BLOCK, 3, 4, 2
    world.seen[4], world.cards[0] = 2, 6
    piles, leads = (numpy.broadcast_to(each, SHAPE).ravel() for each in tables)
    at = blocks.position_of(world)
    expected = piles[at] + leads[at]
    assert points_to_come.points_to_come(world) == pytest.approx(expected, abs=1.5 / SCALE)


def test_too_few_deals_are_refused(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["blocks", "--deals", "5"])
    with pytest.raises(SystemExit):
        blocks.main()
    assert "--deals: at least 1000" in capsys.readouterr().err
