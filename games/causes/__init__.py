"""Which facts of matches and tournaments become causes (`accounts.notifications`).

Nothing here is on the way of a move. That somebody is to act is a fact of the match's row, written
by the statement of the move, so the row is the outbox (design): a beat reads it and writes the
cause *match M, version V, seat S*. The key is unique, so a fact that is read again, or by two at
once, is owed once; a process that dies has forgotten nothing, as the row still says it. The same
holds for invitations and boards. Only accounts that want to be told are looked at, from their seats
to their matches by the index of unfinished seats: without channels the beat reads one empty list.
"""
