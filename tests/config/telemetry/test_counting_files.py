"""Processes count in files of a folder only where one is named."""

from pathlib import Path

import pytest

from tests.config.forked import forked

ROOT = Path(__file__).resolve().parents[3]
COUNT = """
from config.telemetry import metrics
metrics.refused("not_found")
print(metrics.ValueClass.__name__)
"""


NAMES = ("PROMETHEUS_MULTIPROC_DIR", "prometheus_multiproc_dir")


EXPORTER = "import django; django.setup(); import config.monitoring.exporter"


@pytest.mark.parametrize("first", ["", EXPORTER], ids=["metrics first", "exporter first"])
def test_an_empty_name_is_none(tmp_path, first):
    """The library would count in files of the working directory, for either of the two."""
    assert counted(tmp_path, dict.fromkeys(NAMES, ""), first) == "MutexValue"
    assert list(tmp_path.iterdir()) == []


def test_a_named_folder_is_used(tmp_path):
    folder = tmp_path / "counts"
    folder.mkdir()
    assert counted(tmp_path, {"PROMETHEUS_MULTIPROC_DIR": str(folder)}) == "MmapedValue"
    assert list(folder.glob("counter_*.db"))
    assert list(tmp_path.glob("*.db")) == []


def test_a_heartbeat_of_a_worker_is_a_sign_of_life_of_its_container(tmp_path):
    code = "import config.processes.worker as w; w.heartbeat_sent.send(sender=None)"
    counted(
        tmp_path, {"ALIVE_FILE": str(tmp_path / "alive")}, f"import django; django.setup(); {code}"
    )
    assert (tmp_path / "alive").exists()


def counted(where, environment, first=""):
    """The kind of counters that a process there uses."""
    code = f"{first}\n{COUNT}"
    servers = {"DATABASE_URL": "postgres://x/y", "VALKEY_URL": "redis://x", "ALLOWED_HOSTS": "x"}
    known = {"DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "k" * 50}
    code = f"import os; os.chdir({str(where)!r})\n{code}"
    done = forked(code, known | servers | environment, "prometheus_client")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
