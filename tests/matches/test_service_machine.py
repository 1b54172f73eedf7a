"""The service against a model of its matches, whatever people, clocks, operators and stops do.

The model plays each log again by the rules alone and knows who holds each seat, who may play and
what the audit log must say (``tests/matches/machine``). After each step the stored matches, the
logs, the verifier, the records and the audit log must agree with it. ``make soak`` runs many and
longer ones.
"""

from random import Random
from types import SimpleNamespace

import pytest
from django.contrib.auth import get_user_model
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from cardroom.rules import catalog
from games.matches import bot_turns, models
from tests.matches.machine.clock import Clock
from tests.matches.machine.players import Players
from tests.matches.machine.standing import Standing
from tests.rules.playing import FUZZING

EXAMPLES, STEPS = (FUZZING // 4, 60) if FUZZING else (4, 24)
BUDGETS = [1, pytest.param(EXAMPLES, marks=pytest.mark.sweep)]  # of make test, of make sweeps


class Service(Players, Clock, Standing):
    """All of it."""


@pytest.fixture
def accounts(ada, ben, cleo):
    operator = get_user_model().objects.create_superuser("Operator")
    people = {"ada": ada, "ben": ben, "cleo": cleo, "operator": operator}
    return {name: user.pk for name, user in people.items()}


@pytest.mark.parametrize("examples", BUDGETS)
@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_the_service_is_what_its_model_says(game, examples, accounts, monkeypatch):
    made = Random(1)
    monkeypatch.setattr(bot_turns, "SystemRandom", lambda: made)
    monkeypatch.setattr(models, "secrets", SimpleNamespace(token_bytes=made.randbytes))
    run_state_machine_as_test(
        type("Machine", (Service,), {"game": game, "accounts": accounts, "chance": made}),
        settings=settings(
            max_examples=examples,
            stateful_step_count=STEPS,
            derandomize=not FUZZING,
            deadline=None,
            phases=tuple(Phase) if FUZZING else (Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )
