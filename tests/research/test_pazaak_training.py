"""What the professor learns from: the same seed gives the same table, and every match counts."""

from lzma import decompress

import numpy
import pytest

from cardroom.fast.binding import stream_words
from cardroom.research.pazaak import exploit, score, train
from cardroom.research.pazaak.train import EXPERT, SIX
from cardroom.rules import values
from cardroom.rules.pazaak.bots.outlook import BLOCK, REACH
from cardroom.rules.pazaak.bots.world import NUMBER
from cardroom.rules.pazaak.side_cards import DECK_SIZE


def table_of(preset, matches, seed):
    (*_, (done, table)) = train.training(preset, matches, seed)
    assert done == matches
    return table


def test_the_same_seed_gives_the_same_table():
    first, again = (table_of("classic", 1, 5).copy() for _ in range(2))
    assert (first == again).all()
    assert (first != table_of("classic", 1, 6)).any()


@pytest.mark.parametrize("preset", sorted(REACH))
def test_a_table_covers_every_score(preset):
    packed = values.packed(train.school_of(preset).table.tolist())
    assert len(decompress(packed)) == 2 * REACH[preset] ** 2 * BLOCK


def test_winner_and_loser_learn_opposite_things():
    """After one match against itself: the last position of a seat that won is worth more."""
    school = train.school_of("classic")
    school.courses[0]["against_self"], school.courses[0]["rate"] = 1.0, 0.3
    rng, later = stream_words(), stream_words()
    rng[0] = 3
    train.learn_compiled(rng, later, 1, school)
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
        assert all(len(deck) == DECK_SIZE for deck in train.side_decks(catalogue))


def test_who_plays_as_the_professor_wins_half_of_mirrored_matches():
    assert score.score(exploit.against_the_professor("classic"), 2, 1, EXPERT) == (0.5, 0.0)


def test_a_rival_that_learns_nothing_keeps_its_table():
    school = exploit.against_the_professor("classic")
    before = school.expert.copy()
    list(train.training("classic", 1, 1, school))
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
    share, error = exploit.exploited("classic", 2, 1, pairs=3)
    assert abs(share - 0.5) <= max(2 * error, 0.1)


def test_a_table_can_learn_with_one_deck_alone():
    deck = ["P1", "P1", "P2", "P2", "P3", "P3", "P4", "P4", "P5", "P5"]
    school = score.as_computers("classic", deck)
    learned = score.learned_with(school, "classic", 20, 1)
    assert school.decks.tolist() == learned.decks.tolist() == [[NUMBER[code] for code in deck]]
    assert learned.table.any()
    assert not (learned.table == school.table).all()
