"""Matches without a clock in which somebody is awaited for long.

After a day that person is nudged, once for each turn. After three days the others need not wait any
more: one of them claims the match, or calls it off. A nudge is a row: channels that reach a person
elsewhere read what they have not sent yet. Nothing here is on the way of a move.
"""
