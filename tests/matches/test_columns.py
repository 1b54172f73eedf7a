"""A column is declared once: as a field of the struct that reads or writes it."""

import msgspec
import pytest
from django.db import models

from games.matches.models import Match, Ply, Round, Seat
from games.matches.selectors.log import LogEntry
from games.matches.snapshot import MatchSnapshot, Progress, SeatProgress, SeatSnapshot, columns
from games.matches.transition import NewPly, RoundChange
from tests.matches.scenes import now, opened, played_to_round

OF = {
    Match: (MatchSnapshot, Progress),
    Seat: (SeatSnapshot, SeatProgress),
    Ply: (NewPly, LogEntry),
    Round: (RoundChange,),
}
IN_NO_STRUCT = {
    Match: {
        "answer_by",  # of a challenge, until it is answered
        "past_was_told",  # of its family, which is read at its end
        "rated_wish",  # of its host, asked until it begins; then ``rated`` says it
    },
    Seat: {"id", "match_id", "came"},  # the last one is read by tournaments alone
    Ply: {"id", "match_id"},
    Round: {
        "id",
        "match_id",
        "opened_at",
        "closed_at",
        "undone_at",
        "reopened",
    },  # the time of the commit
}


def of_model(model: type[models.Model]) -> set[str]:
    return {field.column for field in model._meta.concrete_fields}


@pytest.mark.parametrize(
    ("model", "struct"), [(model, struct) for model, structs in OF.items() for struct in structs]
)
def test_every_field_is_a_column(model, struct):
    assert set(columns(struct)) <= of_model(model)


@pytest.mark.parametrize("model", OF)
def test_a_column_that_no_struct_has_is_listed(model):
    declared = {column for struct in OF[model] for column in columns(struct)}
    assert of_model(model) - declared == IN_NO_STRUCT[model]


def test_what_is_written_is_what_is_read(ada):
    match = played_to_round(opened(ada, turn_seconds=10), 2)
    assert match == now(match)


def test_the_next_snapshot_keeps_what_is_decoded(ada):
    match = opened(ada)
    progress = Progress(*msgspec.structs.astuple(match)[: len(Progress.__struct_fields__)])
    options, state = match.options, match.state
    after = match.advanced(progress, match.seats, state=state)
    assert after == match
    assert after.options is options
    assert after.state is state


def test_a_snapshot_in_a_log_tells_no_secret(ada):
    match = opened(ada)
    assert match.seed.hex() not in repr(match)
    assert str(match.seed) not in repr(match)
    assert str(match.state_json) not in f"{match} {match!r}"
