"""Metrics, lines of the log, and the request or task that they belong to."""
