"""Why a stream is not opened."""

from config.refusals import Refusal


class TooManyStreams(Refusal, status=429):
    """You have as many open streams as one account may have. Close one first."""


class TooManyStreamsHere(TooManyStreams):
    """Your address has as many open streams as one may have. Close one first."""
