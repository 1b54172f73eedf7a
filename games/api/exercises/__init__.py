"""Exercises over the API: the calls, and their bodies."""
