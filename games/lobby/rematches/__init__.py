"""The same people once more: who wants it, who does not, and the score of all they played."""
