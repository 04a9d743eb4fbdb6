"""A table's random numbers: one seed, one portable stream."""

from hashlib import sha256
from typing import Any

from msgspec import Struct

WORD = 2**64


class Chance(Struct):
    """Word n is the first eight bytes, big-endian, of the SHA-256 of the seed followed by n as eight bytes.

    Any language can reproduce the stream, so any program can repeat a table's deal.
    """

    seed: str  # hex
    used: int = 0

    def word(self) -> int:
        block = sha256(bytes.fromhex(self.seed) + self.used.to_bytes(8)).digest()
        self.used += 1
        return int.from_bytes(block[:8])

    def below(self, n: int) -> int:
        """A uniform number from 0 to n - 1: words at or above the last multiple of n are discarded."""
        fair = WORD - WORD % n
        while (word := self.word()) >= fair:
            pass
        return word % n

    def shuffle(self, cards: list[Any]) -> None:
        """Fisher-Yates from the end: position i is swapped with a random position from 0 to i."""
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
