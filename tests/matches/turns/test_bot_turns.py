"""Bot turns: a run of moves a commit, owed by the row, lost by nobody."""

import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from time import monotonic, sleep

import pytest
from structlog.testing import capture_logs

from accounts.audit.log import Actor
from cardroom.arena import compiled_code
from cardroom.fast import kernel
from cardroom.rules import catalog
from games import tasks
from games.matches import bot_turns
from games.matches.bot_turns import choose_in_time, strongest_quick
from games.matches.models import Match, Ply
from games.matches.selectors.log import events_remembered, log_entries
from games.matches.snapshot import ALONE_EVERY
from games.operations import refereeing
from tests.matches.scenes import move, now, opened, played, played_to_round
from tests.patience import on_a_busy_machine, wait_until


@pytest.fixture
def heard(monkeypatch):
    """The views and events that bots receive, in order; every bot plays its first legal move."""
    calls = []

    def let(game, remembers):
        def choose(view, events, rng):
            calls.append((view, tuple(events)))
            return view.legal_moves[0]

        changed = tuple(replace(bot, choose=choose, remembers=remembers) for bot in game.bots)
        monkeypatch.setitem(game.__dict__, "bots", changed)
        return calls

    return let


def take(match):
    return bot_turns.play_bot_turns(match_id=match.id, version=match.version)


class TestARun:
    def test_plays_until_a_person_is_to_act(self, ada):
        match = move(opened(ada, "me, bot greedy, bot random", options={"players": 3}))
        assert take(match)
        after = now(match)
        assert (after.version, list(after.to_act), after.bot_due_at) == (3, [0], None)

    def test_a_stale_or_doubled_message_is_dropped(self, ada):
        match = move(opened(ada, "me, bot greedy"))
        assert not bot_turns.play_bot_turns(match_id=match.id, version=0)
        assert now(match) == match
        assert take(match)
        after = now(match)
        assert not take(match)
        assert not take(after)
        assert now(match) == after

    def test_at_most_32_plies_a_commit(self, ada, monkeypatch):
        monkeypatch.setattr(bot_turns, "SECONDS_A_COMMIT", 60)
        match = opened(ada, "bot greedy, bot random")
        assert take(match)
        after = now(match)
        assert after.version == bot_turns.PLIES_A_COMMIT == 32
        assert after.bot_due_at == after.updated_at + ALONE_EVERY
        times = Ply.objects.filter(match_id=match.id, version__gt=0).values_list("at", flat=True)
        assert set(times) == {after.updated_at}

    def test_at_least_one_however_slow(self, ada, monkeypatch):
        monkeypatch.setattr(bot_turns, "SECONDS_A_COMMIT", 0)
        match = opened(ada, "bot greedy, bot random")
        assert take(match)
        assert now(match).version == 1

    def test_across_rounds_to_the_end(self, ada, monkeypatch):
        monkeypatch.setattr(bot_turns, "SECONDS_A_COMMIT", 60)
        match = played(opened(ada, "bot random, bot random", "pazaak"))
        assert match.status == "finished"
        assert [match.bot_due_at, list(match.to_act)] == [None, []]

    def test_who_moved_meanwhile_wins(self, ada, monkeypatch):
        match = move(opened(ada, "me, bot greedy"))
        commit = bot_turns.commit_all

        def late(transitions):
            Match.objects.filter(id=match.id).update(version=match.version + 1)
            return commit(transitions)

        monkeypatch.setattr(bot_turns, "commit_all", late)
        assert not take(match)
        assert Ply.objects.filter(match_id=match.id).count() == 2

    def test_the_table_turns_cards_up_by_itself(self, ada):
        rules = {"pace": "auto", "max_tricks": 9}
        match = opened(ada, "me, local", "pyanitsa", options=rules)
        assert match.bot_due_at
        assert take(match)
        assert now(match).status == "finished"


class TestMemory:
    """Of each seat only what that seat saw, as far back as its bot remembers."""

    @pytest.mark.parametrize("remembers", ["round", "match"])
    def test_ends_where_the_match_was_read(self, ada, remembers):
        """A worker that comes late has read the match before others moved on, or rolled back."""
        late = played_to_round(opened(ada), 2)
        late = move(late)
        memory = events_remembered(late, 1, remembers)
        newer = move(move(now(late)))
        assert events_remembered(late, 1, remembers) == memory
        refereeing.roll_back(match_id=late.id, by=Actor.of(ada, "The table froze."), round=1)
        assert events_remembered(late, 1, remembers) == memory
        assert len(events_remembered(newer, 1, remembers)) > len(memory)

    @pytest.mark.parametrize("remembers", ["nothing", "round", "match"])
    def test_is_what_it_asks_for(self, ada, heard, remembers):
        game = catalog.find("pisti")
        calls = heard(game, remembers)
        match = played(opened(ada, "me, bot random, bot random", options={"players": 3}), 50)
        match = match if match.awaits_bot else move(match)
        calls.clear()
        assert take(match)
        happened = [e for entry in log_entries(now(match)) for e in entry.events]
        assert len(calls) == 2
        for view, told in calls:
            seen = tuple(event.seen_by(view.seat) for event in happened)
            opened_at = max(at for at, e in enumerate(seen) if type(e) is game.opening)
            since = {"nothing": len(seen), "round": opened_at, "match": 0}[remembers]
            assert told == seen[since : since + len(told)]
            assert bool(told) == (remembers != "nothing")
            assert not told or type(seen[since + len(told) - 1]) is not game.opening
        if remembers != "nothing":
            assert len(calls[1][1]) > len(calls[0][1])  # what the first did the second saw

    def test_holds_nothing_that_others_were_shown(self, ada, heard):
        calls = heard(catalog.find("shithead"), "match")
        match = opened(ada, "bot lowest, bot lowest", "shithead")
        take(match)
        for view, told in calls:
            for event in told:
                assert event == event.seen_by(view.seat)


def cut_off(logs):
    """The bots; other threads of the process log there too."""
    return [line["bot"] for line in logs if line["event"] == "bot_cut_off"]


class TestABotThatThinksTooLong:
    def test_is_cut_off_by_the_strongest_quick_one(self, ada, monkeypatch):
        game = catalog.find("shithead")
        asked = []

        def search_on(view, events, rng):
            asked.append(view.seat)
            while True:
                rng.random()

        endless = {"searcher": {"choose": search_on, "seconds": 0.05}}
        changed = tuple(replace(bot, **endless.get(bot.slug, {})) for bot in game.bots)
        monkeypatch.setitem(game.__dict__, "bots", changed)
        match = opened(ada, "bot searcher, bot searcher", "shithead")
        began = monotonic()
        with capture_logs() as logs:
            assert take(match)
        assert monotonic() - began < on_a_busy_machine(5)
        assert set(cut_off(logs)) == {"searcher"}
        assert len(asked) == len(cut_off(logs)) == now(match).version
        assert strongest_quick(game).slug == "keeper"

    def test_and_where_all_do_any_legal_move_is_played(self, ada, monkeypatch):
        game = catalog.find("pisti")
        asleep = tuple(replace(bot, choose=lambda *_: sleep(60), seconds=0.02) for bot in game.bots)
        monkeypatch.setitem(game.__dict__, "bots", asleep)
        match = move(opened(ada, "me, bot greedy"))
        with capture_logs() as logs:
            assert take(match)
        assert cut_off(logs) == ["greedy", "counter"]
        assert now(match).version == 2

    def test_the_process_goes_on_without_an_alarm(self, ada):
        take(move(opened(ada, "me, bot greedy")))
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)

    def test_a_thread_that_nobody_can_interrupt_plays_without_a_limit(self, ada):
        game = catalog.find("pisti")
        bot = replace(game.bot("greedy"), seconds=0.01, choose=lambda *_: sleep(0.05) or "7H")
        with ThreadPoolExecutor(1) as thread:
            assert thread.submit(choose_in_time, bot, None, (), None).result() == "7H"


class TestAQuickerForm:
    def test_moves_for_the_bot_that_it_is_a_form_of(self, ada, monkeypatch):
        def form(game, bot):
            return replace(bot, choose=lambda view, *_: view.legal_moves[-1])

        monkeypatch.setattr(bot_turns, "quicker_forms", [form])
        match = move(opened(ada, "me, bot greedy"))
        view = match.rules.view(now(match).state, 1)
        assert take(match)
        assert Ply.objects.get(match=match.id, version=2).move == view.legal_moves[-1]

    def test_is_known_to_the_processes_of_workers_alone(self, monkeypatch):
        assert bot_turns.quicker_forms == []  # as in a web process
        monkeypatch.setattr(tasks, "quicker_forms", forms := [])
        for _ in range(2):
            tasks.use_compiled_searches()
        assert forms == [tasks.quick_if_loaded]

    def test_that_cannot_be_loaded_leaves_the_move_to_the_bot(self, ada, monkeypatch):
        def form(game, bot):
            raise OSError

        monkeypatch.setattr(bot_turns, "quicker_forms", [form])
        match = move(opened(ada, "me, bot greedy"))
        with capture_logs() as logs:
            assert take(match)
        assert [line["event"] for line in logs if "bot" in line] == ["bot_form_failed"]
        assert now(match).version == 2


class TestAFailingBot:
    def test_plays_any_legal_move(self, ada, monkeypatch):
        game = catalog.find("pisti")

        def fail(view, events, rng):
            raise ZeroDivisionError

        broken = tuple(replace(bot, choose=fail) for bot in game.bots)
        monkeypatch.setitem(game.__dict__, "bots", broken)
        match = move(opened(ada, "me, bot greedy"))
        assert take(match)
        assert now(match).version == 2

    @pytest.mark.parametrize("answer", ["nonsense", "", None, 7])
    def test_so_does_one_that_plays_nonsense(self, ada, monkeypatch, answer):
        game = catalog.find("pisti")
        broken = tuple(replace(bot, choose=lambda *_: answer) for bot in game.bots)
        monkeypatch.setitem(game.__dict__, "bots", broken)
        match = move(opened(ada, "me, bot greedy"))
        assert take(match)
        assert now(match).version == 2


# A worker's process has the compiled searches before the first player needs them.


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """A cache folder of its own; what is noted there is taken for compiled, and runs as Python."""
    monkeypatch.setattr(compiled_code, "installed", lambda: True)
    monkeypatch.setattr(kernel, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(kernel, "_loaded", set())
    return lambda slug: (tmp_path / f"{slug}.searches.warm").touch()


@pytest.fixture
def nothing_asked(monkeypatch):
    monkeypatch.setattr(tasks, "_loading", set())
    monkeypatch.setattr(tasks, "_ready", set())
    monkeypatch.setattr(tasks, "PAUSE", 0.01)


def searching(slug):
    """A bot of this game that searches."""
    game = catalog.find(slug)
    return game, next(bot for bot in game.bots if compiled_code.has_search(game, bot))


def test_what_is_compiled_is_loaded_and_nothing_else(compiled):
    assert not compiled_code.load_searches("pazaak")
    compiled("pazaak")
    assert compiled_code.load_searches("pazaak")
    assert not compiled_code.load_searches("pisti")
    assert kernel._loaded == {"pazaak.searches"}


def test_the_first_turn_of_a_bot_that_searches_has_its_game_loaded(compiled, nothing_asked):
    """By the rules it plays meanwhile, also while its form is still being compiled."""
    game, bot = searching("pazaak")
    assert tasks.quick_if_loaded(game, bot) is bot
    assert tasks._loading == {"pazaak"}
    compiled("pazaak")
    wait_until(lambda: tasks._ready)
    assert tasks.quick_if_loaded(game, bot) is not bot
    assert kernel._loaded == {"pazaak.searches"}


def test_a_bot_that_does_not_search_has_nothing_loaded(compiled, nothing_asked, monkeypatch):
    """Nor where kernels are off: a process that needs no compiler imports none."""
    game = catalog.find("pisti")
    assert tasks.quick_if_loaded(game, game.bot("greedy")) == game.bot("greedy")
    monkeypatch.setattr(compiled_code, "installed", lambda: False)
    tasks.quick_if_loaded(*searching_by_rules())
    assert tasks._loading == set()


def searching_by_rules():
    game = catalog.find("pazaak")
    return game, next(bot for bot in game.bots if compiled_code.searches(bot))
