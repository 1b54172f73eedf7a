"""Queues, the broker, and what leaves a process after its commit."""
