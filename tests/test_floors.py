"""The code keeps to the floors of the tree, and a break is found."""

import grimp
import pytest

from tests.floors import PLAN, ROOT, faults, graph, lines

DJANGO = {"migrations", "templatetags", "commands"}  # Django finds these by their name


def test_the_code_keeps_to_the_floors():
    assert list(faults(lines(PLAN.read_text("utf-8")), graph())) == []


def test_every_package_with_parts_has_a_line_or_stands_on_a_floor():
    plan = " ".join(lines(PLAN.read_text("utf-8")))
    packages = [
        path.parent
        for app in ("accounts", "cardroom", "config", "decks", "games")
        for path in (ROOT / app).rglob("__init__.py")
    ]
    names = {".".join(path.relative_to(ROOT).parts) for path in packages}
    deep = [name for name in names if not DJANGO & set(name.split("."))]
    assert len(deep) > 40
    unplaced = [name for name in deep if name.rpartition(".")[2] not in plan]
    assert unplaced == []


@pytest.fixture
def small() -> grimp.ImportGraph:
    """``hall`` with a roof, two walls and a cellar; the roof of it stands on both walls."""
    code = grimp.ImportGraph()
    for module in ("hall", "hall.roof", "hall.left", "hall.right", "hall.cellar", "django"):
        code.add_module(module)
    for importer, imported in (("roof", "left"), ("roof", "right"), ("left", "cellar")):
        code.add_import(importer=f"hall.{importer}", imported=f"hall.{imported}")
    return code


FLOORS = "hall: roof > left | right > cellar"


def test_a_room_whose_parts_import_downwards_has_no_fault(small):
    assert list(faults([FLOORS], small)) == []


@pytest.mark.parametrize(
    ("importer", "imported"), [("cellar", "roof"), ("left", "right"), ("cellar", "right")]
)
def test_an_import_upwards_or_between_neighbours_is_a_fault(small, importer, imported):
    small.add_import(importer=f"hall.{importer}", imported=f"hall.{imported}")
    assert any(f"hall.{importer} -> hall.{imported}" in fault for fault in faults([FLOORS], small))


def test_a_part_on_no_floor_and_a_floor_without_a_part_are_faults(small):
    assert list(faults(["hall: roof > left | right"], small)) == ["hall: cellar stands on no floor"]
    assert list(faults([f"{FLOORS} > well"], small)) == ["hall has no well"]
    assert list(faults(["hall: roof > left | right > …"], small)) == []


def test_what_is_never_to_be_imported_or_reached_is_a_fault(small, monkeypatch):
    monkeypatch.setattr("tests.floors.PACKAGES", ("hall",))
    assert list(faults(["hall.roof never import hall.cellar"], small)) == []
    assert list(faults(["hall.roof never reach hall.cellar"], small)) == [
        "hall.roof -> hall.left -> hall.cellar"
    ]
    assert list(faults(["hall.left hall.right are independent"], small)) == []
    assert list(faults(["everything but hall.right never import hall.cellar"], small)) == [
        "hall.left -> hall.cellar"
    ]


def test_a_library_from_elsewhere_is_found_too(small, monkeypatch):
    monkeypatch.setattr("tests.floors.PACKAGES", ("hall",))
    small.add_import(importer="hall.cellar", imported="django")
    assert list(faults(["hall never reach django"], small)) == ["hall.cellar -> django"]
