"""Knowledge of people from their matches: results, who met whom, profiles.

A finished match is a fact in its row. ``counting`` finds it there and writes one ``Result`` for
each person, with the tallies that follow from it, in one statement; so each is counted once,
whatever becomes of messages and processes, and the move that ends a match does nothing for it.
``manage.py recount`` proves all of it from the matches.
"""
