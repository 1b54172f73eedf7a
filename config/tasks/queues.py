"""The names of the task queues, and which worker takes from which, the most urgent first."""

from typing import Final

INTERACTIVE: Final = "interactive"  # a person waits, and each task is short
SLOW: Final = "slow"  # a person waits for a bot that thinks long
CHECKS: Final = "checks"  # a request waits for the judgement on a record
ALONE: Final = "alone"  # matches without a person
BATCH: Final = "batch"  # simulations and deck measurements
OUTWARD: Final = "outward"  # mail, messages to browsers, webhooks: servers of strangers

WORKERS: Final = {
    INTERACTIVE: (INTERACTIVE,),
    BATCH: (SLOW, CHECKS, ALONE, BATCH),
    OUTWARD: (OUTWARD,),
}
