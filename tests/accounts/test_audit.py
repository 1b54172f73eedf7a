"""The audit log cannot be rewritten, not by code and not by SQL."""

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.audit.models import Entry

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "statement", ["UPDATE audit_entry SET reason = ''", "DELETE FROM audit_entry"]
)
def test_nobody_rewrites_it(ada, statement):
    log.record(Actor.of(ada, "A reason."), "abort", "match", "1", "Pişti")
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        connection.cursor().execute(statement)
    assert Entry.objects.get().reason == "A reason."
