"""The operators' pages of accounts; one module a subject."""

from accounts.admin import audit, keys, people, security

__all__ = ["audit", "keys", "people", "security"]
