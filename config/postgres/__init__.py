"""Django's Postgres backend, with a pool that notices a restarted server without a query."""
