"""Moves: the door and its invariants, batches, judging, reads with a key, kept snapshots."""
