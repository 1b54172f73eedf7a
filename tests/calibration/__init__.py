"""Whether the coach's chances are right: decisions of matches that it never saw, and their ends."""
