"""Why a move is not accepted."""

from typing import Literal

MoveErrorReason = Literal[
    "over",
    "past_round",
    "future_round",
    "not_asked",
    "already_in",
    "not_legal",
    "nothing_to_undo",
    "no_way_back",
]


class MoveError(Exception):
    """A move was not accepted. The table is unchanged."""

    def __init__(self, reason: MoveErrorReason) -> None:
        super().__init__(reason)
        self.reason: MoveErrorReason = reason
