"""What staff did and looked at, and why: a log that nobody can change (migration 0001)."""
