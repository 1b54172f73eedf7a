"""The turns of computers: which are due, how they are thought out and played."""
