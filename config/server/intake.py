"""Counts what clients have sent of requests that are not answered yet, in all and by address.

To be used in the thread of the event loop.
"""

from collections import Counter

from config.api.errors import Unavailable
from config.refusals import TooManyRequests
from config.server import limits


class Intake:
    """One a process: requests whose body is not whole, and bytes of bodies that are held."""

    def __init__(self) -> None:
        self.requests: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()
        self._requests = self._bytes = 0

    def begin(self, address: str) -> None:
        """One more request of this address. Raises a refusal where there are too many."""
        if self.requests[address] >= limits.UNFINISHED_OF_ONE:
            raise TooManyRequests("Too many requests from your address are not complete yet.")
        if self._requests >= limits.UNFINISHED:
            raise Unavailable("Too many requests are not complete yet. Try again in a minute.")
        self.requests[address] += 1
        self._requests += 1

    def hold(self, address: str, size: int) -> None:
        """So many bytes more. They count, whether it refuses or not, until they are `left`."""
        self.bytes[address] += size
        self._bytes += size
        if self.bytes[address] > limits.BODY_BYTES_OF_ONE:
            raise TooManyRequests("Your address sends too much at the same time.")
        if self._bytes > limits.BODY_BYTES:
            raise Unavailable("Too much is sent at the same time. Try again in a minute.")

    def end(self, address: str) -> None:
        """The body of a request is whole, or will never be."""
        self._requests -= 1
        _less(self.requests, address, 1)

    def leave(self, address: str, size: int) -> None:
        """So many bytes are not held any more."""
        self._bytes -= size
        _less(self.bytes, address, size)


def _less(counts: Counter[str], address: str, number: int) -> None:
    counts[address] -= number
    if counts[address] <= 0:
        del counts[address]


intake = Intake()
