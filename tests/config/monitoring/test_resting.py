"""A worker that rests is not one that is missing: on one machine it is begun when there is work."""

import pytest

from config.host import crew
from config.monitoring import health, installation
from config.tasks.queues import WORKERS

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody():
    health.valkey().flushdb()


def kinds():
    figures = installation._from_valkey()
    return {figure.label[1] for figure in figures if figure.name == "cardroom_workers"}


def test_on_one_machine_who_has_nothing_to_do_may_be_away(settings):
    settings.ONE_MACHINE = True
    assert kinds() == WORKERS.keys() - {*crew.ON_DEMAND}
    health.valkey().rpush("slow", "a task")
    assert "batch" in kinds()


def test_elsewhere_each_kind_has_to_be_there(settings):
    settings.ONE_MACHINE = False
    assert kinds() == WORKERS.keys()
