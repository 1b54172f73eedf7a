"""The search for secrets at the end of a siege (`make chaos`) can fail."""

import pytest
from django.db import connection

from games.matches.models import Round
from tests.chaos.leaks import leaks
from tests.matches.scenes import opened

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
