"""Games that are wrong in one thing each: what the contract must catch (test_mutants.py)."""

from tests.rules.mutants import plays, secrets, worlds
from tests.rules.mutants.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = (*plays.MUTANTS, *secrets.MUTANTS, *worlds.MUTANTS)
