"""What Pişti's tables of the points to come are learned from, and that they are."""

from lzma import decompress

import numpy
import pytest

from cardroom.research.pisti import blocks
from cardroom.research.pisti.blocks import AXES, Counted, Tables
from cardroom.rules.pisti.bots import outlook
from cardroom.rules.pisti.bots.outlook import A_SIZE, KINDS, SCALE
from cardroom.rules.pisti.bots.world import HAND
from cardroom.rules.pisti.predicates import PACK
from cardroom.rules.shuffles import Stream

TWO = KINDS[0]
SHAPE = blocks.shape_of(TWO)
EACH = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


def in_python(kind, deals, word):
    positions, ends = int(numpy.prod(blocks.shape_of(kind))), kind.blocks * kind.sides
    met, points = [0] * positions, [0.0] * positions
    worlds, cards = blocks.before_the_first_card(kind), list(range(len(PACK)))
    passed, ahead = [0] * ends, [0.0] * ends
    blocks.play_deals(Stream(word), deals, worlds, cards, passed, ahead, met, points)
    return met, points


def drawn(rng):
    piles = rng.normal(0, 2, blocks.without(SHAPE, blocks.LEAD))
    return Tables(piles, rng.normal(0, 1, blocks.without(SHAPE, *blocks.OF_LEADS)))


@EACH
def test_compiled_and_plain_code_count_the_same(kind, monkeypatch):
    class Word:
        @staticmethod
        def getrandbits(_):
            return 5

    monkeypatch.setattr(blocks, "generator", lambda *_: Word)
    counted = blocks.count_part(kind, 1, blocks.Part(0, 12))
    met, points = in_python(kind, 12, 5)
    assert counted.met.tolist() == met
    assert counted.points.tolist() == pytest.approx(points)


@EACH
def test_each_deal_has_an_end_for_each_block_but_the_last(kind):
    counted = blocks.count(kind, 1, 40, 1)
    assert counted.met.sum() == 40 * kind.blocks * kind.sides
    assert (counted.points[counted.met == 0] == 0).all()


@pytest.mark.parametrize("kind", KINDS[1:3], ids=lambda kind: kind.name)
def test_what_a_side_makes_more_the_others_make_less(kind):
    assert blocks.count(kind, 1, 40, 1).points.sum() == pytest.approx(0, abs=1e-6)


def test_the_same_seed_gives_the_same_counts_with_any_number_of_processes(monkeypatch):
    monkeypatch.setattr(blocks, "A_PART", 10)
    first, again = (blocks.count(TWO, 7, 25, jobs) for jobs in (1, 2))
    assert (first.met == again.met).all()
    assert (first.points == again.points).all()
    assert (first.points != blocks.count(TWO, 8, 25, 1).points).any()


def test_the_tables_add_up_to_what_was_counted():
    tables = drawn(numpy.random.default_rng(3))
    met = numpy.full(SHAPE, 500)
    points = numpy.rint(met * (tables.piles + tables.leads)).astype(int)
    learned = blocks.fit(TWO, Counted(met.ravel(), points.ravel()))
    assert learned.piles + learned.leads == pytest.approx(tables.piles + tables.leads, abs=0.05)
    assert blocks.left_over(TWO, Counted(met.ravel(), points.ravel()), learned) < 0.02


def test_a_position_never_met_goes_by_those_like_it():
    tables = drawn(numpy.random.default_rng(4))
    tables.piles[...] = tables.piles[..., :1]  # however many jacks are left
    met = numpy.full(SHAPE, 500)
    met[3, :, 1, 2, 4] = 0
    points = numpy.rint(met * (tables.piles + tables.leads)).astype(int)
    learned = blocks.fit(TWO, Counted(met.ravel(), points.ravel()))
    assert learned.piles[3, 0, 1, 2, 4] == pytest.approx(learned.piles[3, 0, 1, 2, 0], abs=0.1)


@EACH
def test_the_bot_reads_what_was_learned(kind, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(blocks, "LEAST_DEALS", 10)
    monkeypatch.setattr(blocks, "ROUNDS", 1)
    arguments = ["blocks", "--kind", kind.name, "--deals", "40", "--out", str(tmp_path)]
    monkeypatch.setattr("sys.argv", arguments)
    blocks.main()
    file = tmp_path / f"{kind.name}.table"
    assert f"{file}: " in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == [file]
    tables = blocks.fit(kind, blocks.count(kind, 1, 40, 1))
    whole = numpy.frombuffer(decompress(file.read_bytes()), dtype="<i2").tolist()
    monkeypatch.setattr(outlook, "FIRST_SIZE", [0] * len(KINDS))
    monkeypatch.setattr(outlook, "OF_PILES", whole[: kind.sizes * A_SIZE])
    monkeypatch.setattr(outlook, "OF_LEADS", whole[kind.sizes * A_SIZE :])
    (world, _) = blocks.before_the_first_card(kind)
    world.plays, world.pile_size, world.top = 2 * HAND * world.players, 3, 4
    world.pile_points, world.seen[4], world.cards[0] = 2, 2, 6
    piles, leads = (numpy.broadcast_to(each, (kind.sizes, *AXES)).ravel() for each in tables)
    for side in range(kind.sides):
        at = blocks.position_of(world, side)
        said = outlook.points_to_come(world, side)
        assert said == pytest.approx(piles[at] + leads[at], abs=1.5 / SCALE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--deals", "5"], "--deals: at least 1000"),
        (["--kind", "five_seats"], "invalid choice: 'five_seats'"),
        (["--out", "no/such/folder"], "--out: no/such/folder is no folder"),
    ],
)
def test_what_cannot_be_learned_is_refused_before_it_begins(
    arguments, message, monkeypatch, capsys
):
    monkeypatch.setattr("sys.argv", ["blocks", *arguments])
    with pytest.raises(SystemExit):
        blocks.main()
    assert message in capsys.readouterr().err
