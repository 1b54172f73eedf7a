"""Tournaments: people and computers who play each other by a form that was fixed beforehand.

The rows say what is owed: a round that is to be paired, a board whose match was never opened, a
match that is over and was not read. ``running.advancing`` advances it, a duty, and any process
may die between two of its steps. Pairings and standings are functions of values (``rules``), so
standings are never stored: they follow from the boards.
"""
