"""Matches over HTTP: their resources and actions, moves by both doors, streams."""
