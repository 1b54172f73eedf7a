"""Processes that are forked after the imports share nothing that must be their own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from tests.patience import PATIENCE, WAITING

pytestmark = [pytest.mark.django_db, WAITING]


@pytest.fixture(scope="module")
def found(tmp_path_factory, django_db_setup, django_db_blocker):
    """Of one preloader and three processes forked from it."""
    with django_db_blocker.unblock():
        name, host = connection.settings_dict["NAME"], connection.settings_dict["HOST"]
    counts = tmp_path_factory.mktemp("counts")
    environment = os.environ | {
        "DATABASE_URL": f"postgres://cardroom@{host.replace('/', '%2F')}/{name}",
        "VALKEY_URL": settings.VALKEY_URL,
        "PROMETHEUS_MULTIPROC_DIR": str(counts),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "-m", "tests.config.host.forking", str(tmp_path_factory.mktemp("f"))]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_the_preloader_has_one_thread_and_no_connection(found):
    """A lock that another thread held would stay locked in every child for ever."""
    for moment in ("preloader", "after"):
        assert found[moment]["threads"] == 1
        assert found[moment]["sockets"] <= 2 + stdio_sockets()  # to its parent, and the bell
        assert not [file for file in found[moment]["files"] if "counts" not in file]


def stdio_sockets():
    """Those that this process was started with, as its output."""
    return sum(str(Path(f"/proc/self/fd/{n}").readlink()).startswith("socket:") for n in range(3))


def test_two_children_never_draw_the_same(found):
    drawn = [child["drawn"] for child in found["children"]]
    for what in drawn[0]:
        assert len({one[what] for one in drawn}) == len(drawn), what


def test_each_child_has_connections_threads_and_counts_of_its_own(found):
    children = found["children"]
    assert len({child["backend"] for child in children}) == len(children)
    assert len({child["client"] for child in children}) == len(children)
    opened = [socket for child in children for socket in child["opened"]]
    assert len(set(opened)) == len(opened) >= 2 * len(children)
    assert {child["threads"] for child in children} == {2}  # the main one, and its pulse
    assert all(child["counts"] for child in children)
    shared = set.intersection(*(set(child["inherited"]) for child in children))
    assert len(shared) <= 1 + stdio_sockets()  # the bell; each has a pulse of its own


def test_each_child_is_one_of_the_parent_which_outlives_the_preloader(found):
    assert found["ours"]
    assert found["outlive it"]
    assert all(child["session"] for child in found["children"])
    assert {child["title"] for child in found["children"]} == {"tests.config.host.forked_child"}


def test_what_runs_on_demand_is_begun_by_a_ring_and_rests_afterwards(found):
    assert not found["begun unasked"]
    assert found["rested"] == [True, True]


def test_nobody_has_loaded_a_compiler(found):
    assert {tuple(child["compilers"]) for child in found["children"]} == {()}


def test_no_child_imports_for_itself_what_all_need(found):
    """Memory loaded after the fork is not shared: migrations alone took eight megabytes."""
    for child in found["children"]:
        assert child["imported"] == []
        assert child["large"] == []


def test_each_child_looks_for_garbage_of_its_own(found):
    """Shared pages stay as they are: a collector would write to each of them."""
    assert {tuple(child["garbage"]) for child in found["children"]} == {(True, True)}


def test_a_machine_has_pages_and_each_kind_of_worker(found):
    kinds = {role.removeprefix("config.processes.").partition(" --")[0] for role in found["roles"]}
    assert {"web", "worker interactive", "worker batch", "worker outward"} <= kinds
