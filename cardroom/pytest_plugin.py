"""The options of the contract's tests; small, because it may be loaded with every run of pytest."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("cardroom", "the contract of a game of Cardroom")
    group.addoption(
        "--game", action="append", default=[], metavar="MODULE:GAME", help="a game to be checked"
    )
    group.addoption(
        "--times",
        type=int,
        default=25,
        metavar="N",
        help="how many times as many examples as a known game needs (%(default)s)",
    )
