"""Commitments and seals compared with a calculation by hand, following docs/proof.md."""

import hashlib
import hmac
import json

from engine.proof import Deal, canonical, commitment_to, part_nonce, seal

SEED = bytes(range(32)).hex()


def by_hand(*content: object) -> str:
    return hashlib.sha256(json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()


def test_a_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment_to(SEED) == Deal(SEED, ()).commitment == by_hand("facedown seed", SEED)
    assert commitment_to(SEED) == "1f27d69603a2e726023a2a1039b68fc1181156e33e500b00f59f4b406c14456c"


def test_the_mixed_seed_depends_on_the_seed_and_on_every_salt_in_order() -> None:
    message = json.dumps(["facedown deal", "aa", "", "bb"], separators=(",", ":")).encode()
    mixed = hmac.new(bytes.fromhex(SEED), message, hashlib.sha256).hexdigest()
    assert Deal(SEED, ("aa", "", "bb")).mixed() == mixed
    assert mixed == "3c5653175b45a0a7c7890bc9d70d544f9ec7e26a55033f55d8441c4018aabe42"
    others = [("aa", "bb", ""), ("aa", "", "bc"), ("aa", "", "bb", ""), ("aabb", "", "")]
    assert len({Deal(SEED, salts).mixed() for salts in others} | {mixed}) == 5


def test_a_seal_is_bound_to_table_round_seat_words_and_nonce() -> None:
    plain = seal("c", 7, 2, ("lift C3", "done"), "ab")
    assert plain == by_hand("facedown move", "c", 7, 2, ["lift C3", "done"], "ab")
    others = [
        seal("d", 7, 2, ("lift C3", "done"), "ab"),
        seal("c", 8, 2, ("lift C3", "done"), "ab"),
        seal("c", 7, 3, ("lift C3", "done"), "ab"),
        seal("c", 7, 2, ("lift", "C3", "done"), "ab"),
        seal("c", 7, 2, ("lift C3", "done"), "ac"),
    ]
    assert len({plain, *others}) == 6


def test_one_part_opened_says_nothing_of_the_other() -> None:
    secret = "5a" * 16
    assert part_nonce(secret, "open") != part_nonce(secret, "kept")
    assert len(part_nonce(secret, "open")) == 32
    assert part_nonce(secret, "open") == hmac.new(bytes.fromhex(secret), b"open", hashlib.sha256).hexdigest()[:32]


def test_one_text_for_one_thing() -> None:
    """Canonical bytes have no whitespace and no escaped letters; json.dumps gives the same."""
    thing = ['карта <&"\\\n\u2028', {"b": [1, None, True, "ä"], "a": {2: "x", 10: "y"}}]
    assert canonical(thing) == json.dumps(thing, separators=(",", ":"), ensure_ascii=False).encode()
