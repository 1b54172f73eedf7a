import sys

from cardroom.rules.contract.command import main

sys.exit(main())
