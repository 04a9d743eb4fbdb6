"""The situations of the tables in a database fixture; `tools/make_database_fixture.py` creates them."""

from collections.abc import Callable
from random import Random

from tests.support.programs import Http, Json
from tools.opened import Opened, hunt, luck, rooms, stay

NEVER = "86400"  # seconds
QUICK = {"AWAY_SECONDS": NEVER, "BOT_PAUSE": "0"}
SOON_AWAY = {"AWAY_SECONDS": "0.5", "BOT_PAUSE": "100"}
SLOW = {"AWAY_SECONDS": NEVER, "BOT_PAUSE": "100"}  # bots do nothing for the first 20 seconds
SECONDS = 120  # per choice

Make = Callable[[Http], Opened]


class Situations(list[tuple[str, dict[str, str], Make]]):
    """Each with its name and the settings of the server on which it is created."""

    def situation(self, name: str, settings: dict[str, str] = QUICK) -> Callable[[Make], Make]:
        """Add the decorated function."""

        def add(make: Make) -> Make:
            self.append((name, settings, make))
            return make

        return add


SITUATIONS = Situations()
situation = SITUATIONS.situation


# Lobbies ------------------------------------------------------------------------------------------------------------


@situation("raiders: a lobby with open seats")
def _(http: Http) -> Opened:
    return Opened(http, "raiders", 2)


@situation("raiders: a lobby with options, a timer, bots; somebody is ready and has another name")
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 2, ["raider"])
    table.choose(edition="first", play="open")
    table.act(0, "addbot", bot="random", seat=4)
    table.act(0, "timer", seconds=SECONDS)
    table.act(1, "name", name="  Bo\u202e of  Köln  ")
    table.act(1, "ready")
    return table


@situation("raiders: a locked lobby, with a free seat between others")
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 3)
    table.act(0, "free", seat=1)
    del table.bearers[1], table.devices[1], table.salts[1]
    table.act(0, "lock")
    return table


@situation("scrawl: a lobby with options and bots")
def _(http: Http) -> Opened:
    table = Opened(http, "scrawl", 2, ["scrawler", "random"])
    table.choose(missions="no", gems="vanish")
    return table


@situation("raiders: a lobby with somebody away", SOON_AWAY)
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 3)
    stay(table, 0, 2)
    table.until(lambda view: view["table"]["seats"][1]["away"])
    return table


@situation("raiders: the start was given; one pledged salt is open, another is awaited", SLOW)
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 1)
    for name in ("Bo", "Cy"):
        table.sit(name, pledges=True)
    table.act(0, "start")
    table.act(1, "salt", salt=table.salts[1])
    assert table.view()["table"]["dealing"]
    table.notes["awaited"] = [2]
    return table


# Raiders, sealed ----------------------------------------------------------------------------------------------------


@situation("raiders: just begun")
def _(http: Http) -> Opened:
    return Opened(http, "raiders", 3).start()


@situation("raiders: some have handed in")
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 4).start(rooms(2))
    table.hand_in(1, 3)
    return table


@situation("raiders: waits for the last one; a bot has handed in")
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 3, ["raider"]).start(rooms(3))
    table.hand_in(0, 1)
    return table.people_only()


@situation("raiders: a bot has not handed in", SLOW)
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 2, ["raider"]).start()
    table.hand_in(0)
    return table


@situation("raiders: taken back; taken back and handed in again")
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 3).start(rooms(4))
    table.hand_in(0, 1)
    table.undo(0)
    table.undo(1)
    table.hand_in(1)
    return table


@situation("raiders: many rounds played, on the second floor")
def _(http: Http) -> Opened:
    return hunt(lambda: Opened(http, "raiders", 3, ["raider"]), room(2, 5)).people_only()


@situation("raiders: a crystal ball was played, another card is due")
def _(http: Http) -> Opened:
    return hunt(lambda: Opened(http, "raiders", 5), lambda view: view["shared"]["asks"] == "AfterBall")


@situation("raiders: a torch could be lit")
def _(http: Http) -> Opened:
    return hunt(lambda: Opened(http, "raiders", 5), lambda view: view["own"]["anytime"])


@situation("raiders: a torch was lit, its owner sees dark rooms")
def _(http: Http) -> Opened:
    return hunt(lambda: Opened(http, "raiders", 5), lambda view: len(view["own"]["private"]["lit"]) > 1)


@situation("raiders: a timer runs, cards are lifted; a message has an id", SLOW)
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 4)
    table.act(0, "timer", seconds=SECONDS)
    table.start(rooms(5))
    for seat in (0, 1):
        own, round = table.view(seat)["own"], table.view()["shared"]["round"]
        card = own["moves"][-1]
        table.act(seat, "lift", round=round, move=card)
        table.notes.setdefault("lifted", {})[str(seat)] = card
    said = table.word(2, id="sent once")
    table.notes["sent"] = {"seat": 2, "said": said, "version": table.view()["version"]}
    return table


@situation("raiders: somebody is away and a bot stands in, somebody else is just away", SOON_AWAY)
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 4).start(rooms(3))
    stay(table, 0, 1)
    table.until(lambda view: view["table"]["seats"][2]["away"] and view["table"]["seats"][3]["away"])
    table.act(0, "standin", seat=2)
    table.hand_in(1)
    return table


@situation("raiders: somebody left, a bot plays on")
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 3, ["raider"]).start(rooms(4))
    table.leave(1)
    return table.people_only()


@situation("raiders: a second device on a seat; one link is open, one is spent")
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 3).start(rooms(2))
    links = [table.http.post(f"{table.path}/device", table.bearers[1])["link"].partition("#")[2] for _ in range(2)]
    moved = table.http.post("/move", token=links[0])
    table.devices[1].append(moved["bearer"])
    table.notes |= {"spent": links[0], "link": {"seat": 1, "token": links[1]}}
    return table


# Raiders, its other ways to play ------------------------------------------------------------------------------------


@situation("raiders: solo, a monster has drawn its strength")
def _(http: Http) -> Opened:
    return hunt(
        lambda: Opened(http, "raiders", 1, difficulty="3"), lambda view: view["shared"]["public"]["drawn"] is not None
    )


@situation("raiders: duel, sealed")
def _(http: Http) -> Opened:
    table = hunt(lambda: Opened(http, "raiders", 2, play="sealed"), rooms(6))
    table.hand_in(1)
    return table


@situation("raiders: duel, open, the second one's turn")
def _(http: Http) -> Opened:
    return hunt(lambda: Opened(http, "raiders", 2, play="open"), turn(place=4, left=1))


@situation("raiders: first edition, sealed, somebody is dead")
def _(http: Http) -> Opened:
    def dead(view: Json) -> bool:
        public = view["shared"]["public"]
        return public["floor"] <= 3 and not all(raider["alive"] for raider in public["raiders"])

    return hunt(lambda: Opened(http, "raiders", 3, edition="first", play="sealed"), dead)


@situation("raiders: first edition, open, in the middle of a room")
def _(http: Http) -> Opened:
    return hunt(lambda: Opened(http, "raiders", 3, edition="first", play="open"), turn(place=5, left=2))


@situation("raiders: second edition, open, the last one's turn")
def _(http: Http) -> Opened:
    return hunt(lambda: Opened(http, "raiders", 4, edition="second", play="open"), turn(place=3, left=1))


@situation("raiders: open, a bot's turn", SLOW)
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 2, ["raider", "random"], edition="second", play="open")
    table.act(0, "start")
    while (waits := table.view()["shared"]["waits"][0]) in table.bearers:
        table.word(waits)
    return table


def room(floor: int, place: int) -> Callable[[Json], object]:
    return lambda view: (view["shared"]["public"]["floor"], view["shared"]["public"]["place"]) == (floor, place)


def turn(place: int, left: int) -> Callable[[Json], object]:
    """In this room of a floor, with this number of players still to play."""
    return lambda view: (view["shared"]["public"]["place"], len(view["shared"]["public"]["order"])) == (place, left)


# Paper Dungeons -----------------------------------------------------------------------------------------------------


@situation("scrawl: cards to keep, half, whole and half again")
def _(http: Http) -> Opened:
    table = Opened(http, "scrawl", 4).start()
    table.draft(1, 1)
    table.hand_in(2, 3)
    table.undo(3)
    return table


@situation("scrawl: talents that work before the game")
def _(http: Http) -> Opened:
    table = hunt(
        lambda: Opened(http, "scrawl", 4),
        lambda view: view["shared"]["asks"] == "Prepare" and len(view["shared"]["waits"]) > 1,
    )
    table.hand_in(table.view()["shared"]["waits"][0])
    return table


@situation("scrawl: drafts of several words, one handed in, one taken back")
def _(http: Http) -> Opened:
    table = Opened(http, "scrawl", 4).start(dungeon(2))
    table.draft(0, 3)
    table.hand_in(1, 2)
    table.undo(2, words=2)
    return table


@situation("scrawl: alone, a draft of two words")
def _(http: Http) -> Opened:
    table = Opened(http, "scrawl", 1).start(dungeon(4))
    table.draft(0, 2)
    return table


@situation("scrawl: eight, three of them people; some have handed in")
def _(http: Http) -> Opened:
    table = Opened(http, "scrawl", 3, ["random"] * 5).start(dungeon(2))
    table.hand_in(1)
    table.draft(2, 1)
    return table.people_only()


@situation("scrawl: three, gems vanish, after the first monster")
def _(http: Http) -> Opened:
    return Opened(http, "scrawl", 1, ["scrawler", "random"], gems="vanish").start(dungeon(4)).people_only()


@situation("scrawl: the reward of a monster is chosen")
def _(http: Http) -> Opened:
    def far(luck: Random, words: list[str]) -> str:
        """Prefers moves, because they reach more monsters."""
        steps = [word for word in words if word.startswith("move")]
        return luck.choice(steps if steps and luck.random() < 0.6 else words)

    return hunt(lambda: Opened(http, "scrawl", 4), lambda view: view["shared"]["asks"] == "Reward", far)


@situation("scrawl: a timer runs; half a draft and a whole one", SLOW)
def _(http: Http) -> Opened:
    table = Opened(http, "scrawl", 3)
    table.act(0, "timer", seconds=SECONDS)
    table.start(dungeon(2))
    table.draft(0, 2)
    table.hand_in(1)
    return table


@situation("scrawl: the second dungeon of a campaign")
def _(http: Http) -> Opened:
    return Opened(http, "scrawl", 1, campaign="legends").start(lambda view: view["shared"]["public"]["past"])


@situation("scrawl: somebody left a half draft behind, a bot plays on")
def _(http: Http) -> Opened:
    table = Opened(http, "scrawl", 3, ["random"], missions="no").start(dungeon(2))
    table.draft(2, 2)
    table.leave(2)
    return table.people_only()


@situation("scrawl: the host is away; a bot stands in for half a draft", SOON_AWAY)
def _(http: Http) -> Opened:
    table = Opened(http, "scrawl", 3).start(dungeon(2))
    table.draft(2, 2)
    stay(table, 1)
    table.until(lambda view: view["table"]["seats"][0]["away"] and view["table"]["seats"][2]["away"])
    table.act(1, "standin", seat=2)
    return table


def dungeon(round: int) -> Callable[[Json], object]:
    """In this round of the game, when all use the dice."""
    return lambda view: view["shared"]["public"]["round"] == round and view["shared"]["asks"] == "ThreeDice"


# The end and after --------------------------------------------------------------------------------------------------


@situation("raiders: over, somebody had left")
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 3).start(rooms(12))
    table.leave(2)
    table.play(luck)
    return table


@situation("raiders: over, then the lobby of a rematch")
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 1, difficulty="5").start(lambda view: False)
    table.act(0, "rematch")
    table.act(0, "ready")
    return table


@situation("raiders: the second game, with more people than the first")
def _(http: Http) -> Opened:
    table = Opened(http, "raiders", 1, difficulty="5").start(lambda view: False)
    table.act(0, "rematch")
    table.sit("Eve")
    table.sit("Eve")
    table.start(rooms(3))
    table.hand_in(2)
    return table


@situation("scrawl: over")
def _(http: Http) -> Opened:
    return Opened(http, "scrawl", 2).start(lambda view: False)


@situation("scrawl: the second game")
def _(http: Http) -> Opened:
    table = Opened(http, "scrawl", 1).start(lambda view: False)
    table.act(0, "rematch")
    table.start(dungeon(2))
    table.draft(0, 1)
    return table
