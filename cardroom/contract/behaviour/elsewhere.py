"""``python -m cardroom.contract.behaviour.elsewhere MODULE:GAME``: the same, elsewhere."""

import sys

from cardroom.contract.behaviour.chance import lines_of
from cardroom.contract.naming import find

if __name__ == "__main__":
    for line in lines_of(find(sys.argv[1])):
        sys.stdout.write(f"{line}\n")
