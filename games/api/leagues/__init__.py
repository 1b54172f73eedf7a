"""Leagues over the API: their answers, and the calls."""
