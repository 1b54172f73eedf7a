"""The worked example learns; how well in ten minutes is printed by the example itself."""

from random import Random

import msgspec
import numpy
import pytest

from cardroom.arena.players import find_bot
from cardroom.arena.request import Part, describe, run_part
from cardroom.arena.statistics import BadRequest
from cardroom.research import parallel
from cardroom.research.pisti.table import SEAT_FEATURES
from cardroom.research.pisti.train import (
    PISTI,
    SCALE,
    Ensemble,
    Network,
    Training,
    lessons,
    named_layers,
    networks_in,
    play_out,
    player,
    seated,
    train,
    wins,
)
from cardroom.rules.cards import CARD


def test_the_network_learns_what_it_is_told():
    rng = numpy.random.default_rng(1)
    network, rows = Network(5, rng), rng.normal(size=(400, 5))
    targets = rows[:, 0] - rows[:, 1] / 2
    errors = [network.learn(rows, targets, 0.3) for _ in range(300)]
    assert errors[-1] < errors[0] / 20


def test_every_move_of_a_deal_is_a_lesson_with_its_margin():
    seats, rng = seated(7, "single", 2), numpy.random.default_rng(1)
    play_out(seats, Network(SEAT_FEATURES, rng), rng, exploration=1.0)
    rows, targets = lessons(seats)
    assert rows.shape == (2 * 24, SEAT_FEATURES)  # pisti R5: 24 cards a seat
    assert targets[0] == pytest.approx(seats[0].margin() / SCALE)


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr("cardroom.research.pisti.train.TABLES", 4)


def test_training_and_judging_run_to_their_ends(small):
    training = train(seed=1, seconds=0.1)
    assert training.progress[0][0] == 4
    share, error = wins(training.network, matches=2, seed=1)
    assert 0 <= share <= 1
    assert error >= 0


def test_a_training_that_was_stopped_goes_on_as_if_it_had_not_been(small, tmp_path):
    whole, part = Training(7), Training(7)
    for _ in range(4):
        whole._learn(1.0)
    for _ in range(2):
        part._learn(1.0)
    part.save(tmp_path / "process-0.npz")
    again = Training.load(tmp_path / "process-0.npz")
    for _ in range(2):
        again._learn(1.0)
    assert again.progress == whole.progress
    for one, other in zip(again.network.layers, whole.network.layers, strict=True):
        assert (one == other).all()


def test_resuming_spends_what_is_left(small, tmp_path):
    keep = tmp_path / "process-0.npz"
    first = train(seed=1, seconds=0.05, keep=keep)
    again = train(seed=1, seconds=0.05, keep=keep, resume=True)
    assert again.progress == first.progress
    assert len(train(seed=1, seconds=first.spent + 0.1, keep=keep, resume=True).progress) > len(
        first.progress
    )


@pytest.fixture
def policy(tmp_path):
    rng = numpy.random.default_rng(1)
    file = tmp_path / "policy.npz"
    networks = [Network(SEAT_FEATURES, rng), Network(SEAT_FEATURES, rng)]
    parallel.save(file, PISTI, "train", named_layers(networks), seed=1)
    return file


def test_the_arena_plays_what_training_wrote(policy):
    request = describe(
        "pisti", preset="single", bots=[f"trained:{policy}", "random"], games=6, swap=True,
        custom=True,
    )  # fmt: skip
    figures = run_part(request, Part(0, 6), custom=True)
    assert figures.bots[f"trained:{policy}"].matches == 6
    assert figures == run_part(request, Part(0, 6), custom=True)


def test_it_plays_at_a_table_what_it_plays_in_its_environment(policy):
    header, arrays = parallel.load(policy, PISTI)
    (seat,) = seated(3, "single", 1)
    choose, network = player(arrays), Ensemble(networks_in(arrays))
    while not seat.over:
        actions, rows = seat.candidates()
        best = int(network.judge(rows).argmax())
        own = int(seat.agent.removeprefix("seat_"))
        view = PISTI.view(seat.env.match.state, own)
        assert CARD[choose(view, seat.env.seen_events(seat.agent), Random(1))] == actions[best]
        seat.play(actions[best], rows[best])
    assert header.kind == "train"


def change(file, **arrays):
    """The file with some arrays replaced, its header left as it is."""
    with numpy.load(file) as content:
        kept = {name: content[name] for name in content.files}
    numpy.savez(file, **{**kept, **arrays})
    return file


def headed(file, **changes):
    header, _ = parallel.load(file)
    replaced = msgspec.structs.replace(header, **changes)
    text = numpy.frombuffer(msgspec.json.encode(replaced), dtype=numpy.uint8)
    return change(file, header=text)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda file: file.with_name("none.npz"), "There is no file"),
        (lambda file: file.write_bytes(b"PK no") and file, "no file that a training"),
        (lambda file: headed(file, encoding="0"), "another encoding of Pişti: 0, now it is"),
        (lambda file: headed(file, game="pazaak"), "was trained for pazaak, not for pisti"),
        (lambda file: headed(file, format="cardroom-trained/9"), "has the format"),
        (lambda file: headed(file, kind="os"), "holds a 'os', which is not known"),
        (lambda file: change(file, bias_0=numpy.zeros(3)), "other shapes than its header says"),
    ],
)
def test_a_file_that_cannot_be_played_is_refused_with_the_reason(policy, spoil, sentence):
    with pytest.raises(BadRequest, match=sentence):
        find_bot(PISTI, f"trained:{spoil(policy)}", custom=True)


def test_an_array_that_does_not_fit_the_features_is_refused(tmp_path):
    file = tmp_path / "policy.npz"
    network = Network(SEAT_FEATURES - 1, numpy.random.default_rng(1))
    parallel.save(file, PISTI, "train", named_layers([network]))
    with pytest.raises(BadRequest, match="array 'first_0' has the shape"):
        find_bot(PISTI, f"trained:{file}", custom=True)


def test_nobody_but_a_command_line_plays_a_file(policy):
    with pytest.raises(BadRequest, match="Pişti has no bot"):
        find_bot(PISTI, f"trained:{policy}")
