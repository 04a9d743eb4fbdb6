"""Tokens for links, which cannot be guessed, and short codes that people read aloud and type."""

import hashlib
import re
import secrets
import unicodedata

ALPHABET = "23456789ACDEFHJKMNPRTUVWXY"  # without characters that look alike
LENGTH = 6

# Typed instead of characters of ALPHABET: Cyrillic letters that look Latin, and Latin letters that look like digits.
CYRILLIC = str.maketrans("АВЕКМНОРСТУХ", "ABEKMHOPCTYX")
ALIKE = str.maketrans("OQILBGSZ", "00118652")
TOKEN_LENGTH = 22
TOKEN = re.compile(rf"[A-Za-z0-9_-]{{{TOKEN_LENGTH}}}")


def new_token() -> str:
    """A random token of 128 bits."""
    return secrets.token_urlsafe(16)


def is_token(text: str) -> bool:
    """Whether `new_token` could have made this text."""
    return TOKEN.fullmatch(text) is not None


def new_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def fold(typed: str) -> str:
    """The code that this text stands for; "" if none."""
    upper = unicodedata.normalize("NFKC", typed[:64]).upper().translate(CYRILLIC).translate(ALIKE)
    code = "".join(c for c in upper if c.isalnum())
    return code if len(code) == LENGTH and code.isascii() else ""


def mark(person: str) -> str:
    """A short text by which a person can be recognized, but not imitated."""
    return digest(person)[:16]


def new_link(person: str) -> str:
    """A one-time token of this person, which ends in the person's mark."""
    return new_token() + mark(person)


def mark_of(link: str) -> str:
    """The mark of whoever has made this link; "" if it has none."""
    return link[TOKEN_LENGTH:]


def digest(token: str) -> str:
    """The hash that is stored instead of a one-time token."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
