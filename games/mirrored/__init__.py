"""Mirrored matches: the same deals are played twice, the sides swapped, to tell skill from luck.

There are two forms. In both each pair of matches has a secret of its own, from which both are
dealt, and each match has salt of its own (FORMAT.md §1), so that nobody sees by the commitments
which are a pair.

* A **set**: two sides play several pairs, one match after the other, in an order drawn by lot in
  which no match stands beside its twin. The players know that they play such a set, and how many
  matches it has. Nothing tells them which were dealt alike but the cards: what lies open in a deal
  lies open in its twin, and a player who remembers it knows the rival's hand and the stock
  (tests/mirrored/test_secrecy.py). Cards that the rules tell apart cannot be disguised, so
  a set is not rated. A computer of the house remembers nothing of other matches; a bot account
  would remember all, and plays in no set.
* A **duplicate**: two teams, two tables. One partner plays the first side at one table, the other
  one the second side at the other table, and nobody plays a deal twice. Nothing can be recognised,
  so it is rated, bot accounts may play, and one pair is enough.

Why one after the other: the players of a set see half of the cards at each table. If twins were
played at the same time, each player would look the opponent's hand up at the other table. Why
several pairs: the second match after the first one would be the same cards again, for certain.

Nobody learns more of a match than its seats saw until all of its set are over, whatever the door:
its deal is a ``SharedDeal`` that is not revealed before (``games.matches.selectors.secrecy``). No
match of a set is watched by others meanwhile, not even by its host from another table, and none is
loaded, taken back or rolled back: afterwards the two would not be dealt alike any more.
"""
