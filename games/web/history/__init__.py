"""A person's own matches that are over, as a list to read."""
