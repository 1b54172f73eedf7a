"""The command ``cardroom`` of the library, or ``python -m cardroom``."""

import sys
from importlib import import_module
from typing import Final

COMMANDS: Final = {
    "gauntlet": "cardroom.arena.gauntlet",
    "doctor": "cardroom.arena.doctor",
    "contract": "cardroom.contract.__main__",
}


def main() -> int:
    """Each command needs its own extra alone."""
    name, *rest = sys.argv[1:] or [""]
    if name in COMMANDS:
        return int(import_module(COMMANDS[name]).main(rest))
    sys.stderr.write(f"usage: cardroom {{{','.join(COMMANDS)}}} …\n")
    return 2


if __name__ == "__main__":
    sys.exit(main())
