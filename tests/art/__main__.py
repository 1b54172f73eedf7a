"""`make art`: writes the drawings where the pages find them."""

from pathlib import Path
from typing import Final

from tests.art import avatars, cards, felts, signs

ROOT: Final = Path(__file__).resolve().parents[2]
STATIC: Final = ROOT / "games" / "static" / "games"


def drawings() -> dict[Path, str]:
    """Every file that is drawn, and what stands in it."""
    made = {STATIC / "cards" / "deck.svg": cards.fronts()}
    made |= {STATIC / "cards" / f"back-{name}.svg": text for name, text in cards.backs().items()}
    made |= felts.felts(STATIC)
    made[STATIC / "img" / "faces.svg"] = avatars.sprite()
    made[STATIC / "img" / "signs.svg"] = signs.sprite()
    return made


if __name__ == "__main__":
    for path, text in drawings().items():
        path.write_text(text)
        print(f"{path.relative_to(ROOT)}: {len(text.encode()):,} bytes")
