"""Dungeoneer: a map that grows card by card, three quests to win, and rivals who may always answer.

`rules` has the setup and the state with all of its steps, `turn` the five phases, `villainy` and `deeds` what is done
in them, `group` and `battle` the encounters, `effects` the interpreter of the cards in `cards.toml`.
"""

from engine import N_, Choice, Game, Option
from engine.games.dungeoneer.bot import hero
from engine.games.dungeoneer.face import summary
from engine.games.dungeoneer.forecast import forecast
from engine.games.dungeoneer.positions import position, position_from
from engine.games.dungeoneer.records import chronicle, whole
from engine.games.dungeoneer.rules import Dungeoneer, setup
from engine.games.dungeoneer.telling import beats
from engine.games.dungeoneer.view import Private, Public, private, public, shuffle_unknown

__all__ = ["game", "position"]

SEATS = range(1, 5)  # D-2
SEVERAL, ALONE = SEATS[1:], SEATS[:1]
AGAIN = N_("Whose hero is defeated goes on with a new one.")


def switch(
    key: str,
    label: str,
    hint: str,
    seats: range | None = None,
    when: dict[str, str] | None = None,
    suggested: str = "",
) -> Option:
    """A variant that is off by default."""
    yes = Choice("yes", N_("Yes"), hint, seats, when or {}, suggested)
    return Option(key, label, (Choice("no", N_("No"), seats=seats), yes))


OPTIONS = (
    switch(
        "whole_map",
        N_("No blank spots"),
        N_("All locations are dealt and laid before the first turn."),
        SEVERAL,
    ),
    Option(
        "resurrection",
        N_("Resurrection"),
        (
            Choice("no", N_("No"), seats=SEVERAL),
            Choice("yes", N_("Yes"), AGAIN, SEVERAL[:-1]),
            Choice("yes", N_("Yes"), AGAIN, SEVERAL[-1:], suggested=N_("in most games of four somebody is out early.")),
        ),
    ),
    switch("chosen_heroes", N_("Choice of heroes"), N_("Everybody chooses a hero; nobody is dealt one.")),
    switch("optional", N_("Optional discard"), N_("Nobody must discard a card at the end of a turn."), SEVERAL),
    switch(
        "impartial",
        N_("Impartial placement"),
        N_("A location of your own quest is laid by your neighbour."),
        SEVERAL,
        {"whole_map": "no"},
    ),
    switch("impersonal", N_("Nothing personal"), N_("All quests are common; two are always open."), SEVERAL),
    switch("limited", N_("Limited movement"), N_("Three actions each turn, whatever the speed; none can be saved.")),
    switch(
        "fall_ap",
        N_("Actions for falling"),
        N_("Who saved no action may lie down to strike back."),
        SEVERAL,
        {"limited": "no"},
    ),
    switch("dodge", N_("Dodging spikes"), N_("An action instead of the check against spikes.")),
    switch(
        "fresh",
        N_("Fresh common quest"),
        N_("A completed common artifact is replaced by a new quest."),
        SEVERAL,
        suggested=N_("otherwise the quests may run out before anybody has three."),
    ),
    Option(
        "late_speed",
        N_("Speed of heroes"),
        (
            Choice("yes", N_("Rises late"), N_("A game of three takes some nine rounds instead of eight."), SEVERAL),
            Choice("no", N_("Rises early"), seats=SEVERAL),
        ),
    ),
    switch("harder", N_("Harder"), N_("One monster of each battle waits in a lair and comes again."), ALONE),
    Option(
        "decks",
        N_("Adventure cards"),
        (
            Choice("one", N_("One deck"), seats=SEVERAL),
            Choice("two", N_("Two decks"), N_("You choose between glory and peril for each card."), SEVERAL),
        ),
    ),
    Option(
        "last_round",
        N_("Last round"),
        (
            Choice("40", N_("The 40th"), N_("Then the most completed quests decide.")),
            Choice("20", N_("The 20th"), N_("Then the most completed quests decide.")),
            Choice("60", N_("The 60th"), N_("Then the most completed quests decide.")),
        ),
    ),
)

ORDERS = (
    Choice(
        "hit",
        N_("When my hero is hit"),
        N_("But not about cards for any moment, as long as they can wait for your turn."),
    ),
    Choice("able", N_("Whenever I can act"), N_("Also about Stumble and Sudden Doom in a rival’s turn.")),
    Choice("never", N_("Never"), N_("You pass every time.")),
)


game: Game[Dungeoneer, Public, Private] = Game(
    key="dungeoneer",
    name=N_("Dungeoneer"),
    rules=2,
    seats=SEATS,
    state=Dungeoneer,
    setup=setup,
    public=public,
    private=private,
    shuffle_unknown=shuffle_unknown,
    package=__name__,
    options=OPTIONS,
    orders=ORDERS,
    bots={"hero": hero},
    forecast=forecast,
    summary=summary,
    beats=beats,
    chronicle=chronicle,
    whole=whole,
    position=position_from,
    minutes=60,
    picture="picture.svg",
    pitch=N_("A dungeon that you lay card by card, three quests to win, and rivals who send you their monsters."),
)
