"""Sealed answers: what a seat has handed in, with the digests that everybody may see until the reveal."""

from engine.drafts import open_and_kept
from engine.proof import part_nonce, seal
from engine.steps import Ask, By, Draft
from engine.table_events import Answer, KeptAnswer

NONCE = 32  # hex digits


def may_keep(ask: Ask) -> bool:
    """Whether words of an answer to this ask may stay secret at the reveal."""
    return type(ask).kept is not Ask.kept


def sealed_answer(ask: Ask, commitment: str, round: int, seat: int, draft: Draft, secret: str, by: By) -> Answer:
    """The answer of a seat, with nonces derived from its secret.

    If an ask allows secret words, every seat gets a second digest, also a seat without secret words. Otherwise the
    digests would show which seats keep nothing secret.
    """
    words, nonce, kept = draft, secret[:NONCE], ""
    if may_keep(ask):
        words, closed = open_and_kept(ask, draft)
        nonce = part_nonce(secret, "open")
        kept = seal(commitment, round, seat, closed, part_nonce(secret, "kept"))
    return Answer(seat, words, nonce, seal(commitment, round, seat, words, nonce), kept, by)


def kept_answer(ask: Ask, round: int, draft: Draft, secret: str, answer: Answer) -> KeptAnswer:
    """The secret part of a sealed answer, as it is published at the end."""
    _, words = open_and_kept(ask, draft)
    return KeptAnswer(round, answer.seat, words, part_nonce(secret, "kept"), answer.kept)
