"""Calls of a fixed scenario written down: what was sent, what came back, chance taken out.

Ids, keys, times, cursors and drawn names become ``<id 1>``, ``<key 1>``, ``<time>`` and so on; all
else is what a client reads, in the order of its bytes.
"""

import json
import re
from typing import Any

from rest_framework.test import APIClient

from tests.api.calls import API
from tests.recorded import laid_out

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
CHANCE = (
    # Midnight is no chance: a day begins or ends then.
    (re.compile(r"\d{4}-\d\d-\d\dT(?!00:00:00Z)\d\d:\d\d:\d\d(\.\d+)?(?=Z)"), "<time>"),
    (re.compile(r"cursor=[\w%-]+"), "cursor=<cursor>"),
    (re.compile(r"(?<=in )\d+(?= s\.)"), "<seconds>"),
    (re.compile(r'(?<="sha256": ")[0-9a-f]{64}'), "<sha256>"),
    (re.compile(r'(?<="size": )[1-9]\d+'), "4321"),
    (re.compile(r'(?<="waiting": 0, "seconds": )\d+'), "7"),
    # The rest of 600 seconds and 5 more after the first move, however long the machine took.
    (re.compile(r'(?<="seconds": )([56]\d\d\.(?!0,)\d+|605\.0)(?=, "until": null)'), "604.7"),
    (re.compile(r"whsec_[\w+/=]+"), "<secret>"),
    (re.compile(r'(?<="request_id": ")[0-9a-f]{16}'), "<request>"),
)
ETAG = re.compile(r"(?<=\d)-[0-9a-f]+-[0-9a-f]*-")
HEADERS = (
    *("Content-Type", "Content-Disposition", "ETag", "WWW-Authenticate", "Retry-After"),
    *("Cache-Control", "Allow", "Location"),
)


class Recorder:
    """Makes calls as named people and keeps them."""

    def __init__(self) -> None:
        self.steps: list[dict[str, Any]] = []
        self.keys: dict[str, str] = {}
        self._drawn: dict[str, str] = {}

    def __call__(
        self, who: str, call: str, body: Any = None, *, raw: bytes | None = None, **headers: str
    ) -> Any:
        """``recorder("ada", "POST matches", {…}, Idempotency_Key="1")``: the answer's value."""
        method, path = call.split(" ")
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        media = sent.pop("Content-Type", "application/json")
        key = {"Authorization": f"Token {self.keys[who]}"} if who in self.keys else {}
        data = raw if raw is not None else json.dumps(body).encode() if body is not None else b""
        answer = APIClient().generic(method, API + path, data, media, headers=key | sent)
        told = {name: _plain(name, answer[name]) for name in HEADERS if name in answer}
        step: dict[str, Any] = {"who": who, "call": call}
        if sent:
            step["sent headers"] = sent
        if data:
            step["body"] = body if raw is None else raw[:40].decode(errors="replace")
        step |= {"status": answer.status_code, "headers": told, "answer": self._value(answer)}
        self.steps.append(step)
        return self.steps[-1]["answer"]

    def sign_in(self, who: str, answer: dict[str, Any]) -> None:
        """From now on ``who`` calls with the key of this answer."""
        self.keys[who] = answer["token"]

    def drawn(self, name: str, text: str) -> None:
        """Says that ``text`` was drawn by chance."""
        self._drawn[text] = f"<{name}>"

    def text(self) -> str:
        text = json.dumps(self.steps, ensure_ascii=False)
        for pattern, instead in CHANCE:
            text = pattern.sub(instead, text)
        # After the times: a day that was drawn stands in them too.
        for drawn, name in self._drawn.items():
            text = text.replace(drawn, name)
        ids: dict[str, str] = {}
        text = UUID.sub(lambda found: ids.setdefault(found[0], f"<id {len(ids) + 1}>"), text)
        return laid_out(json.loads(text)) + "\n"

    def _value(self, answer: Any) -> Any:
        if not answer.get("Content-Type", "").endswith("json"):
            return "<bytes>" if answer.content else None
        value = json.loads(answer.content)
        if isinstance(value, dict) and "token" in value:
            self.drawn(f"key {len(self._drawn) + 1}", value["token"])
        return value


def _plain(header: str, value: str) -> str:
    if header == "Retry-After":
        return "<seconds>"
    return ETAG.sub("-<changed>-<reader>-", value) if header == "ETag" else value
