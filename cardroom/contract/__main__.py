import sys

from cardroom.contract.command import main

sys.exit(main())
