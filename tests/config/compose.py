"""`docker/compose.yml` without containers: its services as processes, with its variables.

Host names of the file become ports of this machine, the secrets that a service is given become
files of its own; nothing else is changed.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import redis
import yaml

from config.host.embedded import processes
from config.host.supervisor import end_with_parent
from tests.served import free_port

ROOT = Path(__file__).resolve().parents[2]
IMAGE = "cardroom"
HOST = "cards.example.org"
PROXIED = {"Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-For": "198.51.100.9"}
OPERATOR = {"ALLOWED_HOSTS": HOST}
SECRETS = {
    "secret_key": "k3y " + "k" * 50,
    "database_password": "p0st @:/#%?&='\"\\$ {x}",
    "valkey_password": "v4lkey @:/#%?&='\"\\$ {x}",
    "metrics_token": "m3trics token",
    "email_url": "",
    "vapid_private_key": "",
    "oidc_client_secret": "",
    "rclone_conf": "",
}
IN_CONTAINER = "/run/secrets"
PLACEHOLDER = re.compile(r"\$\{(\w+)(?::([?-])((?:\$\{\w+\}|[^}])*))?\}")
CARELESS = ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]


def read():
    """The services by name, the operator's variables in their places."""
    services = _filled(as_written())
    for service in services.values():
        found = {**service.get("environment", {})}
        passed_on = {name: OPERATOR.get(name) for name, value in found.items() if value is None}
        found |= passed_on
        service["environment"] = {name: value for name, value in found.items() if value is not None}
    return services


def as_written():
    """A variable without a value is the operator's, or is not set."""
    return yaml.safe_load((ROOT / "docker/compose.yml").read_text())["services"]


def _filled(value):
    match value:
        case str():
            return PLACEHOLDER.sub(_value, value).replace("$$", "$")
        case list():
            return [_filled(each) for each in value]
        case dict():
            return {name: _filled(each) for name, each in value.items()}
    return value


def _value(found):
    name, kind, default = found.groups()
    if name not in OPERATOR and kind == "?":
        raise KeyError(f"{name} has to be set")
    return OPERATOR.get(name) or _filled(default or "")


class Composition:
    """Postgres and Valkey on ports of this machine, and the services that use them."""

    def __init__(self, state, *, durable=False):
        self.careless = [] if durable else CARELESS
        self.services, self.place, self.started = read(), processes.home(state), {}
        self.root = ROOT  # the checkout that runs
        self.ports = {name: free_port() for name in ("web", "web 2", "postgres", "valkey")}
        static = self.place.state / "static"  # the image has its files, and nobody reads them here
        static.mkdir()
        (static / "staticfiles.json").write_text('{"version": "1.1", "paths": {}}')
        self.secrets = {name: self._given(name) for name in self.services}

    def up(self):
        self._start_valkey()
        self._start_postgres()
        own = [name for name, service in self.services.items() if service["image"] == IMAGE]
        assert self._start("init").wait(120) == 0, self.output("init")
        for name in [*own, "web 2"]:
            if name != "init":
                self._start(name)

    def down(self):
        """Ends every process at once. Postgres alone has something to tidy up."""
        for name, process in self.started.items():
            process.send_signal(signal.SIGQUIT if name == "postgres" else signal.SIGKILL)
        for process in self.started.values():
            process.wait(10)

    def output(self, name):
        return (self.place.state / f"{name}.log").read_text()

    def last_outputs(self):
        return {name: self.output(name)[-600:] for name in self.started}

    def is_healthy(self, name, as_service=None):
        """As the engine asks for it."""
        test = self.services[as_service or name]["healthcheck"]["test"]
        words = ["sh", f"docker/{test[1]}"]
        asked = subprocess.run(
            words, cwd=ROOT, env=self._image(name), check=False, stderr=subprocess.DEVNULL
        )
        return asked.returncode == 0

    def _start(self, name):
        """A service, or a second container of it (``web 2``)."""
        kind = name.partition(" ")[0]
        words = ["sh", "docker/entrypoint", *self.services[kind]["command"]]
        return self._run(name, words, cwd=self.root, env=self._variables(name))

    def _variables(self, name):
        kind = name.partition(" ")[0]
        environment = self.services[kind]["environment"].items()
        named = {key: self._on_this_machine(kind, value) for key, value in environment}
        return self._image(name) | named

    def _image(self, name):
        """The environment of the image, in folders of this container's own."""
        own = self.place.state / "containers" / name.replace(" ", "-")
        own.mkdir(parents=True, exist_ok=True)
        return {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "STATIC_ROOT": str(self.place.state / "static"),
            "CARDROOM_STATE": str(self.place.state / "cardroom"),
            "CARDROOM_ONE_MACHINE": "0",
            "CARDROOM_KERNEL_CACHE": str(self.place.state),  # the image's are compiled already;
            "CARDROOM_KERNELS": "python",  # here nobody waits for a compiler
            "PROMETHEUS_MULTIPROC_DIR": str(own / "metrics"),
            "ALIVE_FILE": str(own / "alive"),
            "PORT": str(self.ports.get(name, 0)),
        }

    def _given(self, name):
        """A folder with the secrets of a service, as the engine mounts them."""
        folder = self.place.state / "secrets" / name
        folder.mkdir(parents=True, exist_ok=True)
        for secret in self.services[name].get("secrets", ()):
            (folder / secret).write_text(SECRETS[secret] + "\n")
            (folder / secret).chmod(0o444)
        return folder

    def _on_this_machine(self, name, value):
        text = str(value).replace(IN_CONTAINER, str(self.secrets[name]))
        text = text.replace("@postgres/", f"@127.0.0.1:{self.ports['postgres']}/")
        return text.replace("//valkey:6379", f"//127.0.0.1:{self.ports['valkey']}")

    def _start_valkey(self):
        folder = self.place.folder("valkey")
        image = folder / "docker-entrypoint.sh"  # the image's sets the user, then does the same
        place = f"--port {self.ports['valkey']} --bind 127.0.0.1"
        image.write_text(f'#!/bin/sh\nshift\nexec {self._valkey_server()} "$@" {place}\n')
        image.chmod(0o755)
        command = [self._on_this_machine("valkey", w) for w in self.services["valkey"]["command"]]
        path = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
        self._run("valkey", command, cwd=folder, **(self.place.owner.popen | {"env": path}))
        client = redis.Redis(port=self.ports["valkey"], password=SECRETS["valkey_password"])
        assert processes.wait_until(lambda: _answers(client.ping), 30), self.output("valkey")

    def _valkey_server(self):
        return shlex.quote(str(processes.valkey_server(self.place)))

    def _start_postgres(self):
        programs, folder = processes.postgres_bin(self.place), self.place.data / "postgres"
        named = self.services["postgres"]["environment"]
        user, file = named["POSTGRES_USER"], named["POSTGRES_PASSWORD_FILE"]
        make = [programs / "initdb", "-D", folder, "-U", user, "-E", "UTF8", "--locale=C"]
        make += ["--no-sync", "--auth=scram-sha-256"]
        make += [f"--pwfile={self._on_this_machine('postgres', file)}"]
        processes.run(make, cwd=self.place.data, popen=self.place.owner.popen)
        place = ["-p", str(self.ports["postgres"]), "-h", "127.0.0.1", "-k", ""]
        command = [programs / "postgres", "-D", folder, *place, *self.careless]
        command += self.services["postgres"]["command"]
        self._run("postgres", command, cwd=folder, **self.place.owner.popen)
        there = {"host": "127.0.0.1", "port": self.ports["postgres"], "user": user}
        made = processes.wait_until(lambda: _answers(lambda: _make_database(there, named)), 60)
        assert made, self.output("postgres")

    def _run(self, name, command, **popen):
        parent = os.getpid()
        with (self.place.state / f"{name}.log").open("ab") as log:
            self.started[name] = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=lambda: end_with_parent(parent),  # noqa: PLW1509 - it calls the kernel only
                **popen,
            )
        return self.started[name]


def _make_database(there, named):
    there |= {"password": SECRETS["database_password"], "dbname": "postgres"}
    with psycopg.connect(**there, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{named["POSTGRES_DB"]}"')


def _answers(call):
    try:
        call()
    except (psycopg.OperationalError, redis.RedisError):
        return False
    return True
