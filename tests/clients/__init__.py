"""Clients: those that the service serves, and those that are generated from its document."""
