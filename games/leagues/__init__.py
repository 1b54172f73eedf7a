"""Leagues: weekly divisions of each game, with promotion and relegation.

Counted are public rated matches of people, from tournaments too, that ended in the week (UTC,
from Monday to Monday). The points are a pure function of them (``points``), tiers and divisions one
of the week before (``tiers``). A running week is counted when it is read; the beat closes it once,
and the next one opens in the same transaction. A closed week stands: a match that is annulled later
still counts there, because people have moved by it, and ``manage.py recount`` knows it.
"""
