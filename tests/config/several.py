"""Several servers on this machine: Postgres with standbys, or under Patroni; Valkeys, Sentinels."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.request import Request, urlopen

import psycopg
import redis
import yaml

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

    def start(self, port, *command, space=None, **environment):
        """``space``: a network namespace, which root alone may enter."""
        parent, owner = os.getpid(), self.place.owner
        if space:
            is_nobody = [f"--reuid={owner.uid}", f"--regid={owner.gid}", "--clear-groups"]
            within = ["setpriv", *is_nobody, "--pdeathsig", "KILL", "--"]
            command = ["ip", "netns", "exec", space, *within, *command]
        with (self.folder / f"{port}.log").open("ab") as log:
            self.running[port] = subprocess.Popen(
                [str(part) for part in command],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=self.folder,
                env=processes.environment() | environment, **({} if space else owner.popen),
                preexec_fn=lambda: end_with_parent(parent),  # noqa: PLW1509 - it calls the kernel only
            )  # fmt: skip

    def kill(self, port, number=signal.SIGKILL):
        """One server with all its processes, as when its machine goes."""
        for process in list(tree(self.running[port].pid)):
            with suppress(ProcessLookupError):
                os.kill(process.pid, number)
        if number == signal.SIGKILL:
            self.running.pop(port).wait(10)

    def install(self, folder, *packages):
        """Python that the servers' user may run: this one may lie in root's home."""
        own = Path(sys.executable).resolve()
        is_open = processes.open_to_all(own.parent) or not self.place.owner.dropped
        python = own if is_open else Path("/usr/bin/python3")
        words = ["pip", "install", "--quiet", "--python", python, "--target", folder]
        subprocess.run([Path(sys.executable).parent / "uv", *words, *packages], check=True)
        return python

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


class Node(NamedTuple):
    """A machine of the cluster; in a namespace its cable is the end of it that lies here."""

    name: str
    host: str
    port: int
    api: int
    space: str | None = None


class Patronis(Servers):
    """Three Postgres, of which Patroni keeps one as the primary; etcd is where they agree.

    Where this may be done each is a machine of its own in the network, which can be cut off.
    """

    user, database, network = "cardroom", "cards", "198.18.60"
    patroni = ("patroni[etcd3]==4.1.5", "psycopg[binary]")
    is_synchronous = True

    def __init__(self):
        super().__init__()
        self.bridge = f"cf{os.getpid() % 100000}"
        self.has_cables = self._tried("link", "add", self.bridge, "type", "bridge")
        self.etcd = free_port()
        try:
            self._begin()
        except BaseException:
            self.end()
            raise

    def _begin(self):
        self.here = f"{self.network}.1" if self.has_cables else HERE
        if self.has_cables:
            self._ip("addr", "add", f"{self.here}/24", "dev", self.bridge)
            self._ip("link", "set", self.bridge, "up")
        self.nodes = [self._node(number) for number in range(3)]
        self.library = self.folder / "patroni"
        self.python = self.install(self.library, *self.patroni)
        client, own = f"http://{self.here}:{self.etcd}", f"http://{HERE}:{free_port()}"
        self.start(
            self.etcd, shutil.which("etcd"), "--data-dir", self.folder / "etcd",
            "--listen-client-urls", client, "--advertise-client-urls", client,
            "--listen-peer-urls", own, "--initial-advertise-peer-urls", own,
            "--initial-cluster", f"default={own}", "--unsafe-no-fsync",
        )  # fmt: skip
        for node in self.nodes:
            self.again(node)
            if node is self.nodes[0]:
                with self.connect("postgres") as connection:
                    connection.execute(f"CREATE DATABASE {self.database}")
        self.wait_until_whole()

    def _node(self, number):
        name = f"p{number}"
        if not self.has_cables:
            return Node(name, HERE, free_port(), free_port())
        space, host = f"{self.bridge}-{name}", f"{self.network}.{11 + number}"
        self._ip("netns", "add", space)
        self._ip("link", "add", self._cable(name), "type", "veth", "peer", "eth0", "netns", space)
        self._ip("-n", space, "link", "set", "lo", "up")
        self._ip("-n", space, "addr", "add", f"{host}/24", "dev", "eth0")
        self._ip("-n", space, "link", "set", "eth0", "address", f"02:00:00:00:60:{number:02}", "up")
        # Else what is sent to a machine that was cut off would come back as unreachable.
        self._ip("neigh", "add", host, "lladdr", f"02:00:00:00:60:{number:02}", "dev", self.bridge)
        self._ip("link", "set", self._cable(name), "master", self.bridge, "up")
        return Node(name, host, 5432, 8008, space)

    def _cable(self, name):
        return f"{self.bridge}{name}"

    def cut(self, node):
        self._ip("link", "set", self._cable(node.name), "nomaster")

    def mend(self, node):
        self._ip("link", "set", self._cable(node.name), "master", self.bridge)

    def again(self, node):
        if node.name not in self.running:
            file = self.folder / f"{node.name}.yml"
            file.write_text(yaml.safe_dump(self._configuration(node)))
            self._give(file)
            words = [self.python, "-m", "patroni", file]
            self.start(node.name, *words, space=node.space, PYTHONPATH=str(self.library))

    def kill(self, name, number=signal.SIGKILL):
        for pid in self._postgres(name):
            os.kill(pid, number)
        super().kill(name, number)

    def hold_back(self, node):
        """Its standbys get nothing more, until it is killed."""
        for pid in self._postgres(node.name):
            if b"walsender" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGSTOP)

    def _postgres(self, name):
        """Its processes are no children of Patroni."""
        file = self.folder / str(name) / "postmaster.pid"
        if not file.exists():
            return []
        return [process.pid for process in tree(int(file.read_text().split()[0]))]

    def switch_over(self):
        file = self.folder / f"{self.nodes[0].name}.yml"
        words = [self.library / "bin" / "patronictl", "-c", file, "switchover", "--force", "cards"]
        subprocess.run(
            [self.python, *words], env=os.environ | {"PYTHONPATH": str(self.library)},
            check=True, capture_output=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def set_synchronous(self, *, synchronous):
        body = json.dumps({"synchronous_mode": synchronous}).encode()
        node = self.primary()
        headers = {"Content-Type": "application/json"}
        asked = Request(f"http://{node.host}:{node.api}/config", body, headers, method="PATCH")
        urlopen(asked, timeout=10).close()
        self.is_synchronous = synchronous
        self.wait_until_whole()

    def state(self, node):
        return self._ask(node, "patroni") or {}

    def _ask(self, node, what):
        address = f"http://{node.host}:{node.api}/{what}"
        with suppress(OSError, ValueError), urlopen(address, timeout=1) as answer:
            return json.load(answer)

    def primary(self, other_than=None):
        """Waits for it."""
        nodes = [node for node in self.nodes if node != other_than]

        def found():
            return next((n for n in nodes if self.state(n).get("role") == "primary"), None)

        return wait_until(found, 240, pause=0.1)

    def wait_until_whole(self):
        """Both others follow, and one of them is known as the one that may take over."""

        def is_whole():
            members = (self._ask(self.primary(), "cluster") or {}).get("members", ())
            roles = [one["role"] for one in members if one["state"] in ("running", "streaming")]
            return len(roles) == 3 and ("sync_standby" in roles) is self.is_synchronous

        wait_until(is_whole, 600, pause=0.2)  # on a busy machine

    def url(self):
        hosts = ",".join(f"{node.host}:{node.port}" for node in self.nodes)
        return f"postgres://{self.user}@{hosts}/{self.database}"

    def connect(self, name=None):
        """To the primary."""
        node = self.primary()
        return psycopg.connect(
            host=node.host, port=node.port, user=self.user, dbname=name or self.database,
            autocommit=True, connect_timeout=5,
        )  # fmt: skip

    def end(self):
        super().end()
        for node in getattr(self, "nodes", ()):
            if node.space:
                self._tried("netns", "del", node.space)
                self._tried("link", "del", self._cable(node.name))
        if self.has_cables:
            self._tried("link", "del", self.bridge)

    def _ip(self, *words):
        return subprocess.run(["ip", *words], capture_output=True, text=True, check=True)

    def _tried(self, *words):
        with suppress(OSError, subprocess.CalledProcessError):
            return bool(self._ip(*words))
        return False

    def _configuration(self, node):
        at, api = f"{node.host}:{node.port}", f"{node.host}:{node.api}"
        bounds = {"fsync": "off", "max_connections": 100, "shared_buffers": "64MB"}
        shared = {"use_pg_rewind": True, "parameters": bounds | {"wal_keep_size": "256MB"}}
        clock = {"ttl": 20, "loop_wait": 1, "retry_timeout": 3, "maximum_lag_on_failover": 2**24}
        network = f"{self.network}.0/24" if self.has_cables else f"{HERE}/32"
        return {
            "scope": "cards",
            "name": node.name,
            "restapi": {"listen": api, "connect_address": api},
            "etcd3": {"host": f"{self.here}:{self.etcd}"},
            "bootstrap": {
                "dcs": clock | {"synchronous_mode": True, "postgresql": shared},
                "initdb": [{"encoding": "UTF8"}, "data-checksums", "no-sync"],
            },
            "postgresql": {
                "listen": at,
                "connect_address": at,
                "data_dir": str(self.folder / node.name),
                "bin_dir": str(processes.postgres_bin(self.place)),
                "pgpass": str(self.folder / f"{node.name}.pgpass"),
                "authentication": {
                    "superuser": {"username": self.user}, "replication": {"username": "follower"},
                },
                "pg_hba": [f"host {kind} all {network} trust" for kind in ("all", "replication")],
                "basebackup": [{"checkpoint": "fast"}],
                "parameters": {"unix_socket_directories": ""},
            },
        }  # fmt: skip
