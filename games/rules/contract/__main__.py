import sys

from games.rules.contract.command import main

sys.exit(main())
