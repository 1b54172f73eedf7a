"""The saves of a match and the matches loaded from them, drawn as a tree."""
