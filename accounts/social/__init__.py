"""Who wants to meet whom: the accounts that an account has blocked."""
