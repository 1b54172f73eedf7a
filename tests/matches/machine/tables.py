"""The matches of the machine, the people, the clock, and what must hold after every step."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from random import Random
from typing import Any, ClassVar

import time_machine
from django.db import transaction
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant

from accounts.audit.log import Actor
from accounts.audit.models import Entry
from accounts.models import User
from cardroom.rules import record
from config.refusals import Refusal
from games.matches.models import ArchivedMatch, Match, Ply, Round, Seat
from games.matches.records import of as record_of
from games.matches.refusals import ParentStillRunning
from games.matches.selectors.access import get_match
from games.matches.selectors.log import log_entries
from games.matches.verification import faults
from tests.matches.machine.model import Model
from tests.matches.machine.secrets import decks_in_use, may_know, written_for_people
from tests.security.test_suspension_races import waited_for

NAMES = ("ada", "ben", "cleo")
READERS = ("", *NAMES)  # "": anybody
MOST = 5  # matches
SECONDS = 60

number = st.integers(0, 99)
names = st.sampled_from(NAMES)


class Stopped(BaseException):
    """The process ends here."""


class Tables(RuleBasedStateMachine):
    """``closed`` are those who may not play now; ``stopped`` is whose matches are not left yet."""

    game: ClassVar[Any]
    accounts: ClassVar[dict[str, Any]]  # the people's, and the operator's, by name
    chance: ClassVar[Random]

    def __init__(self) -> None:
        super().__init__()
        self.undone = transaction.atomic()
        self.undone._from_testcase = True  # what is durable is so inside of it
        self.undone.__enter__()
        self.clock = timezone.now()
        self.chance.seed(1)
        self.ids: dict[str, Any] = dict(self.accounts)
        self.models: dict[Any, Model] = {}
        self.closed: set[str] = set()
        self.gone: list[Any] = []  # accounts that were erased
        self.stopped = ""
        self.acts: Counter[tuple[str, str]] = Counter()
        self.told: dict[str, frozenset[str]] = dict.fromkeys(READERS, frozenset())

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.undone.__exit__(None, None, None)

    # The clock, the matches and the people

    @contextmanager
    def later(self, seconds: float = 1) -> Iterator[None]:
        self.clock += timedelta(seconds=seconds)
        with time_machine.travel(self.clock, tick=False):
            yield

    def attempt(self, call: Callable[[], Any]) -> Any:
        """The result of the call, or the refusal, which has changed nothing."""
        before = self.rows()
        with self.later():
            try:
                return call()
            except Refusal as refusal:
                assert self.rows() == before
                return refusal

    def did(self, call: Callable[[], Any]) -> bool:
        return not isinstance(self.attempt(call), Refusal)

    def rows(self) -> list[Any]:
        tables = Match, Seat, Entry, Ply, Round, ArchivedMatch
        counts = [table.objects.count() for table in tables]
        return [
            *Match.objects.order_by("id").values(),
            *Seat.objects.order_by("id").values(),
            *counts,
        ]

    def add(self, match: Any, parent: Any = None) -> Any:
        """A match that was opened now, if it is a new one."""
        if match.id not in self.models:
            model = Model(match, self.models[parent].family if parent else match.id)
            model.told_before = {name: told | self.told[""] for name, told in self.told.items()}
            self.models[match.id] = model
        return match

    def match(self, at: int) -> Any:
        """Those that run come first."""
        found = self.matches()
        running = [match for match in found if match.status == "active"]
        chosen = running if running and at % 4 else found
        return chosen[at % len(chosen)]

    def one_of(self, at: int, *states: str) -> Any:
        found = [match for match in self.matches() if match.status in states]
        return found[at % len(found)] if found else None

    def matches(self) -> list[Any]:
        return [get_match(match_id) for match_id in self.models]

    def family(self, match: Any) -> list[Any]:
        """The running matches that were loaded from each other, this one among them."""
        root = self.models[match.id].family
        return [one for one in self.matches() if self.models[one.id].family == root and is_on(one)]

    def user(self, name: str) -> Any:
        return User.objects.get(pk=self.ids[name])

    def name_of(self, user_id: Any) -> str:
        return next((name for name, known in self.ids.items() if known == user_id), "")

    @property
    def operator(self) -> Actor:
        return Actor.of(self.user("operator"), "The machine asks for it.")

    def noted(self, action: str, subject: Any) -> None:
        """The audit log must have one more entry."""
        self.acts[action, str(subject)] += 1

    # Invariants

    @invariant()
    def every_match_is_what_its_model_says(self) -> None:
        for match in self.matches():
            model = self.models[match.id]
            model.follow(match)
            assert match.version == model.version
            assert (match.state if match.state_json else None) == model.state
            assert match.rated == model.rated
            assert ArchivedMatch.objects.filter(match=match.id).exists() == model.folded
            if match.status == "active":
                _check_running(match, model)

    @invariant()
    def every_match_verifies(self) -> None:
        for match in self.matches():
            found = list(faults(match))
            assert not found, (match, found)
            if match.state_json is not None:
                assert [one.version for one in log_entries(match)] == [*range(match.version + 1)]

    @invariant()
    def nobody_is_told_cards_that_are_in_use(self) -> None:
        found = self.matches()
        for match in found:
            if match.is_over:
                self._read_record(match)
        told = written_for_people()
        for match in filter(is_on, found):
            decks = decks_in_use(match)
            assert not any(secret in told for secret in (match.seed.hex(), *decks)), match
            for name in READERS:
                before = self.models[match.id].told_before[name]
                if not may_know(match, self.ids.get(name)):
                    assert not decks & self.told[name] - before, (name, match)

    def _read_record(self, match: Any) -> None:
        for name in READERS:
            try:
                found = record_of(match, self.ids.get(name))
            except ParentStillRunning:
                assert self.family(match)
                continue
            assert record.verify(found) is None
            self.told[name] |= {deck for one in found.rounds for deck in one.shuffles}
            running = [one.seed.hex() for one in self.matches() if is_on(one)]
            assert not any(seed in record.write(found).decode() for seed in running)

    @invariant()
    def nobody_waits_for_who_may_not_play(self) -> None:
        if self.stopped:
            return
        for account in [*map(self.ids.get, self.closed), *self.gone]:
            assert waited_for(User.objects.get(pk=account)) == []

    @invariant()
    def each_act_has_one_entry(self) -> None:
        found = Counter(Entry.objects.values_list("action", "subject_id"))
        assert found == self.acts


def is_on(match: Any) -> bool:
    return match.status in ("open", "active")


def _check_running(match: Any, model: Model) -> None:
    assert tuple(match.to_act) == match.rules.to_act(match.state)
    handed = {seat.index: seat.handed_by_clock for seat in match.seats if seat.stand_in}
    assert handed == model.handed
    assert bool(match.bot_due_at) == match.awaits_bot
    at_the_table = [seat.user_id for seat in match.seats if seat.kind == "user"]
    assert len(at_the_table) == len(set(at_the_table))
