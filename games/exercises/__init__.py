"""Exercises: positions of finished matches in which one move is clearly best.

``positions`` and ``finding`` are plain functions of a record. The rest keeps exercises in rows,
collects them in the batch queue, and rates those who solve them.
"""
