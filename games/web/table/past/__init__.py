"""The table as it stood earlier: replays, and the pages of operators."""
