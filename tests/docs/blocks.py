"""The blocks of code in the README and in the pages of the documentation, and how each is run.

The tag of a block says what becomes of it (docs/testing.md tells authors):

* ``python`` runs as it stands, in one name space with those above it on the page;
* ``bash`` likewise, in one shell, against a service;
* ``py`` and ``js`` are programs of their own beside the client that the service serves;
* ``sh`` is typed in a checkout: every command has to exist and to take what it is given
  (`tests.operations.test_documented_commands`), and those that end by themselves run;
* ``javascript``, ``java``, ``perl`` and ``shell`` judge a call of a webhook
  (`tests.notifications.test_signed_examples` runs them);
* ``json`` is read; ``text`` is an illustration, and nothing runs it.
"""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from docs.building import ROOT, pages, source

DOCUMENTS = ("README.md", *pages())
RUN = ("python", "bash", "py", "js")
TAGS = (*RUN, "sh", "json", "text", "pyi", "javascript", "java", "perl", "shell")
_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    tag: str
    text: str
    line: int


def blocks(document: str) -> Iterator[Block]:
    text = file_of(document).read_text("utf-8")
    for found in _FENCE.finditer(text):
        inside = re.sub(rf"^{found[1]}", "", found[3], flags=re.MULTILINE)
        yield Block(found[2], inside, text.count("\n", 0, found.start()) + 2)


def file_of(document: str) -> Path:
    return ROOT / document if document == "README.md" else source(document)


def commands(document: str) -> list[list[str]]:
    """Commands of the checkout that end by themselves: what plays, measures and trains."""
    lines = [
        line
        for block in blocks(document)
        if block.tag == "sh"
        for line in block.text.replace("\\\n", " ").splitlines()
    ]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("python ")]


def bot_of(document: str) -> str:
    """The file `my_bots.py` that a page tells to write."""
    return "".join(block.text for block in blocks(document) if "def careful(view" in block.text)
