"""The accounts that an account has blocked."""
