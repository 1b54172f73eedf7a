"""The coach judges a decision from what its seat knew, and says what it cost."""

import dataclasses
import json
from functools import cache
from math import exp
from pathlib import Path
from random import Random

import msgspec
import pytest

from cardroom.arena.statistics import Interval
from cardroom.rules import catalog
from cardroom.rules.bot import Search
from cardroom.rules.pazaak.bots.outlook import halves
from cardroom.rules.pazaak.predicates import Placed
from cardroom.rules.record import format  # noqa: A004
from cardroom.rules.state_fields import Line, Reading
from cardroom.rules.values import Weighing
from games.coaching import judging
from games.coaching.judging import (
    ONCE,
    Cost,
    Weighed,
    cost_of,
    judge_of,
    played,
    summaries,
    weigh,
    weigh_closely,
)
from tests.calibration import agreeing
from tests.calibration.agreeing import agreement
from tests.calibration.collecting import OTHER_WORLDS, Judged, drawn
from tests.calibration.collecting import judged as collecting_judged
from tests.calibration.fitting import line, lines
from tests.calibration.picture import draw
from tests.calibration.settings import SETTINGS, Setting
from tests.calibration.table import column, table, tenths

RECORDS = Path("tests/fixtures/records")
PLAYOUTS = 16
JUDGED = ("pisti-classic", "pazaak-classic", "shithead-default")


@cache
def record(name, line=0):
    return format.read(json.loads(RECORDS.joinpath(f"{name}.jsonl").read_text().splitlines()[line]))


@cache
def read(name, line=0):
    of = record(name, line)
    return played(of, judge_of(catalog.find(of.game)).remembers)


def some(match):
    """The first decisions after Shithead's exchange."""
    return [one for one in match.decisions if getattr(one.view, "phase", "") != "exchange"][:12]


def judged(match, decisions):
    judge = judge_of(match.game)
    found = [judging.judge(match.game, judge, one, PLAYOUTS, ONCE) for one in decisions]
    return [one for one in found if one is not None]


@cache
def some_judged(name):
    """A judgement is the same each time; scenes that only read it share it."""
    match = read(name)
    return judged(match, some(match))


@pytest.mark.parametrize("name", JUDGED)
def test_a_verdict_lists_every_move_from_the_best_to_the_worst(name):
    found = some_judged(name)
    assert found
    for verdict in found:
        chances = [choice.chance for choice in verdict.choices]
        assert chances == sorted(chances, reverse=True)
        assert all(0 <= chance <= 1 for chance in chances)
        assert verdict.move in [choice.move for choice in verdict.choices]
        assert 0 <= verdict.cost <= 1


@pytest.mark.parametrize("name", JUDGED)
def test_the_parts_of_a_seat_add_up_to_its_result(name):
    for one in summaries(read(name), some_judged(name)):
        parts = one.start + one.play + one.rivals + one.luck + one.unplayed
        assert parts == pytest.approx(one.result)


def test_luck_of_two_sides_is_one_sum_with_two_signs():
    ada, ben = summaries(read("pisti-classic"), some_judged("pisti-classic"))
    assert ada.luck == pytest.approx(-ben.luck)
    assert ada.play == pytest.approx(-ben.rivals)


def test_giving_up_is_no_bad_luck():
    match = read("pisti-classic", 1)
    assert match.outcome.reason == "resigned"
    verdicts_found = judged(match, match.decisions[-4:])
    winner, loser = summaries(match, verdicts_found)
    chance = verdicts_found[-1].best.chance - verdicts_found[-1].cost
    last = chance if verdicts_found[-1].seat == 1 else 1 - chance
    assert loser.unplayed == pytest.approx(-last)
    assert winner.unplayed == pytest.approx(last)


@pytest.mark.parametrize("name", JUDGED)
def test_the_same_position_is_judged_the_same_each_time(name):
    match = read(name)
    once, again = (judged(match, some(match)[2:5]) for _ in range(2))
    assert msgspec.json.encode(once) == msgspec.json.encode(again)


def test_cards_that_nobody_saw_change_no_byte():
    """The stock is dealt in another order; what was decided before is judged the same."""
    of, match = record("pisti-classic"), read("pisti-classic")
    stock = match.decisions[0].view.stock_size
    first = of.rounds[0]
    before = first.moves[:8]  # the first hands of two (R6)
    decks = []
    for deck in (first.shuffles[0], _stock_turned(first.shuffles[0], stock)):
        round_ = msgspec.structs.replace(first, shuffles=(deck,), moves=before, scores=None)
        outcome = msgspec.structs.replace(of.outcome, reason="aborted", winners=(), points=(0, 0))
        decks.append(msgspec.structs.replace(of, rounds=(round_,), outcome=outcome))
    plain, turned = (played(each, "match") for each in decks)
    assert [one.view for one in plain.decisions] == [one.view for one in turned.decisions]
    found = [msgspec.json.encode(judged(each, each.decisions)) for each in (plain, turned)]
    assert found[0] == found[1]


def _stock_turned(deck, size):
    cards = deck.split(" ")
    return " ".join([*cards[:-size], *reversed(cards[-size:])])


def test_nobody_judges_a_game_without_decisions():
    assert judge_of(catalog.find("pyanitsa")) is None


def test_when_every_card_is_known_the_verdict_is_exact():
    """Pişti's last hands of two: what the other holds is what is left."""
    match = read("pisti-classic")
    last = [one for one in match.decisions if not one.view.stock_size]
    verdict = next(verdict for one in last for verdict in judged(match, [one]))
    assert all(choice.error == 0 for choice in verdict.choices)


def test_of_moves_that_are_as_good_none_costs():
    same = Weighing(("a", "b"), ((0.5, 0.5), (0.5, 0.5)))
    assert cost_of(same, "b") == Cost(0.0, 0.0)


def test_the_best_of_uncertain_numbers_is_measured_where_it_was_not_chosen():
    """Each of two moves was lucky in one half: neither is better than the other."""
    lucky = Weighing(("a", "b"), ((0.6, 0.4, 0.6, 0.4), (0.4, 0.6, 0.4, 0.6)))
    assert cost_of(lucky, "a").loss == 0.0


@pytest.mark.parametrize(
    ("loss", "error", "grade"),
    [
        *((0.0, 0.0, "best"), (0.004, 0.0, "best"), (0.03, 0.04, "best"), (0.01, 0.0, "fine")),
        *((0.03, 0.01, "slip"), (0.07, 0.01, "mistake"), (0.2, 0.05, "blunder")),
    ],
)
def test_the_class_follows_the_loss_of_winning_chance(loss, error, grade):
    assert judging.grade_of(Cost(loss, error)) == grade


def exchange_of(match):
    return [one for one in match.decisions if one.view.phase == "exchange"]


def test_the_end_of_an_exchange_is_judged_a_swap_that_can_be_taken_back_costs_nothing():
    found = judged(match := read("shithead-traditional"), exchange_of(match))
    assert "ready" in [verdict.move for verdict in found]
    for verdict in found:
        assert "ready" in [choice.move for choice in verdict.choices]
        assert verdict.move == "ready" or verdict.cost == 0


def test_the_last_swap_is_worth_what_it_leaves_open():
    """shithead R5: there is no way back from it."""
    match = read("shithead-traditional")
    judge, one = judge_of(match.game), exchange_of(match)[0]
    limited = msgspec.structs.replace(one.view, swaps_left=(1,) * len(one.view.tops))
    weighed = weigh(judge, dataclasses.replace(one, view=limited), PLAYOUTS)
    assert all(_open_after(one.view, move) for move in weighed.moves)
    free = weigh(judge, one, PLAYOUTS)
    assert set(weighed.moves) <= set(free.moves)
    swaps = [move for move in free.moves if move != "ready"]
    assert len({free.means[free.moves.index(move)] for move in swaps}) == 1


def _open_after(view, move):
    return move == "ready" or (
        move.split()[1] in view.hand and move.split()[2] in view.tops[view.seat]
    )


@pytest.mark.parametrize("name", JUDGED)
def test_a_game_says_why_in_its_own_words_and_languages(name):
    match = read(name)
    found = some_judged(name)
    reasons = [each for one in found for each in (one.reason, one.best_reason) if each is not None]
    assert reasons
    for reason in reasons:
        assert 0 <= reason.values.get("percent", 0) <= 100
        words = str(match.game.reasons.words(reason))
        assert words.endswith(".")
        assert "{" not in words


def test_a_total_of_18_goes_over_with_so_many_cards():
    """Pazaak: of the own deck, cards seen are gone."""
    match = read("pazaak-classic")
    game = match.game
    one = next(each for each in match.decisions if "stand" in each.view.legal_moves)
    half, _ = halves(one.view)
    board = tuple(Placed("main", str(value), value) for value in (10, 8))
    mine = msgspec.structs.replace(half, board=board, total=18)
    both = tuple(mine if each is half else each for each in one.view.halves)
    view = msgspec.structs.replace(one.view, halves=both, round_no=2)
    reason = game.reasons.of(view, (), None, ["stand"])["stand"]
    over = 8 * 4 - 2  # of 3 to 10; one 10 and one 8 lie on the table
    assert reason.values == {"total": 18, "percent": round(100 * over / 38)}


@pytest.mark.parametrize("line", [Line(-0.5, 1.15), Line(0.3, 0.8), Line()])
def test_a_chance_that_reads_otherwise_keeps_its_order(line):
    read_ = [line.read(n / 20) for n in range(21)]
    assert read_ == sorted(read_)
    assert (read_[0], read_[-1]) == (0.0, 1.0)
    assert line.read(0.5) == pytest.approx(Line(line.shift).read(0.5))


def answering(*weighings):
    """A judge that weighs so, one after the other, and what playouts it was given."""
    given, answers = [], iter(weighings)

    def weigh_(_view, _events, _rng, playouts):
        given.append(playouts)
        return next(answers)

    search = Search(lambda *_: "a", 1, 1, weigh_, Reading(by_stage={"all": Line(0.7, 0.5)}))
    return search.bot(slug="judge", name="", summary="", level=1), given


def test_the_best_stays_the_best_as_chances_read():
    """Where batches are stretched one by one, the mean of uneven ones may fall behind."""
    uneven, even = (0.0, 0.99) * 8, (0.5, 0.48) * 8
    judge, _ = answering(Weighing(("a", "b"), (uneven, even)))
    decision = read("pisti-classic").decisions[0]
    first, second = judging.choices_of(weigh(judge, decision, 1))
    assert (first.move, second.move) == ("a", "b")
    assert first.chance == pytest.approx(Line(0.7, 0.5).read(0.495))


def test_a_decision_that_is_close_is_weighed_again_with_more_playouts():
    close = Weighing(("a", "b"), ((0.5,) * 16, (0.53, 0.53, 0.48, 0.48) * 4))
    clear = Weighing(("a", "b"), ((0.5,) * 16, (0.7,) * 16))
    match = read("pisti-classic")
    decision = dataclasses.replace(match.decisions[0], move="a")
    judge, given = answering(close, close, clear)
    found = weigh_closely(match.game, judge, decision, 10)
    assert given == [10, 40, 160]
    assert isinstance(found, Weighed)
    assert (found.move, found.playouts, found.is_clear) == ("a", 160, True)


def test_what_a_choice_of_shithead_is_worth_hangs_on_no_other_choice():
    """All are played in the same worlds, none of them less often because it began badly."""
    match = read("shithead-default")
    judge = judge_of(match.game)
    one = next(each for each in some(match) if len(each.view.legal_moves) > 2)
    whole = weigh(judge, one, PLAYOUTS)
    kept = (whole.moves[0], whole.moves[-1])
    fewer = msgspec.structs.replace(one.view, legal_moves=kept)
    part = weigh(judge, dataclasses.replace(one, view=fewer), PLAYOUTS)
    assert part.means == (whole.means[0], whole.means[-1])


# The calibration of the coach: what it counts, and that it looks at matches as their seats did.

PAZAAK = Setting("pazaak", "professor", {}, None, 0.3, 10)


def one(chance, came, match=0, stage="all"):
    return Judged(match, stage, chance, came)


def test_decisions_are_counted_by_tenths():
    low, high = tenths([one(0.05, 0.0), one(0.09, 1.0, 1), one(1.0, 1.0)])
    assert (low.tenth, low.decisions, low.matches) == (0, 2, 2)
    assert low.stated == pytest.approx(0.07)
    assert low.came == 0.5
    assert (high.tenth, high.came, high.error) == (9, 1.0, 0.0)


def test_decisions_of_one_match_count_as_one():
    """Ten decisions of two matches say no more than two."""
    alike = [one(0.5, float(match), match) for match in (0, 1) for _ in range(5)]
    apart = [one(0.5, float(n % 2), n) for n in range(10)]
    assert tenths(alike)[0].error == pytest.approx(5**0.5 * tenths(apart)[0].error)


def test_what_came_of_chances_finds_the_line_that_they_read_by():
    true, rng, drawn_ = Line(-0.5, 1.3), Random(3), []
    for match in range(20_000):
        chance = 1 / (1 + exp(-rng.gauss(0, 1.5)))
        drawn_.append(one(chance, float(rng.random() < true.read(chance)), match))
    found = line(drawn_)
    assert found.shift == pytest.approx(true.shift, abs=0.06)
    assert found.stretch == pytest.approx(true.stretch, abs=0.06)


def test_a_stage_with_few_decisions_has_no_line():
    rng = Random(1)
    many = [one(0.4 + 0.2 * (n % 2), float(rng.random() < 0.5), n, "many") for n in range(400)]
    assert list(lines([*many, one(0.5, 1.0, 1, "few"), one(1.0, 1.0, 2, "sure")])) == ["many"]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_a_match_is_read_as_its_seats_saw_it(setting):
    found = list(drawn(setting, 3, 0, 6))
    assert found
    assert {each.match for each in found} <= set(range(6))
    for each in found:
        decision = each.decision
        assert len(decision.view.legal_moves) > 1
        assert decision.move in decision.view.legal_moves
        assert decision.view.seat == decision.seat
        assert each.came in (0.0, 0.5, 1.0)
    later = [each for each in found if each.match >= 4]
    assert list(drawn(setting, 3, 4, 2)) == later


def test_every_stage_that_was_fitted_is_one_that_is_met():
    """And every stage that is met often reads by a line of its own."""
    for setting in (each for each in SETTINGS if each.game != "pisti"):
        reading = judge_of(catalog.find(setting.game)).search.reading
        stages = {reading.stage(each.decision.view) for each in drawn(setting, 3, 0, 12)}
        assert stages <= set(reading.by_stage), setting.name


def test_a_few_decisions_are_judged(monkeypatch):
    monkeypatch.setattr(judging, "PLAYOUTS", 16)
    found = [collecting_judged(PAZAAK, each) for each in drawn(PAZAAK, 3, 0, 10)]
    found = [each for each in found if each is not None]
    assert found
    assert all(0 <= each.chance <= 1 for each in found)
    counted = column("Pazaak", found)
    assert table([counted]).startswith("| Stated | Pazaak (")
    picture = draw({"Pazaak": counted.tenths})
    assert picture.startswith("<svg")
    assert "<circle" in picture


def test_best_is_tried_again_with_twenty_times_the_playouts(monkeypatch):
    tried, weigh = [], judging.weigh
    monkeypatch.setattr(judging, "PLAYOUTS", 16)

    def noted(judge, decision, playouts):
        tried.append((decision.version, playouts))
        return weigh(judge, decision, playouts)

    monkeypatch.setattr(judging, "weigh", noted)
    found = agreement(PAZAAK, drawn(PAZAAK, 3, 0, 10), 5)
    assert (found.tried, found.best.value) == (5, 1.0)  # nothing is sampled at Pazaak
    assert isinstance(found.fine, Interval)
    plain = {playouts for version, playouts in tried if version < OTHER_WORLDS}
    deep = [playouts for version, playouts in tried if version >= OTHER_WORLDS]
    assert plain == {16}
    assert deep == [16 * agreeing.TIMES] * 5
