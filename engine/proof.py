"""Commitments and seals, which make a deal verifiable, and the canonical bytes that they hash."""

import hmac
from collections.abc import Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct

# JSON in UTF-8 without whitespace, fields in declaration order. Hashed values contain no dicts.
canonical = msgspec.json.Encoder().encode


class Deal(Struct, frozen=True):
    """Where a table's randomness comes from: the server's secret seed and each seat's salt (hex; "" for none)."""

    seed: str
    salts: tuple[str, ...]

    @property
    def commitment(self) -> str:
        return commitment_to(self.seed)

    def mixed(self) -> str:
        """The stream's seed. The server commits to its seed before it sees a salt, and a seat pledges its salt without
        knowing the seed or another salt, so nobody can choose the cards."""
        return hmac.digest(bytes.fromhex(self.seed), canonical(["facedown deal", *self.salts]), "sha256").hex()


def commitment_to(seed: str) -> str:
    return sha256(canonical(["facedown seed", seed])).hexdigest()


def pledge_to(commitment: str, salt: str) -> str:
    """The digest of a salt, which its seat tells before the start: the salt is opened when all pledges are known."""
    return sha256(canonical(["facedown salt", commitment, salt])).hexdigest()


def seal(commitment: str, round: int, seat: int, words: Sequence[str], nonce: str) -> str:
    """The digest of a sealed answer or its kept part. It is public at once; its nonce is published with the words."""
    return sha256(canonical(["facedown move", commitment, round, seat, words, nonce])).hexdigest()


def part_nonce(secret: str, part: str) -> str:
    """Derive a part's nonce from the hand-in's secret, so that one part's nonce reveals nothing about the other's."""
    return hmac.digest(bytes.fromhex(secret), part.encode(), "sha256").hex()[:32]
