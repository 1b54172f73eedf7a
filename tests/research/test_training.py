"""The worked example learns; how well in ten minutes is printed by the example itself."""

from lzma import decompress
from random import Random

import msgspec
import numpy
import pytest

from cardroom.arena.players import find_bot
from cardroom.arena.request import Part, describe, run_part
from cardroom.arena.statistics import BadRequest
from cardroom.fast.binding import stream_words
from cardroom.research import parallel
from cardroom.research.pazaak import score
from cardroom.research.pazaak import train as pazaak_train
from cardroom.research.pazaak.train import EXPERT, SIX
from cardroom.research.pisti import blocks
from cardroom.research.pisti.blocks import AXES, Counted, Tables
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
from cardroom.research.shithead import train as shithead_train
from cardroom.research.shithead.train import Noted
from cardroom.rules import values
from cardroom.rules.cards import CARD
from cardroom.rules.pazaak.bots.outlook import BLOCK, REACH
from cardroom.rules.pazaak.bots.world import NUMBER
from cardroom.rules.pazaak.side_cards import DECK_SIZE
from cardroom.rules.pisti.bots import outlook
from cardroom.rules.pisti.bots.outlook import A_SIZE, KINDS
from cardroom.rules.pisti.bots.outlook import SCALE as OUTLOOK_SCALE
from cardroom.rules.pisti.bots.world import HAND
from cardroom.rules.pisti.predicates import PACK
from cardroom.rules.shithead.bots import searcher
from cardroom.rules.shithead.bots.playouts import (
    INPUTS,
    OPTIONS,
    PILE,
    UNITS,
    WEIGHTS,
    expected,
    observe,
)
from cardroom.rules.shithead.bots.playouts import SCALE as PLAYOUTS_SCALE
from cardroom.rules.shithead.bots.playouts import Network as PlayoutsNetwork
from cardroom.rules.shithead.bots.world import empty_world
from cardroom.rules.shuffles import Stream


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


# The training of the professor: the same seed gives the same table, and every match counts.


def table_of(preset, matches, seed):
    (*_, (done, table)) = pazaak_train.training(preset, matches, seed)
    assert done == matches
    return table


def test_the_same_seed_gives_the_same_table():
    first, again = (table_of("classic", 1, 5).copy() for _ in range(2))
    assert (first == again).all()
    assert (first != table_of("classic", 1, 6)).any()


@pytest.mark.parametrize("preset", sorted(REACH))
def test_a_table_covers_every_score(preset):
    packed = values.packed(pazaak_train.school_of(preset).table.tolist())
    assert len(decompress(packed)) == 2 * REACH[preset] ** 2 * BLOCK


def test_winner_and_loser_learn_opposite_things():
    """After one match against itself: the last position of a seat that won is worth more."""
    school = pazaak_train.school_of("classic")
    school.courses[0]["against_self"], school.courses[0]["rate"] = 1.0, 0.3
    rng, later = stream_words(), stream_words()
    rng[0] = 3
    pazaak_train.learn_compiled(rng, later, 1, school)
    world = school.worlds[1]
    winner = 0 if world["wins"][0] > world["wins"][1] else 1
    for seat in range(2):
        lesson = school.lessons[seat]
        last = lesson["length"] - 1
        places = lesson["places"][last][: lesson["counts"][last]]
        learned = numpy.sum(school.table[places])
        assert (learned > 0) == (seat == winner)


def test_decks_are_legal_and_whole():
    for catalogue in ("full", "kotor1", "kotor2"):
        assert all(len(deck) == DECK_SIZE for deck in pazaak_train.side_decks(catalogue))


def test_who_plays_as_the_professor_wins_half_of_mirrored_matches():
    assert score.score(score.against_the_professor("classic"), 2, 1, EXPERT) == (0.5, 0.0)


def test_a_rival_that_learns_nothing_keeps_its_table():
    school = score.against_the_professor("classic")
    before = school.expert.copy()
    list(pazaak_train.training("classic", 1, 1, school))
    assert (school.expert == before).all()
    assert (school.table != before).any()


# The classic table in `make test`, every table in `make sweeps`.
@pytest.mark.parametrize(
    "preset",
    ["classic", *(pytest.param(one, marks=pytest.mark.sweep) for one in REACH if one != "classic")],
)
def test_the_tables_beat_the_six_rules_with_the_same_deck(preset):
    school = score.as_computers(preset)
    share, error = score.score(school, 8, 1, SIX)
    assert share > 0.5
    assert error > 0


def test_learning_against_the_professor_goes_on_from_what_it_knows():
    share, error = score.exploited("classic", 2, 1, pairs=3)
    assert abs(share - 0.5) <= max(2 * error, 0.1)


def test_a_table_can_learn_with_one_deck_alone():
    deck = ["P1", "P1", "P2", "P2", "P3", "P3", "P4", "P4", "P5", "P5"]
    school = score.as_computers("classic", deck)
    learned = score.learned_with(school, "classic", 20, 1)
    assert school.decks.tolist() == learned.decks.tolist() == [[NUMBER[code] for code in deck]]
    assert learned.table.any()
    assert not (learned.table == school.table).all()


# The positions for Shithead's value network, and that it learns.


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(shithead_train, "PLAYOUTS", 4)
    monkeypatch.setattr(shithead_train, "compiled_form", lambda: searcher.PLAIN)
    monkeypatch.setattr(shithead_train, "A_PART", 2)


def drawn(positions=4096):
    """Positions of which a pile of more cards is worth less."""
    rng = numpy.random.default_rng(3)
    inputs = rng.integers(0, 4, (positions, INPUTS)).astype(numpy.uint8)
    return Noted(inputs, (inputs[:, PILE] < 2).astype(numpy.float32))


def test_the_same_seed_gives_the_same_games(quick):
    first, again = (shithead_train.play_games(7, 3, 1) for _ in range(2))
    assert (first.inputs == again.inputs).all()
    assert (first.worths == again.worths).all()
    assert len(first.inputs) == len(first.worths) > 3
    assert ((first.worths == 0) | (first.worths > 0.9)).all()


def test_a_game_is_played_without_the_network_or_with_it(quick, monkeypatch):
    asked = []
    monkeypatch.setattr(searcher, "knows", lambda options: asked.append(options) or True)
    shithead_train.play_games(7, 1, 1)
    assert asked == []
    shithead_train.play_games(7, 1, 1, judged=True)
    assert set(asked) == {OPTIONS}


def test_a_run_adds_to_what_was_noted(quick, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(shithead_train, "LEAST_GAMES", 2)
    monkeypatch.setattr(shithead_train, "AT_ONCE", 4)
    monkeypatch.setattr(shithead_train, "BLOCK", 1)
    notes, table = tmp_path / "noted.npz", tmp_path / "four_seats.table"
    for number in "12":
        given = ["--games", "4", "--seed", number, "--notes", str(notes), "--out", str(table)]
        monkeypatch.setattr("sys.argv", ["train", *given])
        shithead_train.main()
    parts = [shithead_train.play_games(seed, 4, 1) for seed in (1, 2)]
    assert (shithead_train.kept_in(notes).inputs == shithead_train.joined(parts).inputs).all()
    assert len(decompress(table.read_bytes())) == 2 * WEIGHTS
    numpy.savez(notes, inputs=numpy.zeros(3))
    with pytest.raises(SystemExit):
        shithead_train.main()
    assert "has no positions of this network" in capsys.readouterr().err


def test_it_learns_what_positions_are_worth():
    noted = drawn(50_000)
    weights = shithead_train.fit(noted, 1)
    first = shithead_train.first_weights(numpy.random.default_rng(1))
    assert shithead_train.loss(weights, noted) < shithead_train.loss(first, noted) / 4
    again = shithead_train.fit(noted, 1)
    assert all((one == other).all() for one, other in zip(weights, again, strict=True))


def test_the_file_holds_what_was_learned():
    """The bot's whole numbers come to what the network came to as it learned."""
    weights = shithead_train.fit(drawn(), 1)
    whole = numpy.frombuffer(decompress(shithead_train.packed(weights)), dtype="<i2").tolist()
    assert len(whole) == WEIGHTS
    world = empty_world(OPTIONS)
    world.hands[0], world.hands[1], world.stock_size = 1 << 8, 3 << 40, 5
    inputs = [0] * INPUTS
    observe(world, inputs)
    (worth,) = shithead_train.worths_of(weights, numpy.array([inputs]))[1]
    network = PlayoutsNetwork(whole, [0] * INPUTS, [0] * UNITS)
    assert expected(world, network) == pytest.approx(worth, abs=20 / PLAYOUTS_SCALE)


# The deals for Pişti's tables of the points to come, and that they are learned.

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


def pisti_blocks_drawn(rng):
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
    tables = pisti_blocks_drawn(numpy.random.default_rng(3))
    met = numpy.full(SHAPE, 500)
    points = numpy.rint(met * (tables.piles + tables.leads)).astype(int)
    learned = blocks.fit(TWO, Counted(met.ravel(), points.ravel()))
    assert learned.piles + learned.leads == pytest.approx(tables.piles + tables.leads, abs=0.05)
    assert blocks.left_over(TWO, Counted(met.ravel(), points.ravel()), learned) < 0.02


def test_a_position_never_met_goes_by_those_like_it():
    tables = pisti_blocks_drawn(numpy.random.default_rng(4))
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
        assert said == pytest.approx(piles[at] + leads[at], abs=1.5 / OUTLOOK_SCALE)


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
