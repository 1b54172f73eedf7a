"""Watching: figures, troubles, matches by name, reports, looks that are logged."""
