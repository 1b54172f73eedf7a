"""Health probes, and what looks at all of an installation."""
