"""What makes a deal checkable: commitments, seals, and the canonical bytes that they are made of."""

import hmac
from collections.abc import Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct

# JSON in UTF-8 without blanks, everything in the order in which it was told. What is hashed holds no dicts.
canonical = msgspec.json.Encoder().encode


class Deal(Struct, frozen=True):
    """The table's chance: the server's secret seed and what each seat's browser threw in (hex; "" for none)."""

    seed: str
    salts: tuple[str, ...]

    @property
    def commitment(self) -> str:
        return commit(self.seed)

    def mixed(self) -> str:
        """The seed of the stream. The server was bound by its commitment before it saw any salt, and no seat knew the
        seed when it chose its salt, so neither can steer the cards."""
        return hmac.digest(bytes.fromhex(self.seed), canonical(["facedown deal", *self.salts]), "sha256").hex()


def commit(seed: str) -> str:
    return sha256(canonical(["facedown seed", seed])).hexdigest()


def seal(commitment: str, round: int, seat: int, words: Sequence[str], nonce: str) -> str:
    """The digest of a sealed answer or of the kept part of one. It is public at once, the nonce when the words are."""
    return sha256(canonical(["facedown move", commitment, round, seat, words, nonce])).hexdigest()


def part_nonce(secret: str, part: str) -> str:
    """One secret a hand-in; opening one part's nonce must not help to guess the other part."""
    return hmac.digest(bytes.fromhex(secret), part.encode(), "sha256").hex()[:32]
