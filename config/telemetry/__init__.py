"""Metrics, lines of the log, and the request or task that they belong to."""

import os

# The library takes an empty one for the working directory, from its first import on.
for _name in ("PROMETHEUS_MULTIPROC_DIR", "prometheus_multiproc_dir"):
    if not os.environ.get(_name, "unset"):
        del os.environ[_name]
