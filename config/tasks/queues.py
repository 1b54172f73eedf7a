"""The names of the task queues, and which worker takes from which, the most urgent first."""

from typing import Final

INTERACTIVE: Final = "interactive"  # a person waits, and each task is short
SLOW: Final = "slow"  # a person waits for a bot that thinks long
CHECKS: Final = "checks"  # a request waits for the judgement on a record
SOON: Final = "soon"  # duties for which people wait (config.tasks.duties)
ALONE: Final = "alone"  # matches without a person
LONG: Final = "long"  # duties that take long: simulations, analyses, work of the night
OUTWARD: Final = "outward"  # mail, messages to browsers, webhooks: servers of strangers

TASK: Final = "duty"  # one piece of a duty

# Workers that are not called like a queue of theirs.
DUTIES: Final = "duties"
BATCH: Final = "batch"  # whatever thinks for a person, and matches without one

WORKERS: Final = {
    INTERACTIVE: (INTERACTIVE,),
    DUTIES: (SOON,),
    BATCH: (SLOW, CHECKS, ALONE),
    LONG: (LONG,),
    OUTWARD: (OUTWARD,),
}
