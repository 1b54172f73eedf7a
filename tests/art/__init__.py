"""Cardroom's own drawings, made from a few shapes: `make art` writes them, CC0.

Cards are drawn for small sizes: one sprite holds the fronts, whose suits take the colour of the
page, so that four colours are a matter of style; backs are files of their own. Faces of players and
computers are parts of another sprite, put together by `games/templatetags/faces.py`. Type is cut
from two open faces (`tests/art/type.py`).
"""
