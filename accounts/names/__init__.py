"""Names: how they are shown, which are too alike, how guests are called."""
