"""The table of Shithead: its scene, the own seat, what happened in words."""
