"""Queues, the broker, and announcements after a commit."""
