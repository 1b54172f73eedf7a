"""Webhooks: addresses of programs, called with what their account is told, and signed."""
