"""The documents describe the house as the sources have it."""

import ast
import re
import subprocess

import pytest

from docs.building import ROOT, pages, source
from tests.docs.house import TOPS, arrows, floors, reduced, rooms, rooms_of
from tests.docs.pictures import MATCHES, PICTURES, drawn
from tests.docs.pieces import PAGE, PIECES, page
from tests.docs.pieces import ROOT as PIECES_ROOT

ARCHITECTURE = ROOT / "docs/architecture.md"
ROW = re.compile(r"^\| (`[^|]+`) \|", re.MULTILINE)
FOLDERS = {"docker/", "docs/", "examples/", "tests/"}


def named(text: str) -> list[str]:
    """The names in the first column of the tables."""
    return [name for row in ROW.findall(text) for name in re.findall(r"`([^`]+)`", row)]


def section(heading: str) -> str:
    text = ARCHITECTURE.read_text("utf-8")
    return re.split(r"^## ", text.partition(f"## {heading}\n")[2], flags=re.MULTILINE)[0]


def as_folders(modules: list[str]) -> set[str]:
    return {f"{module.replace('.', '/')}/" for module in modules}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_that_of_the_imports(name):
    assert PICTURES[name].read_text("utf-8") == drawn(name), "python -m tests.docs draws it again"


def test_the_list_of_rooms_is_the_tree():
    listed = named(section("The rooms"))
    assert len(listed) == len(set(listed))
    assert set(listed) == as_folders(rooms())


def test_the_list_of_the_rooms_of_a_match_is_the_tree():
    listed = named(section("Inside the matches"))
    assert {f"{MATCHES}.{name}" for name in listed} == set(rooms_of(MATCHES))


def test_no_folder_of_the_tree_is_left_out():
    command = ["git", "-C", str(ROOT), "ls-tree", "-d", "--name-only", "HEAD"]
    folders = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert set(folders) - {".ci"} == {*TOPS, *(name.rstrip("/") for name in FOLDERS)}


def test_every_path_that_a_page_names_exists():
    """Those that are written: what a run makes, and patterns of names, are others."""
    path = re.compile(rf"`((?:{'|'.join((*TOPS, 'docker', 'docs', 'tests'))})/[\w./-]+)`")
    missing = [
        (page, name)
        for page in ("README.md", *pages())
        if page != "CHANGELOG.md"  # it tells of what was
        for name in path.findall((ROOT / page if page == "README.md" else source(page)).read_text())
        if not (ROOT / name).exists() and not (ROOT / f"{name}.py").exists()
    ]
    assert missing == []


def test_rooms_import_no_circle():
    with pytest.raises(ValueError, match="A circle: a imports b imports a"):
        floors({"a": frozenset("b"), "b": frozenset("a")})
    assert floors(arrows(rooms()))["cardroom.rules"] == 0


def test_a_line_that_follows_from_others_is_left_out():
    house = {"a": frozenset("bc"), "b": frozenset("c"), "c": frozenset()}
    assert reduced(house) == {"a": frozenset("b"), "b": frozenset("c"), "c": frozenset()}


# docs/pieces.md is what the sources say, and names what an author meets.


def test_the_page_is_fresh():
    assert PAGE.read_text("utf-8") == page(), "python -m tests.docs writes it again"


@pytest.mark.parametrize(("title", "file", "names"), PIECES, ids=lambda value: str(value)[:40])
def test_every_name_that_is_asked_for_is_there(title, file, names):
    tree = ast.parse((PIECES_ROOT / file).read_text("utf-8"))
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
