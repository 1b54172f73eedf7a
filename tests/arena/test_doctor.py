"""The deck doctor: its figures by brute force, by the rules, and whatever it was asked for."""

import statistics
from collections import defaultdict
from itertools import count

import msgspec
import pytest

from cardroom.__main__ import main as command
from cardroom.arena import compiled_code, doctor
from cardroom.arena.doctor import (
    Diagnosis,
    ExaminationState,
    best_answer,
    describe,
    equilibrium,
    field_of,
    matches_of,
    run_until,
)
from cardroom.arena.request import Part
from cardroom.arena.statistics import BadRequest
from cardroom.fast.pazaak import search as compiled
from cardroom.rules import catalog
from cardroom.rules.pazaak.bots import meeting
from cardroom.rules.pazaak.bots.meeting import BY_DEAL, meet_plainly, world_of
from cardroom.rules.pazaak.bots.world import NUMBER
from cardroom.rules.pazaak.events import CardPlayed, HandDrawn, RoundOver
from cardroom.rules.pazaak.options import PRESETS
from cardroom.rules.pazaak.side_cards import READY_MADE, STARTER, reference_deck
from cardroom.rules.shuffles import Stream, seeded, start
from cardroom.rules.values import Setup

PAZAAK = catalog.find("pazaak")
GAMBLER = next(bot for bot in PAZAAK.bots if bot.slug == "gambler")
KOTOR1 = reference_deck("kotor1")
SEED = 5


@pytest.fixture(autouse=True)
def no_compiled_code(monkeypatch):
    monkeypatch.setattr(compiled_code, "installed", lambda: False)


@pytest.fixture(scope="module")
def request_of_climber():
    return describe(STARTER, [KOTOR1], seed=SEED, deals=20)


@pytest.fixture(scope="module")
def found(request_of_climber):
    return run_until(request_of_climber, Part(0, 1), lambda: False)


def by_the_rules(options, deal, own, rival, seat):
    """The half wins of the own deck at this seat, and its events; the decks in the order given."""
    brought = [rival, rival]
    brought[seat] = own
    shuffle, packs = seeded(Stream(start(SEED, "decks", deal))), iter(brought)

    def in_given_order(pack):
        deck = next(packs, None)
        return shuffle(pack if deck is None else deck)

    setups = [Setup(name="A", bot="gambler", side_deck=deck) for deck in brought]
    step, events = PAZAAK.start(options, setups, in_given_order), []
    while True:
        events += step.events
        state = step.state
        ended = PAZAAK.outcome(state)
        if ended is not None:
            wins = ended.points
            return 1 + (wins[seat] > wins[1 - seat]) - (wins[seat] < wins[1 - seat]), events
        acting = state.to_act
        moves = PAZAAK.legal_moves(state, acting)
        view = PAZAAK.view(state, acting)
        move = GAMBLER.choose(view, [], Stream()) if len(moves) > 1 else moves[0]
        step = PAZAAK.play(state, acting, move, in_given_order)


def noted(events, seat, score, counts):
    """The card notes of a match, from what happened in it."""
    hand, drawn, number, wins, played = [], [], 1, (0, 0), []
    began = None
    for event in events:
        if isinstance(event, HandDrawn) and event.seat == seat:
            hand += event.cards
            drawn += event.cards
            began = list(hand)
        elif isinstance(event, CardPlayed) and event.seat == seat:
            hand.remove(event.code)
            played.append(event.code)
        elif isinstance(event, RoundOver):
            began = list(hand) + played if began is None else began
            won = 1 + event.wins[seat] - wins[seat] - event.wins[1 - seat] + wins[1 - seat]
            first = meeting.FIRST_ROUND + meeting.FIGURES * (min(number, meeting.ROUNDS) - 1)
            for cards, at in ((began, meeting.HELD), (played, meeting.PLAYED)):
                for code in cards:
                    counts[code][first + at] += 1
                    counts[code][first + at + 1] += won
            wins, number, played, began = event.wins, number + 1, [], None
    for code in drawn:
        counts[code][meeting.DRAWN] += 1
        counts[code][meeting.DRAWN_WON] += score


@pytest.mark.parametrize("preset", PRESETS)
def test_two_decks_meet_as_by_the_rules(preset):
    """A swapped card lies where the other one lay, whatever its place in the catalogue."""
    options, deals = PRESETS[preset], range(6)
    swapped = doctor.after(KOTOR1, "M1", "PM5")
    rival = tuple(reversed(STARTER))
    met = meet_plainly(
        [start(SEED, "decks", deal) for deal in deals],
        [1] * len(deals),
        [(0, BY_DEAL, 1), (2, 1, 0)],
        [[NUMBER[code] for code in deck] for deck in (KOTOR1, rival, swapped)],
        world_of(options),
    )
    counts = defaultdict(lambda: [0] * meeting.COLUMNS)
    for deal in deals:
        for own, scores in ((KOTOR1, met.scores[0]), (swapped, met.scores[1])):
            played = [by_the_rules(options, deal, own, rival, seat) for seat in range(2)]
            assert scores[deal] == sum(score for score, _ in played)
            if own is KOTOR1:
                for seat, (score, events) in enumerate(played):
                    noted(events, seat, score, counts)
    assert {code: met.counts[NUMBER[code]] for code in KOTOR1} == {c: counts[c] for c in KOTOR1}


def test_the_compiled_form_finds_the_same():
    decks = [[NUMBER[code] for code in deck.cards] for deck in READY_MADE]
    meetings = [(0, BY_DEAL, 1), (3, BY_DEAL, 0), (5, 6, 1)]
    asked = [start(1, "decks", n) for n in range(4)], [1, 2, 4, 6], meetings, decks
    plain = meet_plainly(*asked, world_of(PRESETS["classic"]))
    met = compiled.meet(*asked, world_of(PRESETS["classic"]))
    assert [list(row) for row in met.scores] == plain.scores
    assert [list(row) for row in met.counts] == plain.counts


def scores_of(request, stage, *pairs):
    first = sum(doctor.deals_of(request, before) for before in range(stage))
    numbers = range(first, first + doctor.deals_of(request, stage))
    decks = [deck for pair in pairs for deck in pair]
    return meet_plainly(
        [start(request.seed, "decks", number) for number in numbers],
        [0] * len(numbers),
        [(at, at + 1, 0) for at in range(0, len(decks), 2)],
        [[NUMBER[code] for code in deck] for deck in decks],
        world_of(request.options),
    ).scores


def test_a_gain_is_the_mean_of_paired_differences_in_new_deals(request_of_climber, found):
    """58.11: with an interval that holds for all that are left."""
    rival, best = request_of_climber.field[0], found.swaps[0]
    swapped = doctor.after(STARTER, best.out, best.into)
    own, new = scores_of(request_of_climber, doctor.DECIDING, (STARTER, rival), (swapped, rival))
    gains = [(b - a) / 4 for a, b in zip(own, new, strict=True)]
    assert best.gain.value == pytest.approx(statistics.fmean(gains))
    error = statistics.stdev(gains) / len(gains) ** 0.5
    z = statistics.NormalDist().inv_cdf(1 - 0.025 / len(found.swaps))
    assert best.gain.high - best.gain.value == pytest.approx(z * error)
    assert len(found.swaps) == doctor.KEPT[-1]
    assert [swap.gain.value for swap in found.swaps] == sorted(
        (swap.gain.value for swap in found.swaps), reverse=True
    )


def test_what_a_card_is_worth_is_the_mean_loss_over_all_that_could_be_instead(
    request_of_climber, found
):
    rival = request_of_climber.field[0]
    swaps = [swap for swap in doctor.swaps_of(request_of_climber) if swap[0] == "P3"]
    decks = [(doctor.after(STARTER, *swap), rival) for swap in swaps]
    own, *others = scores_of(request_of_climber, doctor.TRYING, (STARTER, rival), *decks)
    losses = [a - b for other in others for a, b in zip(own, other, strict=True)]
    worth = next(card.worth for card in found.cards if card.card == "P3")
    assert len(swaps) == 35
    assert worth.value == pytest.approx(statistics.fmean(losses) / 4)
    assert {card.card: card.copies for card in found.cards} == {f"P{n}": 2 for n in range(1, 6)}


def test_the_matrix_has_every_pair_once_and_mirrors_it(request_of_climber, found):
    own, best, rival = found.decks
    assert (own, rival) == (STARTER, KOTOR1)
    (scores,) = scores_of(request_of_climber, doctor.MATCHING, (own, rival))
    assert found.matrix[0][2].value == pytest.approx(statistics.fmean(scores) / 4)
    for (i, row), (j, cell) in ((a, b) for a in enumerate(found.matrix) for b in enumerate(a[1])):
        assert row[j] == cell
        assert cell.value == pytest.approx(1 - found.matrix[j][i].value)
        assert 0 <= cell.low <= cell.value <= cell.high <= 1
        assert (cell.value == 0.5) or i != j
    assert best != own


def test_pauses_change_nothing_and_a_seed_says_all(request_of_climber, found, monkeypatch):
    monkeypatch.setattr(doctor, "PLAIN_AT_ONCE", 1)
    state, pauses = None, count()
    while not isinstance(state, Diagnosis):
        state = run_until(request_of_climber, Part(0, 1), lambda: bool(next(pauses) + 1), state)
        if isinstance(state, ExaminationState):
            assert 0 < state.done < matches_of(request_of_climber)
            state = msgspec.json.decode(msgspec.json.encode(state), type=ExaminationState)
    assert next(pauses) > 20
    assert msgspec.json.encode(state) == msgspec.json.encode(found)
    assert (found.matches, found.compiled) == (matches_of(request_of_climber), 0)
    other = run_until(describe(STARTER, [KOTOR1], seed=6, deals=20), Part(0, 1), lambda: False)
    assert other.score != found.score


def test_the_equilibrium_of_known_games():
    """Of three that beat each other in a ring it is what the lost stakes say; a deck that always
    wins is brought alone."""
    ring = [[0.5, 0.8, 0.3], [0.2, 0.5, 0.6], [0.7, 0.4, 0.5]]
    weights = equilibrium(ring)
    assert weights == pytest.approx([1 / 6, 2 / 6, 3 / 6], abs=1e-3)
    assert best_answer(ring, weights) < 1e-3
    assert best_answer(ring, [1, 0, 0]) == pytest.approx(0.2)
    assert equilibrium([[0.5, 0.6], [0.4, 0.5]]) == pytest.approx([1, 0], abs=1e-3)


def test_what_can_be_exploited_is_bounded_by_the_intervals(found):
    weights, bound = found.equilibrium.weights, found.equilibrium
    assert sum(weights) == pytest.approx(1)
    worths = [
        sum(w * cell.value for w, cell in zip(weights, row, strict=True)) for row in found.matrix
    ]
    assert bound.exploitability == pytest.approx(max(worths) - 0.5)
    assert bound.exploitability < 0.005 < bound.at_most


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ({"deck": STARTER[:9]}, "exactly 10 cards"),
        ({"deck": ("X1", *STARTER[1:])}, "'X1' is not a side card"),
        (
            {"deck": ("T", *STARTER[1:]), "preset": "kotor1"},
            "T .* is not in the catalogue 'kotor1'",
        ),
        ({"field": []}, "rivals must be 1 to 8, not 0"),
        ({"field": [("P1",) * n + ("M1",) * (10 - n) for n in range(9)]}, "rivals must be 1 to 8"),
        ({"field": [STARTER[:3]]}, "exactly 10 cards"),
        ({"preset": "chess"}, "no preset 'chess'; there are: classic, kotor1, kotor2"),
        ({"seed": -1}, "seed must be 0 to"),
        ({"deals": 19}, "deals must be 20 to 40,000, not 19"),
        ({"deals": 40_001}, "deals must be 20 to 40,000"),
    ],
)
def test_what_cannot_be_examined_is_refused_in_words(wishes, words):
    with pytest.raises(BadRequest, match=words):
        describe(**({"deck": STARTER, "field": [KOTOR1]} | wishes))


def test_fields_have_names_and_fit_their_preset():
    assert field_of("public") == tuple(deck.cards for deck in READY_MADE)
    assert reference_deck("full") in field_of("house")
    assert KOTOR1 in field_of("house", "kotor1")
    assert {"climber", "daredevil", "diplomat"} == {
        deck.slug for deck in READY_MADE if deck.cards in field_of("public", "kotor1")
    }
    with pytest.raises(BadRequest, match="there are: house, public"):
        field_of("everybody")


def test_the_command_prints_all_of_it(monkeypatch, capsys, tmp_path):
    out = tmp_path / "found.json"
    words = ["cardroom", "doctor", ",".join(STARTER), "--field", ",".join(KOTOR1), "--deals", "20"]
    monkeypatch.setattr("sys.argv", [*words, "--seed", str(SEED), "--json", str(out)])
    assert command() == 0
    told = capsys.readouterr().out
    found = msgspec.json.decode(out.read_bytes(), type=Diagnosis)
    assert "The Climber, 1 rivals, classic, seed 5" in told
    assert "plain Python, which is slow" in told
    assert f"{found.swaps[0].out:>4} for {found.swaps[0].into}" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["climber", "--field", "nobody"], "There is no field 'nobody'"),
        (["climbr"], "There is no ready-made deck 'climbr'; there are: climber"),
        (["public", "--preset", "kotor2"], "There is no ready-made deck 'public'"),
    ],
)
def test_what_the_command_cannot_read_is_said(capsys, words, said):
    with pytest.raises(SystemExit):
        doctor.main(words)
    assert said in capsys.readouterr().err
