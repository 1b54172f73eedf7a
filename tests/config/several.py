"""Several servers on ports of this machine: a Postgres with standbys, Valkeys, Sentinels."""

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

import psycopg
import redis

from config.host.embedded import processes
from config.host.supervisor import end_with_parent
from tests.bench.accounting import tree
from tests.patience import wait_until
from tests.served import free_port

HERE = "127.0.0.1"
STATE = Path(__file__).resolve().parents[2] / "var" / "test"  # the suite's, whose programs are used
CARELESS = "fsync=off synchronous_commit=on full_page_writes=off shared_buffers=32MB"


class Servers:
    """Processes in folders of their own, all of which end with this one."""

    def __init__(self):
        self.place = processes.home(STATE)
        self.folder = Path(tempfile.mkdtemp(prefix="several-"))
        self._give(self.folder)
        self.running = {}

    def _give(self, path):
        if self.place.owner.dropped:
            shutil.chown(path, self.place.owner.uid, self.place.owner.gid)

    def start(self, port, *command, **environment):
        parent = os.getpid()
        with (self.folder / f"{port}.log").open("ab") as log:
            self.running[port] = subprocess.Popen(
                [str(part) for part in command],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=self.folder,
                env=processes.environment() | environment, **self.place.owner.popen,
                preexec_fn=lambda: end_with_parent(parent),  # noqa: PLW1509 - it calls the kernel only
            )  # fmt: skip

    def kill(self, port, number=signal.SIGKILL):
        """One server with all its processes, as when its machine goes."""
        for process in list(tree(self.running[port].pid)):
            with suppress(ProcessLookupError):
                os.kill(process.pid, number)
        if number == signal.SIGKILL:
            self.running.pop(port).wait(10)

    def end(self):
        for port in list(self.running):
            self.kill(port)
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgreses(Servers):
    """The first port is the primary's; ``standby`` makes another server that follows it."""

    user = "cardroom"

    def __init__(self):
        super().__init__()
        self.programs = processes.postgres_bin(self.place)
        self.ports = [free_port()]
        data = self.folder / str(self.ports[0])
        self._run("initdb", "-D", data, "-U", self.user, "-E", "UTF8", "--no-sync", "-A", "trust")
        self._serve(self.ports[0])

    def standby(self):
        port = free_port()
        self._run(
            "pg_basebackup", "-h", HERE, "-p", self.ports[0], "-U", self.user, "-R", "--no-sync",
            "-c", "fast", "-X", "stream", "-D", self.folder / str(port),
        )  # fmt: skip
        self.ports.append(port)
        self._serve(port)
        return port

    def promote(self, port):
        self.connect(port).execute("SELECT pg_promote()")

    def connect(self, port, name="postgres"):
        return psycopg.connect(
            host=HERE, port=port, user=self.user, dbname=name, autocommit=True, connect_timeout=5
        )

    def url(self, *ports, name="postgres"):
        hosts = ",".join(f"{HERE}:{port}" for port in ports or self.ports)
        return f"postgres://{self.user}@{hosts}/{name}"

    def _run(self, program, *words):
        command = [self.programs / program, *map(str, words)]
        processes.run(command, cwd=self.folder, popen=self.place.owner.popen)

    def _serve(self, port):
        settings = f"port={port} listen_addresses={HERE} unix_socket_directories= {CARELESS}"
        more = "wal_level=replica max_wal_senders=10 hot_standby=on max_connections=60"
        more += " wal_keep_size=256MB max_standby_streaming_delay=500ms"  # of a busy machine
        words = [word for pair in f"{settings} {more}".split() for word in ("-c", pair)]
        self.start(port, self.programs / "postgres", "-D", self.folder / str(port), *words)
        wait_until(lambda: self._answers(port), 60)

    def _answers(self, port):
        with suppress(psycopg.OperationalError):
            self.connect(port).close()
            return True


class Valkeys(Servers):
    """Two servers and three Sentinels, which know the first as the primary ``cards``."""

    password = "s3cret-word"
    service = "cards"

    def __init__(self):
        super().__init__()
        self.program = processes.valkey_server(self.place)
        self.ports = [free_port() for _ in range(2)]
        self.sentinels = [free_port() for _ in range(3)]
        for port in self.ports:
            self._serve(port, "--requirepass", self.password, "--masterauth", self.password)
        self.server(self.ports[1]).replicaof(HERE, self.ports[0])
        wait_until(lambda: self.server(self.ports[1]).info()["master_link_status"] == "up", 30)
        for port in self.sentinels:
            file = self.folder / f"{port}.conf"
            file.write_text(
                f"port {port}\nbind {HERE}\nsentinel monitor cards {HERE} {self.ports[0]} 2\n"
                f"sentinel auth-pass cards {self.password}\n"
                "sentinel down-after-milliseconds cards 1000\n"
                "sentinel failover-timeout cards 3000\n"
            )
            self._give(file)
            self.start(port, self.program, file, "--sentinel")
        wait_until(lambda: all(self._knows_all(port) for port in self.sentinels), 60)

    @property
    def url(self):
        hosts = ",".join(f"{HERE}:{port}" for port in self.sentinels)
        return f"valkey+sentinel://:{self.password}@{hosts}/{self.service}/3"

    def again(self, port):
        """A server that was killed, with its Sentinels' leave: they tell it whom to follow."""
        self._serve(port, "--requirepass", self.password, "--masterauth", self.password)

    def server(self, port):
        return redis.Redis(HERE, port, password=self.password)

    def primary(self):
        """Its port, as the first Sentinel that answers tells it."""
        for port in self.sentinels:
            with suppress(redis.RedisError):
                return redis.Redis(HERE, port).sentinel_get_master_addr_by_name(self.service)[1]
        return None

    def _knows_all(self, port):
        with suppress(redis.RedisError):
            found = redis.Redis(HERE, port).sentinel_master(self.service)
            return found["num-other-sentinels"] == 2 and found["num-slaves"] == 1

    def _serve(self, port, *words):
        self.start(port, self.program, "--port", port, "--bind", HERE, "--save", "", *words)
        wait_until(lambda: self._pings(port), 30)

    def _pings(self, port):
        with suppress(redis.RedisError):
            return self.server(port).ping()
