"""Values in the statement itself: a prepared plan may use an index with a condition on them."""

import re

import pytest
from django.db import connection

from config.postgres.arrays import literal
from games.matches.models import Match


@pytest.mark.parametrize("text", ["", "open'", "a b", "OPEN", "1"])
def test_they_are_names_of_ours(text):
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        literal(text)


def test_a_plan_without_parameters_uses_the_index(db):
    matches = Match.objects.filter(status=literal("open")).order_by("-id")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert "match_open" in matches.explain()
