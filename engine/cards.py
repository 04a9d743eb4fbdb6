"""Loads card files: TOML files that hold a game's cards as data. A mistake is told by file, card and field.

A kind of card is a subclass of `CardRecord`, and `CardFile.cards("monster", Monster)` reads every `[[monster]]` of the
file.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec
from msgspec import Meta, Struct

T = TypeVar("T")
Count = Annotated[int, Meta(ge=0)]
Some = Annotated[int, Meta(ge=1)]
Word = Annotated[str, Meta(pattern=r"\A[a-z]+(_[a-z]+)*\Z")]


class CardError(ValueError):
    """A card file is wrong. The message names the file, the card and the field."""


class CardRecord(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A card as the file has it. The types of its fields are checked; `faults` checks what types cannot express."""

    named: ClassVar[str] = "name"  # the field by which errors name a card

    def faults(self) -> Iterable[str]:
        """What is wrong, each as "field: text"."""
        return ()


class CardFile:
    """A card file that is being read. `known` are its keys; all methods raise CardError."""

    def __init__(self, text: str, known: Collection[str], source: str = "cards.toml") -> None:
        self.source = source
        try:
            self.data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise CardError(f"{source}: {error}") from None
        if unknown := self.data.keys() - set(known):
            raise CardError(f"{source}: unknown: {', '.join(sorted(unknown))}")

    def error(self, where: str, fault: str) -> CardError:
        return CardError(f"{self.source}, {where}: {fault}")

    def table(self, key: str, form: type[T]) -> T:
        """The table `[key]`."""
        if key not in self.data:
            raise CardError(f"{self.source}: [{key}] is missing")
        return self.read(key, form, self.data[key])

    def tables(self, key: str, form: type[T], names: Any = str) -> dict[str, T]:
        """The tables `[key.a]`, `[key.b]`, or the values of `[key]`, by name; `names` is the type of the names. There
        must be one."""
        found = self.data.get(key)
        if not isinstance(found, dict) or not found:
            raise CardError(f"{self.source}: there is no [{key}.…]")
        return {self.read(key, names, name): self.read(f"{key} {name}", form, one) for name, one in found.items()}

    def cards(self, key: str, form: type[T], unique: bool = True) -> list[T]:
        """The cards `[[key]]`. `unique`: no two have the same name."""
        found = self.data.get(key, [])
        if not isinstance(found, list):
            raise CardError(f"{self.source}: {key}: write [[{key}]], with two brackets")
        named = getattr(form, "named", CardRecord.named)
        names = [name_of(entry, named) or f"no. {n}" for n, entry in enumerate(found, 1)]
        cards = [self.read(f"{key} {name}", form, entry) for name, entry in zip(names, found, strict=True)]
        if unique:
            self.no_two(key, names)
        return cards

    def no_two(self, where: str, names: Iterable[str]) -> None:
        """No name may occur twice."""
        for name, times in Counter(names).items():
            if times > 1:
                raise self.error(where, f"{name} is there {times} times")

    def read(self, where: str, form: type[T], entry: Any) -> T:
        """One entry of the file as `form`; `where` is its name in errors."""
        try:
            found = msgspec.convert(entry, form, str_keys=True)
        except msgspec.ValidationError as error:
            raise self.error(where, plainly(str(error))) from None
        if isinstance(found, CardRecord):
            for fault in found.faults():
                raise self.error(where, fault)
        return found


def name_of(entry: Any, field: str) -> str:
    return str(entry.get(field, "")) if isinstance(entry, dict) else ""


# Messages of msgspec, and the same in words for somebody who writes a card file.
WORDS = {
    r"Object missing required field `(.+)`": r"\1 is missing",
    r"Object contains unknown field `(.+)`": r"there is no field \1",
    r"Expected `int` >= (.+)": r"the least is \1",
    r"Expected `int` <= (.+)": r"the most is \1",
    r"Expected `array` of length (\d+), got (\d+)": r"\2 entries, \1 are needed",
    r"Expected `array` of length >= (\d+)": r"at least \1 entries are needed",
    r"Expected `array` of length <= (\d+)": r"at most \1 entries are allowed",
    r"Expected `str` matching regex '(?:\\\\A)?(.+?)(?:\\\\Z)?'": r"it must match the pattern \1",
    r"Invalid enum value (.+)": r"\1 is not one of the allowed words",
    r"Expected `(.+)`, got `(.+)`": r"\2 in place of \1",
}
TYPES = {
    "int": "a whole number", "float": "a number", "str": "a text", "bool": "true or false", "array": "a list",
    "object": "a table", " | ": " or ",
}  # fmt: skip


def plainly(error: str) -> str:
    """msgspec's "Expected `int`, got `str` - at `$.wounds`" as "wounds: a text in place of a whole number"."""
    what, _, place = error.partition(" - at ")
    for pattern, words in WORDS.items():
        if found := re.fullmatch(pattern, what):
            what = found.expand(words)
            if pattern.startswith("Expected `("):
                what = what.replace(" | null", "")  # TOML has none
                what = re.sub(r"\b(?:int|float|str|bool|array|object)\b| \| ", lambda one: TYPES[one[0]], what)
            break
    field = re.search(r"\$\.?([^`]*)", place)
    name = field[1].replace("[...]", "") if field else ""  # msgspec does not say which entry of a mapping it is
    return f"{name}: {what}" if name else what
