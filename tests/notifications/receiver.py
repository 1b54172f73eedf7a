"""A program that receives webhooks: a server of this process that keeps what it was sent."""

import json
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.patience import wait_until


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # as a real one: with five, calls at once are refused


class Receiver:
    """Answers with ``status``, after ``seconds`` or as soon as ``until`` holds.

    ``calls`` are headers and bodies, in order.
    """

    def __init__(self, status=200, seconds=0.0, until=None):
        self.status, self.seconds, self.headers, self.answer = status, seconds, {}, b""
        self.calls = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                length = int(self.headers["content-length"])
                body = self.rfile.read(length)
                if len(body) < length:  # half-sent: its sender was killed
                    return
                receiver.calls.append((dict(self.headers), body))
                time.sleep(receiver.seconds)
                if until is not None:
                    wait_until(until)
                self.send_response(receiver.status)
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(receiver.answer)))
                self.end_headers()
                self.wfile.write(receiver.answer)

            def log_message(self, *_):
                pass

        self.server = _Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def ids(self):
        """How often each delivery came."""
        return Counter(headers["webhook-id"] for headers, _ in self.calls)

    @property
    def bodies(self):
        return [json.loads(body) for _, body in self.calls]

    def close(self):
        self.server.shutdown()
        self.server.server_close()
