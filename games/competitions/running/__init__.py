"""What is done with a tournament: created, joined, paid by the beat, looked after by operators.

Locks are taken in one order: the tournament, its boards, then accounts by their ids.
"""
