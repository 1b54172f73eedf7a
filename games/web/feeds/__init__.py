"""What other programs read again and again: a calendar, and feeds of matches and of results."""
