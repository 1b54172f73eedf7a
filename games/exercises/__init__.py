"""Exercises: positions of finished matches in which one move is clearly best.

``searching`` is plain functions of a record. ``collecting`` brings exercises in;
the rest shows them and rates those who solve them.
"""
