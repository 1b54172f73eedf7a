"""``manage.py newgame``: a package with a whole small game, from which an author goes on.

``template`` is that game, a package like any other: it is linted, typed and tested here, and
written with other names there. ``files`` are what stands around it.
"""
