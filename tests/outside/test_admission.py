"""An installed package is served, or refused by its name (cardroom/rules/outside)."""

from pathlib import Path

import pytest

from cardroom.rules import catalog, outside
from cardroom.rules.outside import Admitted, Refused
from tests.outside.packages import HIGH_CARD, another, installed


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path, with outside games switched on."""
    monkeypatch.setenv(outside.SWITCH, "1")
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def admitted() -> dict[str, Admitted]:
    return {one.entry.slug: one for one in catalog.from_outside()[0]}


def refused() -> dict[str, Refused]:
    return {one.entry.slug: one for one in catalog.from_outside()[1]}


def test_an_installed_game_is_served_with_its_origin(beside):
    module = installed(beside, "low-card", another("low-card"))
    found = admitted()["low-card"]
    assert found.game.slug == "low-card"
    assert found.entry.written == "low-card-cardroom 1.2"
    assert found.folder == beside / module


def test_none_is_looked_for_where_they_are_switched_off(beside, monkeypatch):
    installed(beside, "off-card", another("off-card"))
    monkeypatch.setenv(outside.SWITCH, "0")
    assert outside.installed_entries() == []


LEAKING = """
from cardroom.rules.cards import texts

class Open(type(KNOWN.view(KNOWN.start(KNOWN.options(), (), list).state, 0)), frozen=True):
    next_card: str

def view(state, seat):
    honest = KNOWN.view(state, seat)
    values = {name: getattr(honest, name) for name in honest.__struct_fields__}
    return Open(**values, next_card=texts(state.hands[1])[0] if state.hands[1] else "")
"""

FAULTS = {
    "broken": ("GAME = Game(\n", "SyntaxError in __init__.py, line 1"),
    "missing": ("from nowhere_at_all import GAME\n", "cannot be imported: ModuleNotFoundError"),
    "quits": ("raise SystemExit(3)\n", "cannot be imported: SystemExit: 3"),
    "nothing": ("GAME = 7\n", "nothing_cardroom:GAME is no Game"),
    "nobody": ("", "cannot be imported: AttributeError"),
    "misnamed": (another("another"), "its game the slug 'another'"),
    "pisti": (another("pisti"), "there is a game 'pisti' already"),
    "raises": (another("raises", "legal_moves=lambda state, seat: 1 / 0"), "ZeroDivisionError"),
    "stuck": (
        HIGH_CARD + "GAME = replace(KNOWN, slug='stuck', to_act=lambda state: ())\n",
        "nobody is to act in a match that is not over",
    ),
    "leaking": (
        HIGH_CARD + LEAKING + "GAME = replace(KNOWN, slug='leaking', view=view, view_type=Open)\n",
        "of which only",
    ),
}


@pytest.mark.parametrize("slug", FAULTS)
def test_a_package_with_a_fault_is_refused_by_its_name_and_the_others_are_served(beside, slug):
    source, why = FAULTS[slug]
    installed(beside, slug, source)
    installed(beside, f"beside-{slug}", another(f"beside-{slug}"))
    reason = str(refused()[slug])
    assert why in reason
    assert f"{slug}-cardroom 1.2" in reason
    assert f"beside-{slug}" in admitted()


@pytest.mark.parametrize(
    ("needs", "why"),
    [
        ("cardroom~=2.0", "it needs the contract 2.0 of the rules; this service keeps 1.0"),
        ("cardroom~=1.7", "it needs the contract 1.7 of the rules; this service keeps 1.0"),
        ("cardroom>=1", "write it as cardroom~=1.0"),
        ("", "it does not say which contract it needs"),
        ("cardroom-extra~=1.0", "it does not say which contract it needs"),
    ],
)
def test_a_package_for_another_contract_is_refused_without_being_imported(beside, needs, why):
    installed(beside, "foreign", "raise AssertionError('it was imported')\n", needs=needs)
    assert why in str(refused()["foreign"])


@pytest.mark.parametrize("needs", ["cardroom ~= 1.0", "Cardroom (~=1.0)"])
def test_other_spellings_of_the_contract_are_understood(beside, needs):
    slug = f"spelling-{len(needs)}"
    installed(beside, slug, another(slug), needs=needs)
    assert slug in admitted()


def test_of_two_packages_with_one_game_the_first_by_name_is_served(beside):
    installed(beside, "twice", another("twice"), module="b_cardroom")
    installed(beside, "twice", another("twice"), module="a_cardroom")
    assert admitted()["twice"].entry.module == "a_cardroom"
    assert refused()["twice"].entry.module == "b_cardroom"
