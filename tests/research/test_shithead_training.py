"""What Shithead's value network learns from, and that it learns."""

from lzma import decompress

import numpy
import pytest

from cardroom.research.shithead import train
from cardroom.research.shithead.train import Noted
from cardroom.rules.shithead.bots import searcher
from cardroom.rules.shithead.bots.playouts import (
    INPUTS,
    OPTIONS,
    PILE,
    SCALE,
    UNITS,
    WEIGHTS,
    Network,
    expected,
    observe,
)
from cardroom.rules.shithead.bots.world import empty_world


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(train, "PLAYOUTS", 4)
    monkeypatch.setattr(train, "compiled_form", lambda: searcher.PLAIN)
    monkeypatch.setattr(train, "A_PART", 2)


def drawn(positions=4096):
    """Positions of which a pile of more cards is worth less."""
    rng = numpy.random.default_rng(3)
    inputs = rng.integers(0, 4, (positions, INPUTS)).astype(numpy.uint8)
    return Noted(inputs, (inputs[:, PILE] < 2).astype(numpy.float32))


def test_the_same_seed_gives_the_same_games(quick):
    first, again = (train.play_games(7, 3, 1) for _ in range(2))
    assert (first.inputs == again.inputs).all()
    assert (first.worths == again.worths).all()
    assert len(first.inputs) == len(first.worths) > 3
    assert ((first.worths == 0) | (first.worths > 0.9)).all()


def test_a_game_is_played_without_the_network_or_with_it(quick, monkeypatch):
    asked = []
    monkeypatch.setattr(searcher, "knows", lambda options: asked.append(options) or True)
    train.play_games(7, 1, 1)
    assert asked == []
    train.play_games(7, 1, 1, judged=True)
    assert set(asked) == {OPTIONS}


def test_a_run_adds_to_what_was_noted(quick, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(train, "LEAST_GAMES", 2)
    monkeypatch.setattr(train, "AT_ONCE", 4)
    monkeypatch.setattr(train, "BLOCK", 1)
    notes, table = tmp_path / "noted.npz", tmp_path / "four_seats.table"
    for number in "12":
        given = ["--games", "4", "--seed", number, "--notes", str(notes), "--out", str(table)]
        monkeypatch.setattr("sys.argv", ["train", *given])
        train.main()
    parts = [train.play_games(seed, 4, 1) for seed in (1, 2)]
    assert (train.kept_in(notes).inputs == train.joined(parts).inputs).all()
    assert len(decompress(table.read_bytes())) == 2 * WEIGHTS
    numpy.savez(notes, inputs=numpy.zeros(3))
    with pytest.raises(SystemExit):
        train.main()
    assert "has no positions of this network" in capsys.readouterr().err


def test_it_learns_what_positions_are_worth():
    noted = drawn(50_000)
    weights = train.fit(noted, 1)
    first = train.first_weights(numpy.random.default_rng(1))
    assert train.loss(weights, noted) < train.loss(first, noted) / 4
    again = train.fit(noted, 1)
    assert all((one == other).all() for one, other in zip(weights, again, strict=True))


def test_the_file_holds_what_was_learned():
    """The bot's whole numbers come to what the network came to as it learned."""
    weights = train.fit(drawn(), 1)
    whole = numpy.frombuffer(decompress(train.packed(weights)), dtype="<i2").tolist()
    assert len(whole) == WEIGHTS
    world = empty_world(OPTIONS)
    world.hands[0], world.hands[1], world.stock_size = 1 << 8, 3 << 40, 5
    inputs = [0] * INPUTS
    observe(world, inputs)
    (worth,) = train.worths_of(weights, numpy.array([inputs]))[1]
    network = Network(whole, [0] * INPUTS, [0] * UNITS)
    assert expected(world, network) == pytest.approx(worth, abs=20 / SCALE)
