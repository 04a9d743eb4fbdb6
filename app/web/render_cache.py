"""What was rendered or encoded for one client is remembered for the others."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


# The table's id; a revision of its picture that changes whenever the part may change; the part; the language; whatever
# else the part depends on, None if it is the same for everybody.
Key = tuple[str, int, str, str, Hashable]


class RenderCache:
    """A cache for all tables. When `recent` is full it becomes `older`, and what was in `older` is dropped.

    Clients that see the same ask for it right after each other, later almost nobody does: a small cache is enough, and
    tables need not keep their HTML.
    """

    MOST = 512  # entries in each generation; the largest fragments have some 50 kB, most of them less than 10

    def __init__(self) -> None:
        self.recent: dict[Key, Any] = {}
        self.older: dict[Key, Any] = {}

    def get(self, key: Key, make: Callable[[], T]) -> T:
        """The entry of this key; it is made if it is not there."""
        found: T | None = self.recent.get(key)
        if found is None:
            found = self.older.get(key)
            if found is None:
                found = make()
            if len(self.recent) >= self.MOST:
                self.recent, self.older = {}, self.recent
            self.recent[key] = found
        return found

    def clear(self) -> None:
        self.recent, self.older = {}, {}
