"""The pages of accounts in the admin, a module for each subject."""

from accounts.admin import audit, keys, people, programs, security

__all__ = ["audit", "keys", "people", "programs", "security"]
