"""A table that people open, play to the end, and perhaps play at again."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import httpx

from app.web.people import People, Visitor
from engine.game import Game
from tests.chaos.players import LONGEST_REPLY, LOST, Player
from tests.chaos.told import Json, Told

MOST_SEATS, MOST_PEOPLE = 4, 3
REMATCHES = 0.3  # probability
UNDOES, STEPS_BACK, ANYTIME, DAWDLES = 0.12, 0.1, 0.1, 0.5
Notice = Callable[[str], None]


class Scripted:
    """Tells its players what to do. `notice(moment)` is called at each action."""

    def __init__(
        self, people: People, port: Callable[[], int], notice: Notice, luck: Random, pace: float, game: Game
    ) -> None:
        self.port = port
        self.notice = notice
        self.luck = luck
        self.pace = pace
        self.longest_reply = LONGEST_REPLY
        self.game = game
        self.told = Told()
        self.token = ""
        self.held = False  # nobody begins anything
        self.hurries = False  # nobody takes anything back, or thinks
        self.finished = False  # the script is at its end
        self.closed = False
        seats = luck.choice([n for n in game.seats if n <= MOST_SEATS])
        persons = luck.randint(1, min(seats, MOST_PEOPLE))
        self.bots = seats - persons
        names = [f"{luck.randbytes(4).hex()}" for _ in range(persons)]
        self.players = [Player(self, name, people.sign(Visitor(name, name))) for name in names]
        self.settings = self.chosen_settings(seats)
        self.games = 1 + (luck.random() < REMATCHES)  # still to play
        self.begun = 0

    @property
    def host(self) -> Player:
        return self.players[0]

    @property
    def ended(self) -> bool:
        return self.closed

    def chosen_settings(self, seats: int) -> list[Json]:
        """What the host does before the game."""
        game, luck = self.game, self.luck
        options = game.choose_options({one.key: luck.choice(one.choices).value for one in game.options}, seats)
        settings: list[Json] = [{"do": "options", "options": options}]
        settings += [{"do": "addbot"}] * self.bots
        if luck.random() < 0.2:
            settings.append({"do": "timer", "seconds": 15})
        return settings

    async def open(self) -> None:
        """Open the table, until a server says that it did."""
        said = {"game": self.game.key, "name": self.host.name}
        headers = {"Accept": "application/json", "Authorization": f"Bearer {self.host.bearer}"}
        while not self.token:
            try:
                async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
                    self.notice("lobby")
                    answer = await client.post(f"http://127.0.0.1:{self.port()}/tables", json=said, headers=headers)
                    if answer.is_success:
                        self.token = answer.json()["token"]
            except (*LOST, httpx.HTTPError):
                pass
            if not self.token:
                await asyncio.sleep(0.2)

    def hurry(self) -> None:
        """Bring the table to its end."""
        self.games, self.pace, self.hurries = 1, 0.0, True

    async def run(self) -> None:
        """Open the table and play until the script is at its end and everybody knows it. The players stay connected
        until `close`."""
        await self.open()
        self.tasks = [asyncio.create_task(player.live()) for player in self.players]
        while not (self.finished and all(self.knows_the_end(player) for player in self.players)):
            done, _ = await asyncio.wait(self.tasks, timeout=0.1)
            for task in done:
                task.result()  # raises Wrong

    def progress(self) -> object:
        """Changes whenever something happens at the table."""
        return self.token, len(self.told.accepted), max(player.newest for player in self.players)

    def knows_the_end(self, player: Player) -> bool:
        return player.connected and player.asked is None and player.view.get("phase") == "over"

    async def close(self) -> None:
        self.closed = True
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    # what players do ----------------------------------------------------------------------------------------------

    def wish(self, player: Player) -> Json | None:
        phase = player.view["phase"]
        if self.held:
            return None
        if phase == "lobby":
            return self.in_lobby(player)
        return self.in_game(player) if phase == "playing" else self.after(player)

    def in_lobby(self, player: Player) -> Json | None:
        if player.seat is None:
            return {"do": "sit", "name": player.name}
        if player is not self.host or self.luck.random() < DAWDLES:
            return {"do": "ready", "ready": self.luck.random() < 0.5}
        if sum(seat["kind"] == "person" for seat in player.view["table"]["seats"]) < len(self.players):
            return None
        return self.settings.pop(0) if self.settings else {"do": "start"}

    def in_game(self, player: Player) -> Json | None:
        own, shared, luck = player.view["own"], player.view["shared"], self.luck
        if own is None:
            return None
        if self.hurries and own["moves"]:
            return {"do": "play", "round": shared["round"], "move": luck.choice(own["moves"])}
        if (own["draft"] or own["ready"]) and luck.random() < UNDOES:
            return {"do": "undo", "round": shared["round"]}
        if own["back"] and own["back"]["steps"] and luck.random() < STEPS_BACK:
            return {"do": "stepback", "round": shared["round"]}
        if own["anytime"] and luck.random() < ANYTIME:
            return {"do": "play", "round": shared["round"], "move": luck.choice(own["anytime"])}
        if own["moves"]:
            return {"do": "play", "round": shared["round"], "move": luck.choice(own["moves"])}
        return None

    def after(self, player: Player) -> Json | None:
        self.begun = max(self.begun, player.view["plays"])
        if self.begun >= self.games:
            self.finished = True
        elif player is self.host:
            return {"do": "rematch"}
        return None

    def sends(self, player: Player, action: Json) -> None:
        self.notice(self.moment(player, action))

    def hears(self, player: Player) -> None:
        """Notice when only bots are asked."""
        view: Json = player.view
        waits = view["shared"]["waits"] if view["phase"] == "playing" else None
        if waits and all(view["table"]["seats"][seat]["kind"] == "bot" for seat in waits):
            self.notice("bots")

    def moment(self, player: Player, action: Json) -> str:
        """What the table does just now."""
        view: Json = player.view
        if view["phase"] != "playing" or action["do"] in ("rematch", "start"):
            return "lobby"
        waits: Any = view["shared"]["waits"] or []
        if waits == [player.seat]:
            return "revealing"
        return "drafting" if view["own"] and not view["own"]["draft"] and len(waits) > 2 else "sealing"
