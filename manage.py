#!/usr/bin/env python
"""The command line of the project."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["serve"]:  # it lives for long, and needs the standard library only
        from config.host.serve import main as serve

        serve(sys.argv[2:])
        return
    if sys.argv[1:] in (["--version"], ["version"]):
        from config.version import written

        sys.stdout.write(f"Cardroom {written()}\n")
        return
    # A command may take its time: migrations, checks of all matches.
    os.environ.setdefault("DATABASE_STATEMENT_SECONDS", "0")
    os.environ.setdefault("DATABASE_LOCK_SECONDS", "0")
    from django.core.management import execute_from_command_line

    from config.host.embedded.processes import ServiceError
    from config.telemetry.logs import is_outage

    try:
        execute_from_command_line(sys.argv)
    except ServiceError as error:  # the settings look for the state folder
        sys.exit(str(error))
    except Exception as error:
        if not is_outage(error):
            raise
        sys.exit(_why_not(error))


def _why_not(error: Exception) -> str:
    """Which server could not be reached, and why."""
    from config.host import reaching

    return "\n".join(fault.sentence for fault in reaching.faults()) or str(error).strip()


if __name__ == "__main__":
    main()
