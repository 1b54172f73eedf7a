"""Tournaments over the API: created, joined, followed, and their results as files."""
