"""The strength of people and computers.

Computers of this tree were rated before they were released (``selectors``), those of games from
outside are here (``services``). People are rated by the matches that they
finish (``people``), on the same scale.
"""
