"""Django's Postgres, with a pool that notices a restarted server without asking it."""
