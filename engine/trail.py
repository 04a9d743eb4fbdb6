"""Stepping back: which steps of a scope their player can still take back, and the state before them."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

from engine.game import N_
from engine.steps import By, Draft
from engine.views import StepsBack

ACTED = N_("another player has acted since")
AT_ANY_TIME = N_("another move has been made since")
CHANCE = N_("chance has decided")
KEPT = N_("a secret choice has been made")
SEVERAL = N_("others are choosing as well")
TIME = N_("the time ran out")

NOTHING = Raw(b"null")


class MadeStep(Struct, frozen=True, gc=False):
    round: int
    words: Draft
    by: By


class Trail(Struct, frozen=True, gc=False):
    """The newest steps of one seat in one scope. The state before a step is rebuilt from `base`
    by repeating the steps that precede it."""

    scope: str
    seat: int | None  # None: several seats were asked together
    # The reason, shown to the player, why steps older than `steps` cannot be taken back; "" if the scope has no older
    # steps.
    why: str = ""
    base: Raw = NOTHING  # the encoded state before the first of `steps`
    steps: tuple[MadeStep, ...] = ()

    def add(self, state: Any, step: MadeStep) -> "Trail":
        """Return a trail with one more step, made in this state."""
        base = self.base if self.steps else Raw(msgspec.json.encode(state))
        return Trail(self.scope, self.seat, self.why, base, (*self.steps, step))

    def cut(self, why: str) -> "Trail":
        """Return a trail without steps; `why` says why the steps made so far cannot be taken back."""
        return msgspec.structs.replace(self, why=why, base=NOTHING, steps=())

    def back(self, seat: int, scope: str, asked: Sequence[int], hush: bool) -> StepsBack | None:
        """What this seat can take back while these seats are asked. It follows from public facts."""
        if self.seat != seat:
            return StepsBack(0, ACTED) if list(asked) == [seat] and self.scope == scope else None
        if self.steps and (hush or len(asked) > 1):  # answers that others have sealed are not thrown away
            return StepsBack(0, SEVERAL)
        return StepsBack(len(self.steps), self.why)

    def shortened(self) -> "Trail":
        """Return a trail without the last step."""
        steps = self.steps[:-1]
        return msgspec.structs.replace(self, base=self.base if steps else NOTHING, steps=steps)

    def copy(self) -> "Trail":
        """Return a copy whose `base` has its own bytes. A decoded `base` is a slice of the whole stored text and keeps
        all of it in memory."""
        return msgspec.structs.replace(self, base=self.base.copy())
