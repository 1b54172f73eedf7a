"""Names: which are allowed, which are too alike, and those that guests are given."""
