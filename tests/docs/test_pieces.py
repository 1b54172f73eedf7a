"""docs/pieces.md is what the sources say, and names what an author meets."""

import ast

import pytest

from tests.docs.pieces import PAGE, PIECES, ROOT, page


def test_the_page_is_fresh():
    assert PAGE.read_text("utf-8") == page(), "python -m tests.docs writes it again"


@pytest.mark.parametrize(("title", "file", "names"), PIECES, ids=lambda value: str(value)[:40])
def test_every_name_that_is_asked_for_is_there(title, file, names):
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    defined = {getattr(node, "name", "") for node in tree.body}
    defined |= {getattr(getattr(node, "target", None), "id", "") for node in tree.body}
    assert set(names) <= defined


@pytest.mark.parametrize(
    "signature",
    [
        "def emit(self, event: Event) -> None: ...",
        "def texts(cards: Iterable[int]) -> tuple[str, ...]: ...",
        "def next_seat(seat: Seat, seats: int, direction: int=1) -> Seat: ...",
        "def say(message: str, *, you: str='', **values: Value) -> Phrase: ...",
        "class IllegalMove(MoveRefused):",
        "def numbered(texts: Sequence[Move]) -> Actions: ...",
        "labels: Mapping[str, str] = field(default_factory=dict)",
        "def fly(",
        "retired_seats: Callable[[S], frozenset[Seat]] = defaults.retired_seats",
    ],
)
def test_an_author_finds(signature):
    assert signature in PAGE.read_text("utf-8")
