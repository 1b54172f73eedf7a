"""`serve` calls itself ready when the parts and a page say so."""

import http.server
import threading

import pytest

from config.host import serve
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
    ("ready", "missing"),
    [
        ((200, b"{}"), ""),
        ((503, PARTS), "bots: a turn is due for 30 s"),
        ((500, b"oh"), "/readyz answers 500"),
    ],
)
def test_which_parts_are_missing(serving, ready, missing):
    host, port = serving({"/readyz": ready})
    assert serve.missing_parts(host, port) == missing


@pytest.mark.parametrize(
    ("page", "missing"),
    [(200, ""), (301, ""), (500, "/accounts/login/ answers 500")],  # to HTTPS
)
def test_whether_a_page_is_shown(serving, page, missing):
    host, port = serving({serve.PAGE: (page, b"")})
    assert serve.missing_page(host, port) == missing


def test_nobody_answers_yet(serving):
    assert serve.missing_page("127.0.0.1", 1) == "no answer (ConnectionRefusedError)"


@pytest.mark.parametrize("text", ["99999", "0", "-1", "http", "٣"])
def test_a_port_that_is_none_is_named(text):
    with pytest.raises(CannotServe, match="from 1 to 65535"):
        _port_number(text)
