"""What was rendered or encoded for one client is remembered for the others."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class Key(NamedTuple):
    table: str
    revision: int  # of the table's picture; the part depends on nothing that changes without it
    part: str
    language: str = ""
    viewer: Hashable = None  # whatever else the part depends on; None for what is the same for everybody


class RenderCache:
    """A cache for all tables; the entries that were not used for the longest time are dropped.

    Clients that see the same ask for it right after each other, later almost nobody does: a small cache is enough, and
    tables need not keep their HTML.
    """

    MOST = 1024  # entries; the largest fragments have some 50 kB, most of them less than 10

    def __init__(self) -> None:
        self.entries: OrderedDict[Key, Any] = OrderedDict()

    def get(self, key: Key, make: Callable[[], T]) -> T:
        """The entry of this key; it is made if it is not there."""
        found: T | None = self.entries.get(key)
        if found is None:
            found = self.entries[key] = make()
            if len(self.entries) > self.MOST:
                self.entries.popitem(last=False)
        else:
            self.entries.move_to_end(key)
        return found
