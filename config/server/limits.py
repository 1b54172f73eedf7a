"""How long a client may take, and how many unanswered requests and bytes it may hold.

The numbers are those of one process. An address is that of `config.counting.client_address`;
connections are counted by their peer, because headers come later and only they name the caller
behind a proxy.
"""

from typing import Final

from config.environment import Environment

env = Environment()

SECONDS_FOR_HEADERS: Final[float] = env.float("HEADER_SECONDS", default=10.0)
SECONDS_FOR_BODY: Final[float] = env.float("BODY_SECONDS", default=30.0)
SECONDS_TO_LINGER: Final = 2.0  # after a refusal, for a client that still sends

LARGEST_HEAD: Final = 64 * 1024  # the first line and the headers
SMALL_BODY: Final = 64 * 1024  # every view reads as much

BODY_BYTES: Final[int] = env.int("BODY_BYTES_PER_PROCESS", default=64 * 2**20)
BODY_BYTES_OF_ONE: Final[int] = env.int("BODY_BYTES_PER_ADDRESS", default=8 * 2**20)
UNFINISHED: Final[int] = env.int("UNFINISHED_PER_PROCESS", default=1000)
UNFINISHED_OF_ONE: Final[int] = env.int("UNFINISHED_PER_ADDRESS", default=100)
CONNECTIONS: Final[int] = env.int("CONNECTIONS_PER_PROCESS", default=4000)
CONNECTIONS_OF_ONE: Final[int] = env.int("CONNECTIONS_PER_ADDRESS", default=500)
PROXIES: Final[int] = env.int("PROXIES", default=0)
