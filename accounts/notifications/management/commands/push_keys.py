"""Makes the key with which this service signs messages to browsers."""

from base64 import urlsafe_b64encode
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Prints a new key for messages to browsers, as a line for the environment."

    def handle(self, *_: Any, **__: Any) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        number = key.private_numbers().private_value.to_bytes(32, "big")
        text = urlsafe_b64encode(number).rstrip(b"=").decode()
        self.stdout.write(f"VAPID_PRIVATE_KEY={text}")
        self.stderr.write(
            "Set it for every process and keep it: with another one all browsers subscribe again."
        )
