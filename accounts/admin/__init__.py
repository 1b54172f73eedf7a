"""The operators' pages of accounts; one module a subject."""

from accounts.admin import keys, people, security

__all__ = ["keys", "people", "security"]
