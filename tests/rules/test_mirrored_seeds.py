"""Seeds of mirrored matches (FORMAT.md §1): salt changes the commitment and deals no card."""

from hashlib import sha256
from random import Random

import msgspec
import pytest

from cardroom.contract.playing import Sitting
from cardroom.rules import catalog, record
from cardroom.rules.cards import pack
from cardroom.rules.shuffles import Sealed, commitment

SECRET, SALT = bytes(range(32)), bytes(range(32, 64))
PISTI = catalog.find("pisti")


def told(seed):
    """The record of a short match from this seed, as JSON."""
    sitting = Sitting(PISTI, PISTI.choose_options({"target_score": None}), seed)
    sitting.begin()
    sitting.play_on(Random(1), 4000)
    return msgspec.json.decode(record.write(sitting.record()))


def test_salt_deals_the_same_cards():
    for k in range(3):
        assert Sealed(SECRET + SALT, k)(pack(52)) == Sealed(SECRET, k)(pack(52))


def test_salt_makes_another_commitment():
    assert commitment(SECRET + SALT) == sha256(SECRET + SALT).hexdigest()
    assert (
        len({commitment(SECRET + bytes([n]) * 32) for n in range(9)} | {commitment(SECRET)}) == 10
    )


def test_the_record_of_a_mirrored_match_verifies_and_differs_in_its_seal_alone():
    plain, mirrored = told(SECRET), told(SECRET + SALT)
    assert record.verify(mirrored) is None
    assert len(mirrored["seed"]) == 128
    sealed = {"seed": plain["seed"], "commitment": plain["commitment"]}
    assert mirrored | sealed == plain


@pytest.mark.parametrize("seed", ["00" * 31, "00" * 33, "00" * 63, "00" * 65, "zz" * 32])
def test_a_seed_has_32_bytes_or_64(seed):
    fault = record.verify(told(SECRET) | {"seed": seed})
    assert fault is not None
    assert "seed" in fault.fault


def test_another_salt_is_another_seal():
    other = told(SECRET + SALT) | {"seed": (SECRET + bytes(32)).hex()}
    assert record.verify(other).fault == "The commitment is not the SHA-256 of the seed."


def test_another_secret_deals_other_cards():
    seed = bytes(32) + SALT
    other = told(SECRET + SALT) | {"seed": seed.hex(), "commitment": commitment(seed)}
    assert record.verify(other) is not None
