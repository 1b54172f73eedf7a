"""The deal of the day: one sealed deal of each game for everybody, one try for each account.

The commitment is published the day before, the seed is revealed the day after (FORMAT.md §1). Until
then a match of the day tells nothing but what its own seat saw (``matches.selectors.secrecy``), and
nobody reads how others did. What is owed is a fact in a row: the beat makes tomorrow's deals, ends
and reveals yesterday's, and lets the computers play what is revealed. Days are those of UTC.
"""
