"""``python -m tests.rules.golden``: as ``python -m cardroom.contract.golden``, which says how."""

import sys

from cardroom.contract.golden import main

if __name__ == "__main__":
    main(sys.argv[1:])
