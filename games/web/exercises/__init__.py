"""The pages of exercises: the overview, and a position at the table's look."""
