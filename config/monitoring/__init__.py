"""Health probes, metrics and logs."""
