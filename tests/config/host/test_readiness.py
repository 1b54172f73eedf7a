"""`serve` calls itself ready when the parts and a page say so."""

import http.server
import threading

import pytest

from config.host import readiness
from config.host.serve import _port_number
from config.host.state_folder import CannotServe


@pytest.fixture
def serving():
    """A web process that answers with these statuses and bodies by path."""
    servers = []

    def start(answers):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                status, body = answers[self.path]
                self.send_response(status)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                """Nothing."""

        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return server.server_address

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


PARTS = b'{"status": "not ready", "database": "up", "bots": "a turn is due for 30 s"}'


@pytest.mark.parametrize(
    ("ready", "page", "missing"),
    [
        ((200, b"{}"), 200, None),
        ((200, b"{}"), 301, None),  # to HTTPS
        ((503, PARTS), 200, readiness.Missing("bots: a turn is due for 30 s", may_come_up=True)),
        ((500, b"oh"), 200, readiness.Missing("/readyz answers 500")),
        ((200, b"{}"), 500, readiness.Missing("/accounts/login/ answers 500")),
    ],
)
def test_what_is_missing(serving, ready, page, missing):
    host, port = serving({"/readyz": ready, readiness.PAGE: (page, b"")})
    assert readiness.missing(host, port) == missing


@pytest.mark.parametrize("text", ["99999", "0", "-1", "http", "٣"])
def test_a_port_that_is_none_is_named(text):
    with pytest.raises(CannotServe, match="from 1 to 65535"):
        _port_number(text)
