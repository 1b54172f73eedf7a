"""No answer tells a card of a running match that its reader may not know, whatever was loaded.

People open, join, leave, play, load, resign and abort at random; after each step everybody reads
everything. What must stay hidden is computed from the stored rows (``provenance``), not by the
service's own judgement. ``make soak`` runs many more and longer of these.
"""

from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar
from uuid import UUID

import msgspec
import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from cardroom.rules import catalog
from games.admin import refereeing
from games.matches import bot_turns, joining, loading, models
from games.matches.models import Round
from games.matches.selectors import log, secrecy
from games.matches.selectors.access import get_match
from games.matches.selectors.log import LogEntry, plain_event
from tests.api.calls import get, post, wishes
from tests.chaos.leaks import leaks
from tests.matches import scenes
from tests.matches.scenes import opened
from tests.rules.playing import FUZZING
from tests.security.provenance import Cells, Stored, stored

EXAMPLES, STEPS = (FUZZING // 4, 24) if FUZZING else (1, 8)
KINDS = {
    "two": ["me, open", "me, user ben"],
    "alone": ["me, bot random", "me, local Twin"],
}
names = st.sampled_from(["ada", "ben", "cleo"])
which = st.integers(0, 9)


class Readers(msgspec.Struct):
    """Everybody who reads: programs by name (``""``: a stranger's) and the operator's browser."""

    users: dict[str, UUID]
    programs: dict[str, Any]
    viewer: Client

    def __iter__(self):
        return iter(self.programs.items())


class RunningMatches(RuleBasedStateMachine):
    game: ClassVar[Any]
    readers: ClassVar[Readers]

    def __init__(self):
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.matches: list[str] = []
        self.told: dict[str, Cells] = {name: frozenset() for name, _ in self.readers}
        self.told_before: dict[UUID, dict[str, Cells]] = {}  # a match was there
        self.read: set[tuple[str, UUID]] = set()  # records that were told
        self.shown: dict[Any, Any] = {}  # how a match was when somebody read it
        self.now: dict[UUID, Stored] = {}

    def teardown(self):
        transaction.set_rollback(True)
        self.undone.__exit__(None, None, None)

    # Acts of people

    @initialize(kind=st.sampled_from(sorted(KINDS)), plies=st.integers(0, 12))
    def begin(self, kind, plies):
        self.open(kind, 0)
        if kind == "two":
            self.call("ben", self.matches[0], "join")
        self.play(0, plies, 1)

    @precondition(lambda self: FUZZING and len(self.matches) < 3)
    @rule(kind=st.sampled_from(sorted(KINDS)), seats=st.integers(0, 1))
    def open(self, kind, seats):
        body = {"game": self.game.slug, "seats": wishes(KINDS[kind][seats])}
        self.opened(post(self.readers.programs["ada"], "matches", body))

    @rule(name=names, at=which)
    def join(self, name, at):
        self.call(name, self.match(at), "join")

    @rule(name=names, at=which)
    def leave(self, name, at):
        self.call(name, self.match(at), "leave")

    @rule(name=names, at=which)
    def open_seat(self, name, at):
        """Which was declined."""
        self.call(name, self.match(at), "invite", {"seat": 1, "open": True})

    @rule(at=which, plies=st.integers(1, 8 if not FUZZING else 60), seed=st.integers(0, 99))
    def play(self, at, plies, seed):
        match = get_match(UUID(self.match(at)))
        scenes.played(match, match.version + plies, Random(seed))

    @precondition(lambda self: len(self.matches) < 7)
    @rule(
        name=names,
        at=which,
        cards=st.sampled_from(["same", "reshuffled", "reshuffled"]),
        back=st.sampled_from([0, 0, 1, 3, 10**6]),
        invite=st.booleans(),
    )
    def load(self, name, at, cards, back, invite):
        match = get_match(UUID(self.match(at)))
        body = {"version": max(0, match.version - back), "cards": cards}
        answer = self.call(name, str(match.id), "load", body)
        self.opened(answer)
        if invite and answer.status_code == 201:  # all who were invited come
            for other in self.readers.users:
                if other:
                    self.call(other, answer.json()["id"], "join")

    @rule(name=names, at=which)
    def resign(self, name, at):
        seats = get_match(UUID(self.match(at))).seats_of(self.readers.users[name])
        self.call(name, self.match(at), "resign", {"seat": seats[0]} if seats else {})

    @rule(name=names, at=which)
    def abort(self, name, at):
        self.call(name, self.match(at), "abort")

    @rule(name=names, at=which)
    def rematch(self, name, at):
        self.opened(self.call(name, self.match(at), "rematch"))

    def match(self, at):
        return self.matches[at % len(self.matches)]

    def call(self, name, match, action, body=None):
        answer = post(self.readers.programs[name], f"matches/{match}/{action}", body)
        assert answer.status_code < 500
        return answer

    def opened(self, answer):
        if answer.status_code != 201 or answer.json()["id"] in self.matches:
            return
        match = answer.json()["id"]
        self.matches.append(match)
        everybody = self.told[""]
        self.told_before[UUID(match)] = {n: told | everybody for n, told in self.told.items()}

    # The answers to them

    @invariant()
    def nobody_is_told_what_he_may_not_know(self):
        if not self.matches:
            return
        self.now = stored(self.now)
        for match in self.now.values():
            for name, program in self.readers:
                self.reads(name, program, match)
            self.loads(match)
        for match in self.now.values():
            if match.runs:
                self.judge(match)

    def judge(self, match: Stored):
        before = self.told_before[match.row.id]
        for name, user in self.readers.users.items():
            secret = match.secrets_from(user) - before[name]
            leaks = secret & self.told[name]
            assert not leaks, f"{name or 'anybody'} was told {len(leaks)} cards of {match.row}"

    def loads(self, match: Stored):
        """A person who plays on alone with the same cards comes to know them."""
        if match.loaded and match.loaded["cards"] == "same":
            name = self.name_of(match.row.creator_id)
            self.told[name] |= {cell for deck in match.decks for cell in deck.cells}

    def name_of(self, user):
        return next(name for name, known in self.readers.users.items() if known == user)

    def reads(self, name, program, match: Stored):
        self.sits(name, match)
        self.reads_view(name, program, match)
        key = name, match.row.id
        if match.runs or key in self.read:
            return
        answer = get(program, f"matches/{match.row.id}/record")
        if answer.status_code == 200:
            self.read.add(key)
            self.tells(name, match, answer.content.decode())
        self.operator_reads(match)

    def sits(self, name, match: Stored):
        """On a seat one sees what it brought."""
        seats = match.seats_of(self.readers.users[name])
        self.told[name] |= {cell for seat, cell in match.brought.items() if seat in seats}

    def tells(self, name, match: Stored, text):
        told = [cell for one in self.now.values() for cell in one.told_by(text)]
        self.told[name] |= {*told, *match.brought_told_by(text)}

    def reads_view(self, name, program, match: Stored):
        row = match.row
        if self.shown.get((row.id, name)) == match.names and match.runs:
            return
        self.shown[row.id, name] = match.names
        seats = match.seats_of(self.readers.users[name])
        told = get(program, f"matches/{row.id}").json()
        seat = told["acting_seat"]
        assert seat in seats or (seat is None and not seats)
        view = row.rules.view(match.state, seat) if match.state and row.status != "open" else None
        assert told.pop("view") == _plain(view)
        self.tells(name, match, msgspec.json.encode(told).decode())
        self.reads_events(name, program, match, seat)

    def reads_events(self, name, program, match: Stored, seat):
        path, since = f"matches/{match.row.id}/events", {"after": max(-1, match.row.version - 60)}
        events = get(program, path, since | {"limit": 100}).json()["events"]
        may = [one for ply in match.plies for one in self.events(match, ply, seat)]
        assert [{**one, "move": None} for one in events] == may[len(may) - len(events) :]
        moves = {ply.version: self.move(match, ply, seat) for ply in match.plies}
        if (name, match.row.id) not in self.read and match.runs:
            assert all(one["move"] == moves[one["version"]] for one in events)

    def events(self, match: Stored, ply, seat):
        entry = LogEntry(ply.version, ply.seat, ply.move, (), (), ply.at)
        reader = match.reads_as(seat, ply.version)
        for event in match.events(ply):
            yield _plain(plain_event(entry, "", event.seen_by(reader)))

    def move(self, match: Stored, ply, seat):
        own = ply.seat is not None and ply.seat == match.reads_as(seat, ply.version)
        return (ply.move if own else match.row.rules.public_move(ply.move)) or None

    def operator_reads(self, match: Stored):
        """The operator reads a match that is over; everybody might learn its text."""
        running = tuple(one.row.id for one in self.now.values() if one.runs)
        if self.shown.get(("operator", match.row.id)) == running:
            return
        self.shown["operator", match.row.id] = running
        rows = [match.row, *match.rounds[-1:], *match.plies[:1]]
        for row in rows + (match.seats if match.brought else []):
            page = reverse(f"admin:games_{row._meta.model_name}_change", args=[row.pk])
            text = self.readers.viewer.get(page).content.decode()
            self.tells("", match, text.replace("&quot;", '"'))


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


every_game = pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)


@pytest.fixture
def readers(ada, ben, cleo, guest, keyed, viewer, rates, monkeypatch) -> Readers:
    rates(user="1000000/min", moves="1000000/min")
    made = Random(1)
    monkeypatch.setattr(models, "secrets", SimpleNamespace(token_bytes=made.randbytes))
    monkeypatch.setattr(bot_turns, "SystemRandom", lambda: made, raising=False)
    users = {"ada": ada, "ben": ben, "cleo": cleo, "": guest}
    programs = {name: keyed(user) for name, user in users.items()}
    return Readers({name: user.pk for name, user in users.items()}, programs, viewer)


@every_game
def test_nobody_is_told_a_card_of_a_running_match(game, readers):
    run_state_machine_as_test(
        _machine(game, readers),
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            derandomize=not FUZZING,
            deadline=None,
            phases=tuple(Phase) if FUZZING else (Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )


def _machine(game, readers):
    return type("Machine", (RunningMatches,), {"game": game, "readers": readers})


# Every rule of secrecy.py, switched off, is a leak that the same eyes see in the same steps.

PEEK = ("begin", "two", 4), ("load", "ada", 0, "reshuffled", 0, False)
PLAY_ON = ("begin", "two", 4), ("load", "ada", 0, "reshuffled", 0, True)
ALONE = ("begin", "alone", 4), ("load", "ada", 0, "reshuffled", 0, False)
CALLED_OFF = *PEEK, ("leave", "ada", 1)
PARENT_ENDS = *PLAY_ON, ("resign", "ben", 0)
ANOTHER_SITS_DOWN = *PEEK, ("leave", "ben", 1), ("open_seat", "ada", 1), ("join", "cleo", 1)
OPEN_SEATS = *PEEK, ("load", "ada", 1, "same", 0, False)
SAME_WITH_TWO = PEEK[0], ("load", "ada", 0, "same", 0, False)
HALF_TOLD = (*PARENT_ENDS, ("load", "ada", 0, "reshuffled", 1, True), ("resign", "ben", 1))
SAME_ALONE = ALONE[0], ("load", "ada", 0, "same", 0, False)


def _only_ancestors(family, match_id, stakes=secrecy._stakes):
    own = secrecy._line(family, match_id)
    return (stake for stake in stakes(family, match_id) if stake.match in own)


def _all_over(past):
    return not any(match.runs for match in past)


def _not_open_seats(user, people):
    return user is not None and all(person in (None, user) for person in people)


MUTANTS = {
    "records tell all": (CALLED_OFF, secrecy, "_stakes", lambda *_: iter(())),
    "the operator reads all": (CALLED_OFF, refereeing, "may_be_shown", lambda _: True),
    "only ancestors count": (PARENT_ENDS, secrecy, "_stakes", _only_ancestors),
    "no deck is in use": (PARENT_ENDS, secrecy, "_still_in_use", lambda *_: False),
    "all lay open before": (PARENT_ENDS, secrecy, "_was_revealed", lambda *_: True),
    "what is over is told": (
        HALF_TOLD,
        secrecy,
        "_past_was_revealed",
        lambda _, past: _all_over(past),
    ),
    "rated or not": (
        (*ALONE, ("resign", "ada", 1)),
        secrecy.Stake,
        "may_know",
        lambda stake, reader: secrecy.is_only(reader, stake.match.people),
    ),
    "open seats are nobody's": (OPEN_SEATS, secrecy, "is_only", _not_open_seats),
    "anybody may sit down": (ANOTHER_SITS_DOWN, joining, "may_sit", lambda *_: True),
    "a past is the seat's": (PLAY_ON, log, "reading_seat", lambda _match, _version, seat: seat),
    "peeking is rated": (SAME_ALONE, loading, "uses_decks_of", lambda *_: False),
    "two may play on": (SAME_WITH_TWO, loading, "is_only_person", lambda *_: True),
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", MUTANTS)
def test_a_rule_that_is_switched_off_would_be_noticed(name, readers, monkeypatch):
    steps, place, rule_, mutant = MUTANTS[name]
    game = next(game for game in catalog.GAMES if game.needs_side_deck == (place is joining))
    played_by(_machine(game, readers), steps)
    monkeypatch.setattr(place, rule_, mutant)
    with pytest.raises(AssertionError):
        played_by(_machine(game, readers), steps)


def test_a_load_from_a_match_that_is_over_but_not_told_keeps_its_cards(readers):
    played_by(_machine(catalog.GAMES[0], readers), HALF_TOLD)


def played_by(machine, steps):
    playing = machine()
    try:
        for name, *args in steps:
            getattr(playing, name)(*args)
            playing.nobody_is_told_what_he_may_not_know()
    finally:
        playing.teardown()


# The search for secrets at the end of a siege (`make chaos`) can fail.

KEY = "the key of a player"


@pytest.fixture
def match(ada):
    return opened(ada, "me, bot greedy")


@pytest.fixture
def found_in(tmp_path, match):
    log = tmp_path / "web.log"

    def find(text):
        log.write_text(f"request match={match.id} ms=3.2 {text}\n")
        return leaks([log], connection.connection, [KEY])

    return find


def test_an_ordinary_line_holds_no_secret(found_in):
    assert found_in("status=201 version=7 sizes=[12, 7] 10C") == []


@pytest.mark.parametrize("shape", [bytes.hex, repr])
def test_a_seed_is_found(found_in, match, shape):
    assert found_in(shape(bytes(match.seed)))


def test_a_key_is_found(found_in):
    assert found_in(KEY) == [f"web.log: {KEY}"]


def test_a_state_is_found(found_in, match):
    state = bytes(Round.objects.get(match_id=match.id).opening_state).decode()
    assert found_in(state)
    assert found_in(state.replace('"', "'").replace(",", ", "))


def test_a_row_of_cards_is_found(found_in):
    assert found_in("holds 7H, 10D, KS, 2C")
