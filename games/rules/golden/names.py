"""Who sits down where nobody is named: a name for every seat of the widest game."""

from typing import Final

NAMES: Final = [
    *("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hera", "Ivo"),
    *("Jana", "Kurt", "Lea", "Max", "Nora", "Otto", "Pia", "Quin", "Rosa"),
]
