"""The vocabulary of effects, and how a card file writes it (the rules page has the table).

An effect is a list of steps joined by " ; ". A helper's effect begins with its trigger ("on_open: …") or is a standing
change ("discount(open, 1)"). Nothing here knows the state of a game: `deeds` carries steps out.
"""

import re
from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct, structs

FOOD, TORCH, PICKAXE, GOLD, GLORY = range(5)
GOODS = ("food", "torch", "pickaxe", "gold", "glory")
RESOURCES = 3  # T-22 the first three of them

Goods = tuple[int, int, int, int, int]
NOTHING: Goods = (0, 0, 0, 0, 0)


class EffectFault(ValueError):
    """An effect is not written in the vocabulary."""


class Amount(Struct, frozen=True):
    """T-26 What is gained or spent; `any` is split over food, torch and pickaxe by the player, and so is `other`, but
    not to the type that was spent."""

    goods: Goods = NOTHING
    any: int = 0
    other: int = 0

    @property
    def free(self) -> int:
        """How many units the player splits."""
        return self.any + self.other


class EffectStep(Struct, frozen=True, tag_field="verb", tag=str.lower):
    """One step of an effect."""


class Gain(EffectStep, frozen=True):
    """T-80, T-87"""

    amount: Amount
    per: str = ""  # "adjacent_faction" or "helper_pair"
    others: Goods = NOTHING  # what every other player gains


class Exchange(EffectStep, frozen=True):
    """T-81"""

    cost: Amount
    amount: Amount
    times: int = 1
    again: bool = False  # one of `times` was made already


class Choose(EffectStep, frozen=True):
    """One of two exchanges."""

    first: Exchange
    second: Exchange


class IfFew(EffectStep, frozen=True):
    """T-170 One of two gains, by what the player had before the whole effect."""

    good: int
    under: int
    few: Gain
    enough: Gain


class Open(EffectStep, frozen=True):
    """T-73 to T-75, T-127"""

    source: str = "both"  # "both" or "camp"
    free: bool = False  # on an empty cell without a paw
    discount: int = 0
    apply: bool = False


class Hire(EffectStep, frozen=True):
    """T-78"""

    source: str = "both"
    discount: int = 0


class ReplaceSelf(EffectStep, frozen=True):
    """T-133"""

    discount: int = 0


class Reserve(EffectStep, frozen=True):
    """T-65 `cards`: "card", "room" or "helper"; from the markets or, T-121, from the discard piles."""

    cards: str = "card"
    discarded: bool = False


class Refresh(EffectStep, frozen=True):
    """T-71"""

    most: int


class MovePaw(EffectStep, frozen=True):
    """T-82, T-171"""

    entrances: bool = False


class PlacePaw(EffectStep, frozen=True):
    """T-116"""


class ChestDraw(EffectStep, frozen=True):
    count: int


class ChestFlip(EffectStep, frozen=True):
    """T-118, T-134"""


class ChestSell(EffectStep, frozen=True):
    """T-132"""

    goods: Goods


class Apply(EffectStep, frozen=True):
    """T-102 `what`: "my_entrance", "adjacent_room", "market_room", "opened_room" or "hired_helper"."""

    what: str


class DoubleNext(EffectStep, frozen=True):
    """T-128"""


class RepeatHelper(EffectStep, frozen=True):
    """T-130"""


class BorrowHelper(EffectStep, frozen=True):
    """T-131"""


class SwapHelper(EffectStep, frozen=True):
    """T-135"""


class HireOrReserve(EffectStep, frozen=True):
    """T-135 The second part of `swap_helper`; card files do not use it alone."""


class ExtraTurn(EffectStep, frozen=True):
    """T-33, T-34"""


AnyStep = (
    Gain | Exchange | Choose | IfFew | Open | Hire | ReplaceSelf | Reserve | Refresh | MovePaw | PlacePaw | ChestDraw
    | ChestFlip | ChestSell | Apply | DoubleNext | RepeatHelper | BorrowHelper | SwapHelper | HireOrReserve | ExtraTurn
)  # fmt: skip


class Effect(Struct, frozen=True):
    """What a card does: when, and its steps; or what it changes while its owner has it."""

    steps: tuple[AnyStep, ...] = ()
    on: str = ""  # T-93 the trigger, as "gain torch"; "": lifted, used or hired
    least: int = 0  # on "after_remove": number of lifts that are needed
    instead: bool = False  # T-120 replaces the lifted card's effect
    owner_only: bool = False
    camp_limit: int = 0
    discount: int = 0  # on opening
    food_for_gold: bool = False  # on hiring
    ignore_opposite: int = 0  # T-117 placements in a turn


# Reading ------------------------------------------------------------------------------------------------------------

TRIGGERS = {
    "on_gain": ("food", "torch", "pickaxe"), "on_exchange": (), "on_open": (), "on_hire": ("", "passive"),
    "on_reserve": (), "on_refresh": (), "on_visited": (), "on_place": ("own_room", "other_room", "empty"),
    "on_remove": ("room", "other_room", "no_effect"), "on_chest_pick": (), "on_chest_use": (),
    "on_after_remove": None,
}  # fmt: skip
APPLIED = ("my_entrance", "adjacent_room", "market_room", "opened_room", "hired_helper")
PER = ("adjacent_faction", "helper_pair")
PLAIN: dict[str, AnyStep] = {
    "place_paw": PlacePaw(), "chest_flip": ChestFlip(), "double_next": DoubleNext(), "retrigger_helper": RepeatHelper(),
    "borrow_helper": BorrowHelper(), "swap_helper": SwapHelper(), "extra_turn": ExtraTurn(), "open": Open(),
    "hire": Hire(), "move": MovePaw(), "move(any_paw)": MovePaw(entrances=True), "reserve(card)": Reserve(),
    "reserve(room)": Reserve("room"), "reserve(helper)": Reserve("helper"),
    "reserve_from_discard": Reserve(discarded=True),
}  # fmt: skip
CALL = re.compile(r"(\w+)\((.*)\)")

E = TypeVar("E", bound=Struct)


def parse_effect(text: str) -> Effect:
    """An effect as a card file writes it. Raises EffectFault."""
    if found := standing(text.partition(" ; ")[0]):
        _, _, rest = text.partition(" ; ")
        once = rest.removeprefix("once: ")
        return structs.replace(found, steps=parse_steps(once) if once else ())
    head, colon, rest = text.partition(": ")
    if not colon or head.startswith("if ") or " ; " in head:
        return Effect(parse_steps(text))
    if head == "owner_only":
        return Effect(parse_steps(rest), owner_only=True)
    on, least = parse_trigger(head)
    steps = parse_steps(rest.removeprefix("instead "))
    return Effect(steps, on=on, least=least, instead=rest.startswith("instead "))


def standing(text: str) -> Effect | None:
    """A standing change, or None if this is none."""
    if text == "pay_instead(hire, gold, food)":
        return Effect(food_for_gold=True)
    for pattern, make in STANDING.items():
        if found := re.fullmatch(pattern, text):
            return make(int(found[1]))
    return None


STANDING: dict[str, Callable[[int], Effect]] = {
    r"camp_limit\((\d)\)": lambda n: Effect(camp_limit=n),
    r"discount\(open, (\d)\)": lambda n: Effect(discount=n),
    r"ignore_opposite\((\d)\)": lambda n: Effect(ignore_opposite=n),
}


def parse_trigger(text: str) -> tuple[str, int]:
    found = CALL.fullmatch(text)
    name, about = (found[1], found[2]) if found else (text, "")
    if name not in TRIGGERS:
        raise EffectFault(f"no trigger {text}")
    known = TRIGGERS[name]
    short = name.removeprefix("on_")
    if known is None:
        if about and not about.isdigit():
            raise EffectFault(f"{name}: a number is needed, not {about}")
        return short, int(about or 0)
    if about not in (known or ("",)):
        raise EffectFault(f"{name} has no {about or 'form without brackets'}")
    return f"{short} {about}".strip(), 0


def parse_steps(text: str) -> tuple[AnyStep, ...]:
    return tuple(parse_step(part) for part in text.split(" ; "))


def parse_step(text: str) -> AnyStep:
    if text in PLAIN:
        return PLAIN[text]
    if found := re.fullmatch(r"choose\((.+) or (.+)\)", text):
        return Choose(parse_exchange(found[1]), parse_exchange(found[2]))
    if found := re.fullmatch(r"if have\((\w+)\)<(\d): (gain .+) else (gain .+)", text):
        return IfFew(good(found[1]), int(found[2]), parse_gain(found[3]), parse_gain(found[4]))
    if text.startswith("gain "):
        return parse_gain(text)
    if text.startswith("exchange "):
        return parse_exchange(text)
    if found := re.fullmatch(r"chest_sell -> (.+)", text):
        return ChestSell(parse_amount(found[1]).goods)
    call = CALL.fullmatch(text)
    match call and call.groups():
        case "open", given:
            return parse_open(given)
        case "hire", given:
            known = arguments(given, ("from", "discount"))
            return Hire(known.get("from", "both"), int(known.get("discount", 0)))
        case "replace_self", given:
            return ReplaceSelf(int(arguments(given, ("discount",)).get("discount", 0)))
        case "refresh", n if n.isdigit():
            return Refresh(int(n))
        case "chest_draw", n if n.isdigit():
            return ChestDraw(int(n))
        case "apply", what if what in APPLIED:
            return Apply(what)
    raise EffectFault(f"no step {text}")


def parse_open(text: str) -> Open:
    known = arguments(text, ("from", "at", "discount", "then_apply"))
    return Open(
        known.get("from", "both"), known.get("at") == "free", int(known.get("discount", 0)), "then_apply" in known
    )


def arguments(text: str, allowed: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for part in text.split(", "):
        key, _, value = part.partition("=")
        fits = {"from": value == "camp", "at": value == "free", "discount": value.isdigit(), "then_apply": not value}
        if key not in allowed or not fits[key]:
            raise EffectFault(f"no argument {part}")
        found[key] = value
    return found


def parse_gain(text: str) -> Gain:
    mine, _, theirs = text.removeprefix("gain ").partition(" & others gain ")
    amount, _, per = mine.partition(" per ")
    if per and per not in PER:
        raise EffectFault(f"no count {per}")
    others = parse_amount(theirs) if theirs else Amount()
    if others.free:
        raise EffectFault("others gain: nothing that they would have to choose")  # T-87
    return Gain(parse_amount(amount), per, others.goods)


def parse_exchange(text: str) -> Exchange:
    found = re.fullmatch(r"exchange (.+) -> (.+?)(?: x(\d))?", text)
    if not found:
        raise EffectFault(f"no exchange {text}")
    exchange = Exchange(parse_amount(found[1]), parse_amount(found[2]), int(found[3] or 1))
    if exchange.cost.other or (exchange.amount.other and exchange.cost != Amount(any=1)):
        raise EffectFault("other: it needs one spent unit of any type")
    return exchange


def parse_amount(text: str) -> Amount:
    goods, free = [0] * len(GOODS), {"any": 0, "other": 0}
    for part in text.split(" + "):
        found = re.fullmatch(r"([1-9]) (\w+)", part)
        if not found:
            raise EffectFault(f"no amount {part}")
        if found[2] in free:
            free[found[2]] += int(found[1])
        else:
            goods[good(found[2])] += int(found[1])
    food, torch, pickaxe, gold, glory = goods
    return Amount((food, torch, pickaxe, gold, glory), **free)


def good(name: str) -> int:
    if name not in GOODS:
        raise EffectFault(f"no {name}: there are {', '.join(GOODS)}")
    return GOODS.index(name)
