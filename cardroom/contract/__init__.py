"""The contract of a game as tests: ``pytest --pyargs cardroom_contract --game my_game:GAME``.

The checks are those of ``cardroom.rules.contract``; ``--game`` may be given several times, and
``--times`` sets how many times as many examples are tried as for a game that is long known.
"""
