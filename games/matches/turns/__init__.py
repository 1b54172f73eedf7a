"""The turns of computers: taken when they are due, thought out, played."""
