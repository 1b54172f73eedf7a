"""Pages about people: the friends of the reader, and everybody's profile."""
