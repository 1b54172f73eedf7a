"""The coach beside a replay: whose decisions it judges, and what it keeps to itself."""

import json
import re
import secrets
from random import Random

import pytest

from games.coaching import analyses
from games.coaching.models import Analysis
from games.matches.loading import load
from tests.coaching.scenes import QUICK, analysed, given_up
from tests.matches.scenes import now, opened, played, resigned
from tests.web.browsing import signed_in

pytestmark = pytest.mark.django_db

DEAL = b"coach"  # with LUCK=1 too: the first seat has to err
WRITTEN = ("version", "status", "decisions", "reached", "verdicts", "summary", "finished_at")
JUDGED: dict[str, object] = {}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(analyses.judging, "PLAYOUTS", QUICK)
    monkeypatch.setattr(analyses.judging, "CLOSER", (1,))


@pytest.fixture
def over(ada, monkeypatch):
    """Of the same cards in each test."""
    deal = Random(DEAL)
    with monkeypatch.context() as patch:
        patch.setattr(secrets, "token_bytes", lambda size=None: deal.randbytes(size or 32))
        return given_up(ada)


@pytest.fixture
def row(over, ada):
    """The coach's analysis of the match: judged for the first test, kept for the others."""
    if JUDGED:
        return Analysis.objects.create(match_id=over.id, requester=ada, **JUDGED)
    row = analysed(over, ada)
    JUDGED.update({name: getattr(row, name) for name in WRITTEN})
    return row


def first_of(row, seat):
    return next(one for one in analyses.verdicts_of(row) if one.seat == seat)


def graded(row, grades):
    """The same analysis with these grades, one a verdict, and no more verdicts."""
    verdicts = json.loads(bytes(row.verdicts))[: len(grades)]
    for verdict, grade in zip(verdicts, grades, strict=True):
        verdict["grade"] = grade
    Analysis.objects.filter(id=row.id).update(verdicts=json.dumps(verdicts).encode())
    return [verdict["version"] for verdict in verdicts]


def judged_part(page):
    found = re.search(r'<section class="card judged".*?</section>', page.page, re.DOTALL)
    return found[0] if found else ""


def test_the_decision_of_the_seat_that_is_looked_at_is_judged(over, row, at_home):
    own = [one for one in analyses.verdicts_of(row) if one.seat == 0]
    verdict = next(one for one in own if one.grade != "best")
    at_home.open(f"/matches/{over.id}?ply={verdict.version}&seat=0")
    label = str(over.rules.label(verdict.move))
    assert "played:" in judged_part(at_home)
    assert label in judged_part(at_home)
    assert "Searcher would choose" in judged_part(at_home)
    assert "possible worlds" in judged_part(at_home) or "takes" in judged_part(at_home)
    assert re.search(r"Ada: \d+ % to win", at_home.text)


def test_nothing_is_said_of_a_hand_that_is_not_turned_up(over, row, at_home):
    verdict = first_of(row, 1)
    address = f"/matches/{over.id}?ply={verdict.version}"
    names = [choice.move for choice in verdict.choices]
    for seat in ("0", ""):
        part = judged_part(at_home.open(f"{address}&seat={seat}"))
        assert part
        assert not [str(over.rules.label(m)) for m in names if str(over.rules.label(m)) in part]
        assert "played:" not in part
    assert "to win" not in at_home.text  # of a spectator, who sees no hand
    assert "played:" in judged_part(at_home.open(f"{address}&seat=0&hands=1"))


def test_the_chance_of_a_seat_is_that_of_its_own_decisions(over, row, at_home):
    """The other seat's knowledge has no part in it while that hand is face down."""
    for ply in range(over.version + 1):
        own = [one for one in analyses.verdicts_of(row) if one.seat == 0 and one.version <= ply]
        summary = analyses.summary_of(row)[0]
        chance = summary.start
        if own:
            last = own[-1]
            chance = last.best.chance - (last.cost if last.version < ply else 0)
        if ply == over.version:
            chance = summary.result
        at_home.open(f"/matches/{over.id}?ply={ply}&seat=0")
        assert f"Ada: {round(100 * chance)} % to win" in at_home.text


def test_links_lead_from_mistake_to_mistake(over, row, at_home):
    plies = graded(row, ["blunder", "slip", "best", "mistake"])
    address = f"/matches/{over.id}?hands=1&ply="
    at_home.open(f"{address}0")
    assert plies[0] == 0
    assert 'id="mistake-before"' not in at_home.page
    assert f'id="mistake-after" class="button quiet" data-ply="{plies[3]}"' in at_home.page
    at_home.open(f"{address}{plies[3]}")
    assert f'id="mistake-before" class="button quiet" data-ply="{plies[0]}"' in at_home.page
    assert 'id="mistake-after"' not in at_home.page


def test_who_wants_to_be_asked_is_told_nothing_before_the_answer(over, row, at_home):
    verdict = first_of(row, 0)
    address = f"/matches/{over.id}?ply={verdict.version}&seat=0&ask=1"
    part = judged_part(at_home.open(address))
    assert "What would you play?" in part
    assert "played:" not in part
    assert not re.search(r"\d %", part)
    assert f"ply={verdict.version + 1}&seat=0&ask=1" not in at_home.page.split("replay-log")[1]
    offered = re.findall(r"&amp;answer=([^\"]+)", part)
    assert sorted(offered) == sorted(choice.move for choice in verdict.choices)
    part = judged_part(at_home.open(f"{address}&answer={verdict.best.move}"))
    assert "Your answer:" in part
    assert "best move" in part
    assert "played:" in part


@pytest.mark.parametrize("answer", ["", "XX", "7H'\"<script>", "٣٣٣"])
def test_an_answer_that_is_no_move_is_none(over, row, at_home, answer):
    verdict = first_of(row, 0)
    at_home.open(f"/matches/{over.id}?ply={verdict.version}&seat=0&ask=1&answer={answer}")
    assert at_home.status == 200
    assert "What would you play?" in judged_part(at_home)


def test_without_an_analysis_one_may_be_asked_for(over, ada, at_home):
    at_home.open(f"/matches/{over.id}?ply=2")
    assert "The coach can say what each decision was worth." in at_home.text
    running = played(opened(ada), 4)
    assert "coach" not in at_home.open(f"/matches/{running.id}?ply=2").text.lower()


def test_nothing_is_judged_for_whom_the_cards_are_a_secret(ada, ben):
    """FORMAT.md §2: a match that was loaded from it holds the same cards."""
    running = played(opened(ada, "me, local Twin", visibility="link"), 10)
    load(match_id=running.id, user=ada, version=4, cards="same")
    over = now(resigned(running, 0))
    row = analysed(over, ada)
    address = f"/matches/{over.id}?ply={first_of(row, 0).version}&seat=0&hands=1"
    assert judged_part(signed_in(ada).open(address))
    assert not judged_part(signed_in(ben).open(address))
