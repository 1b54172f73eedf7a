"""A browser without JavaScript: reads forms off a page and sends them as they stand.

It knows the markup that our templates write, and reads it ten times as fast as `html.parser`, which
took a tenth of these tests; `test_browsing` holds what they read against each other.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from urllib.parse import urljoin

from django.test import Client

from tests.conftest import BACKEND

TAG = re.compile(
    r"<!--.*?-->|<![a-zA-Z][^>]*>"
    r"|<(?P<code>script|style)\b(?P<more>[^>]*)>(?P<lines>.*?)</(?P=code)\s*>"
    r"|<(?P<ends>/?)(?P<tag>[a-zA-Z][\w:-]*)(?P<rest>(?:[^>\"']|\"[^\"]*\"|'[^']*')*)>",
    re.DOTALL,
)
ATTRIBUTE = re.compile(
    r"([^\s\"'=/>]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?", re.DOTALL
)
OF_FORMS = {"form", "input", "select", "option", "button"}


@dataclass
class Form:
    action: str
    method: str = "get"
    id: str = ""
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)  # name, value, what it says
    elsewhere: dict[tuple[str, str], str] = field(default_factory=dict)  # button: its own action


def _form(known: dict[str, str]) -> Form:
    return Form(known.get("action", ""), known.get("method", "get").lower(), known.get("id", ""))


class Reader:
    def __init__(self) -> None:
        self.forms: list[Form] = []
        self.ids: list[str] = []
        self.text: list[str] = []
        self._select = self._button = None

    def feed(self, page: str) -> None:
        end = 0
        for found in TAG.finditer(page):
            self._text(unescape(page[end : found.start()]))
            end = found.end()
            if found["code"]:
                self._begin(found["code"], found["more"])
                self._text(found["lines"])
            elif found["ends"]:
                self._end(found["tag"].lower())
            elif found["tag"]:
                self._begin(found["tag"].lower(), found["rest"])
        self._text(unescape(page[end:]))

    def _begin(self, tag, rest):
        if tag not in OF_FORMS and "id=" not in rest:
            return
        known = {
            name.lower(): unescape(double or single or bare)
            for name, double, single, bare in ATTRIBUTE.findall(rest)
        }
        if "id" in known:
            self.ids.append(known["id"])
        if tag == "form":
            self.forms.append(_form(known))
        elif self.forms:
            self._field(tag, known)

    def _field(self, tag, known):
        form = self._owner(known)
        name, value = known.get("name", ""), known.get("value", "")
        ticked = known.get("type") not in ("checkbox", "radio") or "checked" in known
        if tag == "input" and name and ticked:
            form.fields.append((name, value or ("on" if known.get("type") == "checkbox" else "")))
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            is_first = not form.fields or form.fields[-1][0] != self._select
            if is_first:
                form.fields.append((self._select, value))
            elif "selected" in known:
                form.fields[-1] = (self._select, value)
        elif tag == "button" and known.get("type") != "button":
            form.buttons.append((name, value, known.get("aria-label", "")))
            if "formaction" in known:
                form.elsewhere[name, value] = known["formaction"]
            self._button = form

    def _owner(self, known):
        """The form that a field names by ``form=``, else the one around it."""
        named = [form for form in self.forms if form.id and form.id == known.get("form")]
        return named[0] if named else self.forms[-1]

    def _end(self, tag):
        if tag == "select":
            self._select = None
        elif tag == "button":
            self._button = None

    def _text(self, data):
        words = data.strip()
        if not words:
            return
        self.text.append(words)
        if self._button is not None and self._button.buttons:
            name, value, said = self._button.buttons[-1]
            self._button.buttons[-1] = (name, value, f"{said} {words}".strip())


@lru_cache(maxsize=16)
def _reader_of(page: str) -> Reader:
    """A page is read once, however often a test looks at it."""
    reader = Reader()
    reader.feed(page)
    return reader


def alerts_of(page: str) -> list[str]:
    """The alerts of a page. One without words waits for what a script puts there."""
    found = re.findall(r'role="alert"[^>]*>(.*?)</', page, re.DOTALL)
    return [text.strip() for text in found if text.strip()]


class Browser:
    """``page`` is the source of the page shown; ``press`` sends the form a button belongs to."""

    def __init__(self, client: Client | None = None) -> None:
        self.client = client or Client(enforce_csrf_checks=True)
        self.address, self.status, self.page = "/", 0, ""

    def open(self, address: str) -> "Browser":
        return self._show(self.client.get(address, follow=True), address)

    def press(self, says: str, **typed: str) -> "Browser":
        """Presses the first button whose text or value contains ``says``."""
        form, button = next(
            (form, button)
            for form in self.forms
            for button in form.buttons
            if says in button[2] or says == button[1]
        )
        sent: dict[str, list[str]] = {}
        for name, value in [*form.fields, (button[0], button[1])]:
            if name:
                sent.setdefault(name, []).append(value)
        sent |= {name: [value] for name, value in typed.items()}
        action = form.elsewhere.get((button[0], button[1]), form.action)
        address = urljoin(self.address, action)
        response = self.client.post(address, sent, follow=True)
        return self._show(response, address)

    def _show(self, response, address: str) -> "Browser":
        chain = response.redirect_chain
        self.address = chain[-1][0] if chain else address
        self.status, self.page = response.status_code, response.content.decode()
        return self

    @property
    def _read(self) -> Reader:
        return _reader_of(self.page)

    @property
    def forms(self) -> list[Form]:
        return self._read.forms

    @property
    def ids(self) -> list[str]:
        return self._read.ids

    @property
    def text(self) -> str:
        return " ".join(part for part in self._read.text if part)

    @property
    def alerts(self) -> list[str]:
        return alerts_of(self.page)

    @property
    def moves(self) -> list[str]:
        """The moves that the felt offers as buttons."""
        buttons = [button for form in self.forms for button in form.buttons]
        return [unescape(value) for name, value, _ in buttons if name == "move"]

    @property
    def match_id(self) -> str:
        return self.address.rstrip("/").split("/")[-1]


def signed_in(user) -> Browser:
    client = Client(enforce_csrf_checks=True)
    client.force_login(user, BACKEND)
    return Browser(client)
