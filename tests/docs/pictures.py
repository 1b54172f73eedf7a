"""The pictures of docs/architecture.md."""

from docs.building import DOCS
from tests.docs.drawing import draw
from tests.docs.house import arrows, rooms, rooms_of

MATCHES = "games.matches"
PICTURES = {name: DOCS / "pictures" / f"{name}.svg" for name in ("house", "matches")}


def drawn(name: str) -> str:
    if name == "house":
        return draw(arrows(rooms()), within="games.")
    return draw(arrows(rooms_of(MATCHES)), within=f"{MATCHES}.")
