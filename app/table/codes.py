"""What stands in links and is read aloud: unguessable tokens, and codes that survive bad handwriting."""

import hashlib
import secrets
import unicodedata

ALPHABET = "23456789ACDEFHJKMNPRTUVWXY"  # none of them looks like another
LENGTH = 6

# What people type for what they see: Cyrillic letters that look Latin, and Latin letters that look like digits.
CYRILLIC = str.maketrans("АВЕКМНОРСТУХ", "ABEKMHOPCTYX")
ALIKE = str.maketrans("OQILBGSZ", "00118652")


def new_token() -> str:
    """128 bits for a link; also for whoever needs a name that nobody guesses."""
    return secrets.token_urlsafe(16)


def new_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def fold(typed: str) -> str:
    """The code that was meant; "" if it cannot have been one."""
    upper = unicodedata.normalize("NFKC", typed[:64]).upper().translate(CYRILLIC).translate(ALIKE)
    kept = "".join(c for c in upper if c.isalnum())
    return kept if len(kept) == LENGTH and kept.isascii() else ""


def digest(token: str) -> str:
    """How a one-time token is stored."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
