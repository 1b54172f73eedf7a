import os
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace as replace_struct

from cardroom.arena.playouts import play_match
from cardroom.arena.request import Part, PausedPart, describe, run_part, run_part_until, run_parts
from cardroom.arena.statistics import BotFault
from cardroom.rules import catalog
from cardroom.rules.bot import RANDOM, Bot
from cardroom.rules.shuffles import Stacked, seeded
from cardroom.rules.values import Outcome, Step
from tests.arena.toy import HIGH, PACK, TOY, CardLaid, RoundDealt, RoundWon, ToyOptions, setups
from tests.patience import wait_until


def play(*bots, **options):
    chosen = ToyOptions(players=len(bots), **options)
    return play_match(TOY, chosen, bots, setups(len(bots)), seeded(Random(1)), Random(2))


def a_bot(choose, remembers="nothing"):
    return Bot("mine", "Mine", "", 1, choose, remembers=remembers)


def stacked(*tops):
    """Decks that begin with these cards."""
    return Stacked(
        [[*map(str, top), *(str(card) for card in PACK if card not in top)] for top in tops], str
    )


def test_a_match_is_played_to_its_outcome():
    deck = (1, 2, 9, 3, 4, 8)  # seat 0 holds the 9, seat 1 the 8
    played = play_match(
        TOY, ToyOptions(target=2), (HIGH, HIGH), setups(2), stacked(deck, deck), Random()
    )
    assert played.outcome == Outcome((0,), (2, 0), "target", (1, 2))


def test_plies_rounds_and_events_by_type_are_counted():
    deck = (1, 2, 9, 3, 4, 8)
    played = play_match(
        TOY, ToyOptions(target=2), (HIGH, HIGH), setups(2), stacked(deck, deck), Random()
    )
    assert played.measures == {"rounds": 2, "plies": 4}
    assert played.events == {"round_dealt": 2, "card_laid": 4, "round_won": 2}


def test_a_bot_sees_its_own_view_and_nothing_it_does_not_remember():
    seen = []

    def choose(view, events, rng):
        seen.append((view.seat, view.to_act, len(events)))
        return view.legal_moves[0]

    play(HIGH, a_bot(choose), target=1)
    assert seen
    assert set(seen) == {(1, (1,), 0)}


def test_a_bot_that_remembers_the_match_has_every_event_as_its_seat_saw_it():
    heard = []

    def choose(view, events, rng):
        heard.append(tuple(events))
        return view.legal_moves[0]

    play(a_bot(choose, "match"), HIGH, target=None, max_rounds=3)
    assert heard[0] == (RoundDealt(None),)  # the start is part of the match, hands are not shown
    assert [type(event) for event in heard[-1]] == [
        RoundDealt, CardLaid, CardLaid, RoundWon,
        RoundDealt, CardLaid, CardLaid, RoundWon,
        RoundDealt,
    ]  # fmt: skip


def test_a_bot_that_remembers_the_round_begins_anew_with_each_deal():
    heard = []

    def choose(view, events, rng):
        heard.append([type(event) for event in events])
        return view.legal_moves[0]

    play(HIGH, a_bot(choose, "round"), target=None, max_rounds=3)
    assert heard == [[RoundDealt, CardLaid]] * 3


def test_the_random_bot_plays_the_same_with_and_without_a_view():
    wrapped = a_bot(lambda view, events, rng: rng.choice(view.legal_moves))
    assert play(RANDOM, RANDOM) == play(wrapped, wrapped)


def asked_when_legal_moves_are(legal_moves, **facts):
    """How often two bots are asked in a match of the toy with these legal moves."""
    asked = []

    def choose(view, events, rng):
        asked.append(view.seat)
        return view.legal_moves[0]

    bots = (a_bot(choose), a_bot(choose))
    game = replace(TOY, legal_moves=legal_moves, **facts)
    play_match(
        game,
        ToyOptions(target=None, max_rounds=2),
        bots,
        setups(len(bots)),
        seeded(Random(1)),
        Random(),
    )
    return len(asked)


def test_a_seat_with_one_legal_move_is_not_asked():
    assert asked_when_legal_moves_are(TOY.legal_moves) == 4
    assert asked_when_legal_moves_are(first_move_only) == 0


def test_a_seat_is_asked_when_its_single_move_represents_others():
    assert asked_when_legal_moves_are(first_move_only, represents_others=lambda move: True) == 4


@pytest.mark.parametrize("move", ["99", "a card"])
def test_a_refused_move_names_the_bot_the_seat_the_move_and_what_is_allowed(move):
    with pytest.raises(BotFault, match=f"'mine' at seat 1 played '{move}'.* Allowed: [0-9, ]+"):
        play(HIGH, a_bot(lambda view, events, rng: move))


def test_a_bot_must_return_text():
    with pytest.raises(BotFault, match="must return a move as text, not 7"):
        play(HIGH, a_bot(lambda view, events, rng: 7))


def first_move_only(state, seat):
    return TOY.legal_moves(state, seat)[:1]


def grabbed(state, seat, move, shuffle):
    after = replace_struct(state, points=tuple(int(s == seat) for s in range(4)), rounds=99)
    return Step(after, (RoundWon(seat),), after.points, move)


GRAB = replace(  # all four may act at once, and the first to do so wins
    TOY,
    to_act=lambda state: () if state.rounds else (0, 1, 2, 3),
    legal_moves=lambda state, seat: ("grab", "take"),
    play=grabbed,
)


def test_seats_that_act_at_once_have_equal_chances():
    def winner(seed):
        options, rng = ToyOptions(players=4), Random(seed)
        return play_match(GRAB, options, (RANDOM,) * 4, setups(4), seeded(rng), rng).outcome.winners

    won = Counter(winner(seed) for seed in range(400))
    assert set(won) == {(0,), (1,), (2,), (3,)}
    assert min(won.values()) > 70
    assert [winner(seed) for seed in range(20)] == [winner(seed) for seed in range(20)]


# A match that stops between moves and goes on elsewhere ends as it would have.


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
@pytest.mark.parametrize("every", [1, 7])
def test_the_figures_are_those_of_the_whole(game, every):
    bots = [bot.slug for bot in game.bots if bot.cost == "quick"]
    quick = sorted(bots, key=lambda slug: game.bot(slug).remembers != "nothing")[-2:]
    shorter = {
        "shithead": {"games": 2, "players": 3, "max_turns": 30},
        "pyanitsa": {"max_tricks": 30},
    }
    request = describe(game.slug, values=shorter.get(game.slug), bots=quick, games=3, seed=5)
    part, paused, pauses, asked = Part(1, 2), None, 0, 0

    def stop():
        nonlocal asked
        asked += 1
        return asked % (every + 1) == 0

    while isinstance(found := run_part_until(request, part, stop, paused), PausedPart):
        paused = msgspec.json.decode(msgspec.json.encode(found), type=PausedPart)
        pauses += 1
    assert pauses > 3
    assert msgspec.json.encode(found) == msgspec.json.encode(run_part(request, part))


def test_every_turn_of_a_worker_plays_a_move_at_least():
    request = describe("pisti", games=4)
    paused = run_part_until(request, Part(0, 4), lambda: True)
    assert (paused.done, paused.match.match.plies, paused.figures.matches) == (0, 1, 0)


ROOT = Path(__file__).parents[2]
PARTS = [Part(first, 5) for first in range(0, 60, 5)]


def add_up(factor, part):
    return factor * sum(range(part.first, part.first + part.games))


def refuse(part):
    if part.first == 20:
        raise BotFault("Bot 'mine' played nonsense.")
    return part.first


def say_where(part):
    return os.getpid()


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_part_is_run_once(jobs):
    found = dict(run_parts(partial(add_up, 2), PARTS, jobs))
    assert found == {part: add_up(2, part) for part in PARTS}


def test_one_job_runs_here_and_in_order():
    found = list(run_parts(say_where, PARTS, 1))
    assert [part for part, _ in found] == PARTS
    assert {pid for _, pid in found} == {os.getpid()}


def test_a_fault_in_a_worker_arrives_as_it_was_raised():
    with pytest.raises(BotFault, match="nonsense"):
        list(run_parts(refuse, PARTS, 2))


def processes():
    """Every living process: its id, its parent's id and its command line."""
    listed = subprocess.run(
        ["ps", "-eww", "-o", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = (line.split(None, 3) for line in listed.splitlines())
    return [(int(pid), int(ppid), args) for pid, ppid, stat, args in rows if stat[0] != "Z"]


def workers_of(pid):
    return [own for own, parent, args in processes() if parent == pid and "spawn_main" in args]


PROGRAM = """
from time import sleep
from cardroom.arena.request import Part
from cardroom.arena.request import run_parts
def dawdle(part):
    sleep(0.2)
if __name__ == "__main__":
    list(run_parts(dawdle, [Part(n, 1) for n in range(300)], 2))
"""


def test_workers_do_not_outlive_a_killed_parent(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    parent = subprocess.Popen(
        [sys.executable, str(program)], env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    wait_until(lambda: len(workers_of(parent.pid)) == 2)
    workers = workers_of(parent.pid)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    wait_until(lambda: not set(workers) & {pid for pid, _, _ in processes()})
