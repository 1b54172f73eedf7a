"""Terms are declared once: a call's body is what its service takes, and a form has its bounds."""

from typing import get_type_hints

import msgspec
import pytest

from games.api import lobby, tournaments
from games.competitions.taking_part import NewTournament, create_tournament
from games.lobby.challenges import NewChallenge, send_challenge
from games.lobby.seeking import seek
from games.matches.time_bank import ClockTerms
from games.web.tournaments import TournamentForm


@pytest.mark.parametrize(
    ("call", "service"),
    [
        (lobby.create_seek, seek),
        (lobby.create_challenge, send_challenge),
        (tournaments.create_tournament, create_tournament),
    ],
)
def test_the_service_takes_the_body(call, service):
    assert get_type_hints(call)["body"] in get_type_hints(service).values()


@pytest.mark.parametrize("name", ["most", "fill_to", "rounds", "minutes", "pairs"])
def test_a_form_has_the_bounds_of_the_body(name):
    field = TournamentForm().fields[name]
    for value in (field.min_value, field.max_value):
        msgspec.convert({"name": "Cup", "game": "pisti", name: value}, NewTournament)
    for value in (field.min_value - 1, field.max_value + 1):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"name": "Cup", "game": "pisti", name: value}, NewTournament)


def test_the_same_terms_have_the_digest_that_an_earlier_release_stored():
    terms = NewChallenge("pisti", "ben", options={"b": 1, "a": 2}, clock=ClockTerms(300, 3))
    again = NewChallenge("pisti", "ben", options={"a": 2, "b": 1}, clock=ClockTerms(300, 3))
    assert terms.digest == again.digest
    assert NewChallenge("pisti", bot="greedy", pace="blitz").digest.startswith("df1a8d3c")
