"""The processes of an installation: web, worker, beat."""
