"""Reads of matches."""
