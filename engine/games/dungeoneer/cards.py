"""The printed components as data: read from a TOML file and checked. What a card does is a list of effects."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct, field

from engine.cards import CardFile, CardRecord, Count, Some, Word

Stat = Literal["melee", "magic", "speed"]
Form = Stat  # D-51 an attack has one of the three values
FORMS: tuple[Form, ...] = ("melee", "magic", "speed")
SIDES = ("n", "e", "s", "w")
LEVELS = 4  # D-4, D-96
HEALTH = 6  # D-5 what every hero begins with, and its maximum
LAIR = 3  # D-60 monsters in a lair, at most
HAND = 5  # D-48
QUESTS_TO_WIN = 3  # D-1
DEACTIVATIONS, TRACKERS = 3, 4  # D-3 tokens; of the bridge there is one

Levels = Annotated[tuple[Count, ...], Meta(min_length=LEVELS, max_length=LEVELS)]
TRANSFERS = ("grim_tunnel", "room")

# What an effect may do, and to whom: the hero that it works on is the one that plays, fails or is struck.
VERBS = Literal[
    "wound", "heal", "fall", "ap", "glory", "lose_glory", "peril", "bonus", "purge", "draw", "drop_card",  # the hero
    "check",  # a threat for the hero, with what follows from failing and overcoming it
    "transfer", "shift", "drag",  # moving the hero or a location; drag: the controller moves the hero struck
    "redirect", "banish", "parry", "smoke",  # attacks on the hero that responds
    "steady", "doom",  # the threat check that is about to be made
    "mend",  # the monster that strikes gains health
    "victim",  # the player names a hero or a monster in a lair, which must overcome a threat
]  # fmt: skip


class Effect(CardRecord, frozen=True):
    """One thing that a card does. Fields that its verb does not use are refused."""

    do: VERBS
    n: Some = 1
    stat: Stat | Literal["level"] | None = None
    number: Some | None = None
    fail: tuple["Effect", ...] = ()
    success: tuple["Effect", ...] = ()
    kinds: tuple[Word, ...] = ()  # of the monsters that it can be used on; none: of any kind
    to: Literal["grim_tunnel", "room", ""] = ""
    empty: bool = False  # a shift: only of a location without heroes

    def faults(self) -> Iterable[str]:
        needs = {"check": ("stat", "number"), "victim": ("stat", "number"), "bonus": ("stat",), "transfer": ("to",)}
        free = {"check": ("fail", "success"), "victim": ("fail",), "redirect": ("kinds",), "banish": ("kinds",)}
        for name in needs.get(self.do, ()):
            if not getattr(self, name):
                yield f"{name}: {self.do} needs it"
        known = (*needs.get(self.do, ()), *free.get(self.do, ()), *(("empty",) if self.do == "shift" else ()))
        for name in ("stat", "number", "fail", "success", "kinds", "to", "empty"):
            if getattr(self, name) and name not in known:
                yield f"{name}: {self.do} does not use it"


class Gives(CardRecord, frozen=True):
    """What a card changes while it lies in play."""

    melee: int = 0
    magic: int = 0
    speed: int = 0
    treasures: int = 0  # added to the limit
    boons: int = 0
    attack: int = 0  # added to the attack checks of the monster that it is attached to
    attack_melee: int = 0
    counter_melee: int = 0
    counter_magic: int = 0
    counter_speed: int = 0
    threat_speed: int = 0
    trophy_melee: int = 0  # glory for each wound dealt to a monster in this form


class Ability(CardRecord, frozen=True):
    """What a hero can do once a turn. `when`: which moments offer it."""

    name: Word
    when: tuple[Literal["deeds", "wound", "response", "check", "move", "attack"], ...]
    glory: Count
    ap: Count = 0
    per_cost: bool = False  # in addition the peril cost of the monster
    effects: tuple[Effect, ...] = ()
    opens: tuple[Literal["blocked", "trap"], ...] = ()
    form: Form | None = None
    bonus: Count = 0


class HeroCard(CardRecord, frozen=True, rename={"class_": "class"}):
    name: Word
    race: Word
    class_: Word
    melee: Levels
    magic: Levels
    speed: Levels
    late_speed: Levels  # V-11
    attacks: Annotated[tuple[Form, ...], Meta(min_length=1)]
    boons: Count
    treasures: Count
    ability: Ability

    def values(self, stat: str, late: bool) -> tuple[int, ...]:
        """One of each level."""
        column: tuple[int, ...] = self.late_speed if late and stat == "speed" else getattr(self, stat)
        return column


class LocationAction(CardRecord, frozen=True):
    """What a hero in the location may do in its deeds phase."""

    name: Word
    ap: Count = 0
    glory: Count = 0
    once: bool = False  # once per turn
    ends: bool = False  # the deeds phase ends
    silenced: bool = False  # off while a deactivation token lies here
    effects: tuple[Effect, ...] = ()


class ExitRule(Struct, frozen=True):
    """D-9 One exit: open, a wall, blocked, or a trap with its number."""

    kind: Literal["open", "wall", "blocked", "trap"]
    number: int = 0


EXIT_LETTERS: dict[str, Literal["open", "wall", "blocked", "trap"]] = {
    "O": "open", "X": "wall", "B": "blocked", "T": "trap",
}  # fmt: skip


class LocationCard(CardRecord, frozen=True, dict=True):
    name: Word
    type: Literal["room", "tunnel", "grim_tunnel"]
    exits: Annotated[str, Meta(pattern=r"\A([OX]|[BT]\d)( ([OX]|[BT]\d)){3}\Z")]
    peril: Count
    glory: Count
    hazard: Annotated[str, Meta(pattern=r"\A((danger|spikes|pit) \d)?\Z")] = ""
    start: bool = False  # D-21 the game begins here
    truce: bool = False  # D-49 no battle against a hero begins here
    turns: bool = False
    helps: Word | Literal[""] = ""  # monsters of this kind have +1 to attack checks here
    action: LocationAction | None = None

    @cached_property
    def doors(self) -> tuple[ExitRule, ...]:
        return tuple(ExitRule(EXIT_LETTERS[word[0]], int(word[1:] or 0)) for word in self.exits.split())

    def faults(self) -> Iterable[str]:
        if all(door.kind == "wall" for door in self.doors):
            yield "exits: there must be one"

    @property
    def danger(self) -> int:
        """D-86"""
        return int(self.hazard.split()[1]) if self.hazard.startswith("danger") else 0


class MonsterCard(CardRecord, frozen=True):
    kind: Word
    melee: Count
    magic: Count
    speed: Count
    attacks: Annotated[tuple[Form, ...], Meta(min_length=1)]
    hp: Some
    strikes: dict[Form, tuple[Effect, ...]] = field(default_factory=dict)

    def strike(self, form: str) -> tuple[Effect, ...]:
        """D-55 Its strike text in this form: a plain wound if the card says no more."""
        return next((text for known, text in self.strikes.items() if known == form), PLAIN)

    def value(self, form: str) -> int:
        found: int = getattr(self, form)
        return found

    def faults(self) -> Iterable[str]:
        if strange := set(self.strikes) - set(self.attacks):
            yield f"strikes: it does not attack in {', '.join(sorted(strange))}"


PLAIN = (Effect(do="wound"),)


class QuestThreat(CardRecord, frozen=True):
    stat: Stat
    number: Some
    fail: tuple[Effect, ...]
    alone: bool = False  # the failure does not hit the other heroes in the location


class Price(CardRecord, frozen=True):
    """One way to pay for a sacrifice."""

    name: Word
    ap: Count = 0
    glory: Count = 0
    wounds: Count = 0
    treasure: bool = False
    peril: Count = 0  # gained in addition


class ChanceRoll(CardRecord, frozen=True):
    dice: Some
    number: Some
    add: Count


Category = Literal["artifact", "influence", "sacrifice", "hunt", "search", "escort", "threat", "chance"]


class QuestCard(CardRecord, frozen=True):
    name: Word
    categories: Annotated[tuple[Category, ...], Meta(min_length=1)]
    places: Annotated[tuple[Word, ...], Meta(min_length=1)]  # a location, or types of locations for a search
    goal: Word | Literal[""] = ""  # of an escort
    search: Count = 0
    threat: QuestThreat | None = None
    prices: tuple[Price, ...] = ()
    chance: ChanceRoll | None = None
    monster: MonsterCard | None = None
    token: Word | Literal[""] = ""  # completed: where a deactivation token is put
    gives: Gives = Gives()  # D-73 an artifact, to the end of the game
    golem: bool = False  # its monster can be part of a group
    entry_peril: Count = 0  # influence: more peril for entering a location
    helps: Word | Literal[""] = ""  # influence: monsters of this kind have +1 to attack checks

    def faults(self) -> Iterable[str]:
        parts = {
            "escort": self.goal, "search": self.search, "threat": self.threat, "sacrifice": self.prices,
            "chance": self.chance, "hunt": self.monster,
        }  # fmt: skip
        for category, part in parts.items():
            if bool(part) is not (category in self.categories):
                yield f"categories: {category} and its field go together"
        if (self.gives != Gives()) is not ("artifact" in self.categories):
            yield "gives: an artifact has it, and only an artifact"


class Adventure(CardRecord, frozen=True, kw_only=True):
    """D-10 A card of the adventure deck."""

    name: Word
    copies: Some = 1
    type: Literal["boon", "treasure", "curse", "monster", "trap"]
    cost: Some
    timing: Literal["villainy", "deeds", "any", "response"]
    duration: Literal["instant", "permanent", "attachment", "monster"]
    kind: Word
    aimed: bool = False  # a curse aimed at one opponent's hero; otherwise any opponent pays
    host: Word | Literal[""] = ""  # an attachment: the kind of treasure, or "monster"
    solo: bool = True  # D-103 part of the solo game
    gives: Gives = Gives()
    effects: tuple[Effect, ...] = ()
    ward: "Ward | None" = None
    opens: tuple[Literal["blocked", "trap"], ...] = ()
    lifted: "Lifting | None" = None
    monster: MonsterCard | None = None

    @property
    def glory(self) -> bool:
        """D-10 Boons and treasures are glory cards, the others are peril cards."""
        return self.type in ("boon", "treasure")

    def does(self, verb: str) -> Effect | None:
        return next((effect for effect in self.effects if effect.do == verb), None)

    def faults(self) -> Iterable[str]:
        if (self.type == "monster") is not bool(self.monster) or (self.duration == "monster") is not bool(self.monster):
            yield "monster: a monster has it, and only a monster"
        if self.monster and self.monster.kind != self.kind:
            yield "monster: of another kind than the card"
        if (self.duration == "attachment") is not bool(self.host):
            yield "host: an attachment has it, and only an attachment"
        if self.duration == "instant" and not self.effects:
            yield "effects: an instant card has them"
        if self.type == "trap" and [effect.do for effect in self.effects] != ["check"]:
            yield "effects: a trap is one check"
        if self.timing != "any" and self.glory is not (self.timing in ("deeds", "response")):
            yield "timing: not that of such a card"


class Ward(CardRecord, frozen=True):
    """Prevents one wound of its owner: by being discarded, or for glory once per turn."""

    discard: bool = False
    glory: Count = 0
    strikes: bool = False  # only of strikes


class Lifting(CardRecord, frozen=True):
    """The price of discarding a curse in one's deeds phase."""

    ap: Count = 0
    glory: Count = 0


C = TypeVar("C", HeroCard, LocationCard, QuestCard, Adventure)


class Deck(Struct, frozen=True, dict=True):
    """All components by name, in printed order."""

    heroes: dict[str, HeroCard]
    locations: dict[str, LocationCard]
    quests: dict[str, QuestCard]
    adventures: dict[str, Adventure]

    @cached_property
    def start(self) -> str:
        return next(name for name, card in self.locations.items() if card.start)

    @cached_property
    def order(self) -> dict[str, int]:
        """The place of every adventure card in the printed order."""
        return {name: place for place, name in enumerate(self.adventures)}

    def cheapest_first(self, cards: Iterable[str]) -> list[str]:
        return sorted(cards, key=lambda card: (self.adventures[card].cost, self.order[card]))

    def all_adventures(self, solo: bool = False) -> list[str]:
        """Every adventure card, as often as it is there."""
        known = [card for card in self.adventures.values() if card.solo or not solo]
        return [card.name for card in known for _ in range(card.copies)]

    def places(self, quest: str) -> tuple[str, ...]:
        """D-8 The locations where this quest can be begun."""
        wanted = self.quests[quest].places
        return tuple(name for name, card in self.locations.items() if name in wanted or card.type in wanted)


def load(text: str, source: str = "cards.toml") -> Deck:
    """Parse and check a card file. Raises CardError."""
    file = CardFile(text, {"hero", "location", "quest", "adventure"}, source)
    found = Deck(
        heroes=by_name(file.cards("hero", HeroCard)),
        locations=by_name(file.cards("location", LocationCard)),
        quests=by_name(file.cards("quest", QuestCard)),
        adventures=by_name(file.cards("adventure", Adventure)),
    )
    for where, fault in faults(found):
        raise file.error(where, fault)
    return found


def by_name(cards: Sequence[C]) -> dict[str, C]:
    return {card.name: card for card in cards}


def nested_faults(record: Struct) -> Iterable[str]:
    """What is wrong in the parts of a card, such as its effects. (The loader looks at the card itself.)"""
    for name in record.__struct_fields__:
        part = getattr(record, name)
        parts = part.values() if isinstance(part, dict) else (part,)
        for one in (one for group in parts for one in (group if isinstance(group, tuple) else (group,))):
            if isinstance(one, CardRecord):
                yield from (f"{name}: {fault}" for fault in (*one.faults(), *nested_faults(one)))


def faults(deck: Deck) -> Iterable[tuple[str, str]]:
    """Errors of the cards as a whole: where, and what is wrong."""
    by_kind: dict[str, Mapping[str, CardRecord]] = {
        "hero": deck.heroes,
        "location": deck.locations,
        "quest": deck.quests,
        "adventure": deck.adventures,
    }
    for kind, cards in by_kind.items():
        for name, card in cards.items():
            yield from ((f"{kind} {name}", fault) for fault in nested_faults(card))
    if [card.start for card in deck.locations.values()].count(True) != 1:
        yield "location", "start: one has it"
    words = {*deck.locations, *(card.type for card in deck.locations.values())}
    kinds = {card.kind for card in deck.adventures.values()}
    for quest in deck.quests.values():
        for place in (*quest.places, *filter(None, (quest.goal, quest.token))):
            if place not in words:
                yield f"quest {quest.name}", f"there is no location {place}"
        if quest.helps and quest.helps not in kinds:
            yield f"quest {quest.name}", f"helps: there is no kind {quest.helps}"
    for location in deck.locations.values():
        if location.helps and location.helps not in kinds:
            yield f"location {location.name}", f"helps: there is no kind {location.helps}"
    for card in deck.adventures.values():
        if card.host and card.host != "monster" and card.host not in kinds:
            yield f"adventure {card.name}", f"host: there is no kind {card.host}"
    if sum(card.type != "room" for card in deck.locations.values()) < len(SIDES):
        yield "location", f"{len(SIDES)} tunnels are needed"  # D-21


@cache
def deck() -> Deck:
    """The game's own cards."""
    return load((files(__package__) / "cards.toml").read_text("utf-8"))
