"""Times at which the clock of a person stands still: quiet hours of the day, and holidays.

It counts where a move has days (`games.matches.commit`). Quiet hours and time zone are those of
the notifications: a person chooses them once, and says apart whether clocks stand still in them,
because then others see them. ``counting`` is plain functions of values: from the moment at which a
turn begins, the time that it has, and what rests, to its deadline.

What is in force when a turn begins holds for that turn. So nothing that is changed later saves
anybody whose time is nearly over, and nobody's time gets shorter.
"""
