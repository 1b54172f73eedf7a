"""The settings of Postgres and Valkey follow from what a machine has, its cgroup's limits first."""

import environ
import psycopg
import pytest
import redis

from config.host import embedded, sizes
from config.host.sizes import Machine
from config.settings.limits import wait_seconds
from tests.config import compose
from tests.patience import WAITING

SIZES = [  # memory, cores: web processes, connections, caches, WAL, memory of a sort, the broker's
    (512, 1, 1, "60", "32MB", "256MB", "2MB", "64mb"),
    (1024, 1, 1, "60", "64MB", "512MB", "4MB", "128mb"),
    (1024, 4, 2, "130", "64MB", "512MB", "4MB", "128mb"),
    (2048, 2, 2, "100", "128MB", "1024MB", "8MB", "256mb"),
    (4096, 2, 2, "100", "256MB", "2048MB", "16MB", "512mb"),
    (32768, 16, 8, "430", "1024MB", "2048MB", "32MB", "2048mb"),
]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]} MB, {size[1]} cores")
def test_settings_by_size(size):
    memory, cores, *expected = size
    here = Machine(memory, cores)
    names = ("max_connections", "shared_buffers", "max_wal_size", "work_mem")
    found = sizes.postgres(here)
    assert [
        sizes.web_processes(here, one_machine=True),
        *(found[name] for name in names),
        sizes.valkey(here)["maxmemory"],
    ] == expected
    assert sizes.valkey(here)["maxmemory-policy"] == "noeviction"


def test_each_process_finds_a_connection():
    for cores in (1, 2, 4, 8, 32, 64):
        here = Machine(1024 * cores, cores)
        web = sizes.web_processes(here, one_machine=True) * (8 + 8)  # threads, and beside them
        assert int(sizes.postgres(here)["max_connections"]) >= web + 3 * cores + 20


def a_root(folder, groups="", limits=()):
    """A host of 16 GB, as its files say it."""
    (folder / "proc/self").mkdir(parents=True)
    (folder / "proc/meminfo").write_text("MemTotal:       16777216 kB\nMemFree: 1 kB\n")
    (folder / "proc/self/cgroup").write_text(groups)
    for name, text in limits:
        file = folder / "sys/fs/cgroup" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


@pytest.mark.parametrize(
    ("groups", "limits", "expected"),
    [
        ("", (), Machine(16384, 8)),
        ("0::/a/b\n", [("a/memory.max", f"{2**30}\n"), ("a/b/memory.max", "max\n")], (1024, 8)),
        ("0::/a\n", [("a/cpu.max", "150000 100000\n"), ("a/memory.max", "max")], (16384, 2)),
        ("0::/of/the/host\n", [("memory.max", f"{2**29}"), ("cpu.max", "max 100000")], (512, 8)),
        (
            "4:memory:/a\n1:cpu,cpuacct:/a\n0::/\n",
            [
                ("memory/a/memory.limit_in_bytes", f"{2**31}"),
                ("memory/memory.limit_in_bytes", "9223372036854771712"),
                ("cpu/a/cpu.cfs_quota_us", "100000"),
                ("cpu/a/cpu.cfs_period_us", "100000"),
                ("cpu/cpu.cfs_quota_us", "-1"),
            ],
            (2048, 1),
        ),
    ],
    ids=["none", "memory of a parent", "a core and a half", "in a container", "first version"],
)
def test_limits_of_the_cgroup_count(tmp_path, monkeypatch, groups, limits, expected):
    monkeypatch.setattr(sizes.os, "sched_getaffinity", lambda _: range(8))
    assert sizes.machine(a_root(tmp_path, groups, limits)) == expected


@pytest.mark.parametrize(("named", "memory"), [("1024", 1024), ("99999", 16384), ("much", 16384)])
def test_an_operator_may_name_less_memory(tmp_path, monkeypatch, named, memory):
    monkeypatch.setenv("MEMORY_MB", named)
    assert sizes.machine(a_root(tmp_path)).memory == memory


@WAITING
def test_own_servers_run_with_them(state, monkeypatch):
    monkeypatch.setenv("MEMORY_MB", "1024")
    with psycopg.connect(embedded.ensure(state).database_url) as connection:
        told = dict(connection.execute("SELECT name, setting FROM pg_settings").fetchall())
    assert (told["shared_buffers"], told["jit"], told["autovacuum"]) == ("8192", "off", "on")
    broker = redis.Redis.from_url(embedded.valkey_url(state))
    assert broker.config_get("maxmemory") == {"maxmemory": str(128 * 2**20)}


def test_compose_takes_each_variable_and_means_a_host_of_eight_gigabytes():
    text = (compose.ROOT / "docker/compose.yml").read_text()
    found = sizes.containers(Machine(8192, 2))
    assert found.pop("WEB_PROCESSES") == "2"
    assert "    WEB_PROCESSES:\n" in text
    assert [name for name, value in found.items() if f"${{{name}:-{value}}}" not in text] == []


@pytest.mark.parametrize(("cores", "seconds"), [(1, 10.0), (2, 4.5)])
def test_on_one_core_a_request_waits_longer(monkeypatch, cores, seconds):
    """There a burst of sixty people takes some seconds, and 18 of them were refused."""
    monkeypatch.delenv("WAIT_SECONDS", raising=False)
    monkeypatch.setattr(sizes, "machine", lambda: sizes.Machine(1024, cores))
    assert wait_seconds(environ.Env()) == seconds
