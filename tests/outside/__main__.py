"""``python -m tests.outside FOLDER``: every test that a game of this tree goes through, over the
game in this folder, in a process in which the catalogue has it (``make game GAME=FOLDER``).

What follows the folder is for pytest.
"""

import sys
from pathlib import Path

from tests.outside.process import tried

if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit(__doc__)
    sys.exit(tried(Path(sys.argv[1]), *sys.argv[2:]).returncode)
