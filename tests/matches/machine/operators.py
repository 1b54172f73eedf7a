"""Acts of operators on matches: as each role, alone or in a bulk run, also to their own matches."""

from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth.models import Group
from hypothesis import strategies as st
from hypothesis.stateful import rule

from accounts.audit.log import Actor
from accounts.models import User
from config.refusals import Refusal
from games.matches.models import Notice
from games.operations import acts, refereeing
from games.operations.acts import ACTS
from games.operations.models import BulkResult
from games.operations.refereeing import OwnMatter
from tests.matches.machine.model import Model
from tests.matches.machine.tables import NAMES, Stopped, Tables, names, number
from tests.matches.scenes import now

REASON = "The machine asks for it."
GENTLE = [act for act in ACTS if not ACTS[act].is_grave]
OFTEN = [
    *GENTLE,
    *GENTLE,
    "hand-to-bot",
    "give-back",
    "roll-back",
    "roll-back",
    "adjudicate",
    "abort",
]
LOGGED = {"change-deadline", "set-deadline", "clear-deadline"}
ENTRIES = dict.fromkeys(LOGGED, "change_deadline") | {
    "message": "message_players",
    "close": "close_to_spectators",
}


class Operators(Tables):
    @rule(name=names)
    def appoint_or_dismiss(self, name: str) -> None:
        """A player here is a referee, too."""
        user, referees = self.user(name), Group.objects.get(name="referee")
        if user.is_guest:
            return
        user.is_staff = not user.is_staff
        user.save(update_fields=["is_staff"])
        (user.groups.add if user.is_staff else user.groups.remove)(referees)

    def staff(self, who: int) -> Any:
        """Others are not let in by the doors."""
        players = [self.user(name) for name in NAMES]
        operator = [self.user("operator")]
        found = [*operator, *operator, *(one for one in players if one.is_staff and one.is_active)]
        return found[who % len(found)]

    @rule(who=number, slug=st.sampled_from(OFTEN), at=number, value=number, stops=number)
    def act(self, who: int, slug: str, at: int, value: int, stops: int) -> None:
        user, match = self.staff(who), self.match(at)
        values = _values(match, value)
        call = lambda: ACTS[slug].apply(match.id, Actor.of(user, REASON), values)  # noqa: E731
        if stops % 4 == 0 and slug not in ("pay-bot-turn", "verify"):
            self.stop_in_the_middle(call)
            return
        said = self.attempt(call)
        assert isinstance(said, OwnMatter) == self.concerns(user, match)
        if not isinstance(said, Refusal):
            self.acted(slug, match, values, said)

    def stop_in_the_middle(self, call: Any) -> None:
        """All of an act is there or nothing, its entry too."""
        before = self.rows()
        with self.later(), patch.object(Notice.objects, "create", side_effect=Stopped):
            try:
                call()
            except (Refusal, Stopped):
                assert self.rows() == before
            else:
                pytest.fail("The act ended without a word to the players.")

    def concerns(self, user: Any, match: Any) -> bool:
        """They sit or are invited in it, or where the same cards are played."""
        near = [match, *self.family(match)]
        return any(user.pk == (s.user_id or s.invited_id) for one in near for s in one.seats)

    @rule(
        who=number,
        slug=st.sampled_from([slug for slug, act in ACTS.items() if act.bulk and slug != "abort"]),
        value=number,
        dismissed=st.booleans(),
    )
    def act_in_bulk(self, who: int, slug: str, value: int, dismissed: bool) -> None:
        """By somebody whose role may be gone when the worker comes to it, and who comes twice."""
        user, before = self.staff(who), self.matches()
        values, dismissed = _values(before[0], value), dismissed and not user.is_superuser
        with self.later():
            run = acts.draft(act=slug, match_ids=[match.id for match in before], user=user)
            acts.confirm(run_id=run.id, user=user, reason=REASON, values=values)
            self.noted("draft_bulk_run", run.pk)
            self.noted("start_bulk_run", run.pk)
            if dismissed:
                user.groups.clear()
                User.objects.filter(pk=user.pk).update(is_staff=False)
            acts.work_off(run.id)
            acts.work_off(run.id)
        results = {one.match_id: one for one in BulkResult.objects.filter(run=run)}
        for match in before:
            one = results.pop(match.id)
            assert not (one.succeeded and (dismissed or self.concerns(user, match)))
            if one.succeeded:
                self.acted(slug, match, values, one.said)
        assert not results

    def acted(self, slug: str, before: Any, values: dict[str, Any], said: str) -> None:
        self.noted(ENTRIES.get(slug, slug.replace("-", "_")), before.id)
        assert not said.startswith(refereeing.FAULTS)
        if slug in _ACTED:
            _ACTED[slug](self.models[before.id], before, now(before), values)


Values = dict[str, Any]


def _values(match: Any, value: int) -> Values:
    """Values for the fields of the forms of all acts."""
    return {
        "seat": value % len(match.seats),
        "winner": value % len(match.seats),
        "round": 1 + value % max(1, match.round),
        "bot": "",
        "minutes": 1 + value,
        "text": "Please go on.",
    }


def _handed(model: Model, before: Any, after: Any, values: Values) -> None:
    model.handed[values["seat"]], model.rated = False, False


def _given_back(model: Model, before: Any, after: Any, values: Values) -> None:
    del model.handed[values["seat"]]


def _rolled_back(model: Model, before: Any, after: Any, values: Values) -> None:
    """A person who has resigned since plays again, or a bot does if they may not."""
    assert (after.version, after.round) == (before.version + 1, values["round"])
    model.rated = False
    again = [seat for seat in before.seats if seat.resigned_at and not seat.stand_in]
    people = User.objects.filter(is_active=False).values_list("pk", flat=True)
    absent = [seat.index for seat in again if seat.user_id in people]
    model.handed |= dict.fromkeys((s for s in absent if not after.seats[s].resigned_at), False)


def _decided(model: Model, before: Any, after: Any, values: Values) -> None:
    assert values["winner"] in after.outcome.winners
    assert after.status == "finished"


def _called_off(model: Model, before: Any, after: Any, values: Values) -> None:
    assert after.status == "aborted"


def _extended(model: Model, before: Any, after: Any, values: Values) -> None:
    assert after.deadline_at > before.deadline_at


def _limited(model: Model, before: Any, after: Any, values: Values) -> None:
    assert before.deadline_at is None
    assert after.deadline_at is not None


def _unlimited(model: Model, before: Any, after: Any, values: Values) -> None:
    assert after.deadline_at is None


def _closed(model: Model, before: Any, after: Any, values: Values) -> None:
    assert after.visibility == "private"


_ACTED = {
    "hand-to-bot": _handed,
    "give-back": _given_back,
    "roll-back": _rolled_back,
    "adjudicate": _decided,
    "abort": _called_off,
    "change-deadline": _extended,
    "set-deadline": _limited,
    "clear-deadline": _unlimited,
    "close": _closed,
}
