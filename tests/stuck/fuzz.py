"""Tables at which anything happens, and then only one person acts: does that person reach the end?

People sit down, play, leave, are freed, go away and come back, lose their cookies, change options, lock, time, start,
ask for seats and object, all at random. Then all others do nothing any more, connected or not; or they object to
whatever is asked of them in a game; or they hold it up by all that does not lead on, faster than anybody can act. The
last one, who has a seat or only the table's link, does what pages offer; bots play, time passes. The table must come to
the end of its game, and to the end of a rematch.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from app.refusals import Refusal
from app.table import actions as do
from app.table.events import History
from app.table.picture import Picture, draw
from app.table.returning import lost, lost_by
from app.table.seats import REST, rest_ends
from app.table.sitting import Sitting
from engine.bots import bots_of
from engine.proof import pledge_to

AWAY = 45.0  # seconds without a socket until a seat is away
PATIENCE = 10_000  # steps of the last person until a game counts as stuck
QUICK = 0.2  # seconds between two words of the clock
MOST_PEOPLE = 7


class StuckError(AssertionError):
    pass


@dataclass
class World:
    luck: Random
    sitting: Sitting
    now: float = 1.0
    online: set[str] = field(default_factory=set)
    gone: dict[int, float] = field(default_factory=dict)  # seats without a socket, since when
    people: list[str] = field(default_factory=list)
    object: bool = False  # players for whom a bot is asked object, and do nothing else
    last: str = ""  # all others who sit at the table hold it up; "": they do not
    done: list[str] = field(default_factory=list)  # for the report of a failure

    @classmethod
    def begin(cls, game: str, luck: Random) -> "World":
        entry = do.Entry("p0", do.Open("token", "CODE", game, "Ada"), luck.randbytes(32).hex(), 1.0)
        world = cls(luck, Sitting.open(entry))
        world.enter()
        return world

    def enter(self) -> str:
        """A new person with the table's link."""
        person = f"p{len(self.people)}"
        self.people.append(person)
        self.online.add(person)
        return person

    # what happens --------------------------------------------------------------------------------------------------

    def act(self, person: str, action: do.Action) -> bool:
        """As the server does it: who acts is back first. Returns whether it was accepted."""
        seat = self.sitting.seat_of(person)
        try:
            if seat is not None and self.sitting.seats[seat].absent and not isinstance(action, do.Leave):
                self.apply("", do.Back(seat))
            elif lost_by(self.sitting, person) is not None and not isinstance(action, do.Return):
                self.apply(person, do.Return())
            self.apply(person, action)
        except Refusal:
            return False
        self.done.append(f"{self.now:.0f} {person} {action}")
        return True

    def apply(self, person: str, action: do.Action) -> None:
        entry = do.Entry(person, action, self.luck.randbytes(32).hex(), self.now)
        self.sitting = self.sitting.apply(entry).sitting

    def picture(self) -> Picture:
        return draw(self.sitting, History())

    def pass_time(self, seconds: float) -> None:
        """Bots play, and what is due is carried out when it is due."""
        until = self.now + seconds
        for _ in range(PATIENCE):
            saved = self.sitting.saved
            ends = (saved.dealing, saved.claim.at if saved.claim else None, saved.ends_at, rest_ends(saved.seats))
            due = [at for at in ends if at is not None and at <= until]
            self.now = max(self.now, min(due, default=until))
            self.carry_out()
            if not due:
                return
        raise StuckError(f"what is due cannot be carried out: {ends}")

    def carry_out(self) -> None:
        saved = self.sitting.saved
        if saved.dealing is not None and saved.dealing <= self.now:
            self.act("", do.CallOff())
        if saved.claim is not None and saved.claim.at <= self.now:
            self.act("", do.Grant(saved.claim.seat))
        for n, seat in enumerate(self.sitting.seats):
            if seat.resting and seat.rests_until <= self.now:
                self.act("", do.LongAway(n))
        self.watch_seats()
        self.play_bots()
        if saved.ends_at is not None and saved.ends_at <= self.now:
            self.time_up()

    def watch_seats(self) -> None:
        for n, seat in enumerate(self.sitting.seats):
            here = not seat.person or any(person in self.online for person in seat.holders)
            if here:
                self.gone.pop(n, None)
                if seat.person and seat.away:
                    self.act("", do.Back(n))
            elif self.gone.setdefault(n, self.now) + AWAY <= self.now and not seat.away:
                self.act("", do.Away(n))

        for person, _ in list(lost(self.sitting)):
            if person in self.online:
                self.act(person, do.Return())

    def play_bots(self) -> None:
        """One word for each seat that a bot plays or that the table passes for; in a game of bots, all of them."""
        for _ in range(PATIENCE):
            table = self.sitting.table
            for seat in self.sitting.bots_to_move():
                if table is not None and seat in self.sitting.bots_to_move():
                    word = self.luck.choice(self.sitting.table.moves(seat))  # type: ignore[union-attr]
                    self.act("", do.PlayFor(seat, self.sitting.table.round, word, "bot"))  # type: ignore[union-attr]
            for seat in self.sitting.spared():
                if seat in self.sitting.spared():
                    table = self.sitting.table
                    assert table is not None
                    self.act("", do.PlayFor(seat, table.round, table.default(seat), "player"))
            if not self.sitting.bots_to_move():
                return

    def time_up(self) -> None:
        table = self.sitting.table
        assert table is not None
        round = table.round
        for seat in table.asked:
            while (table := self.sitting.table) and table.round == round and seat in table.waits:
                self.now += QUICK
                self.hold_up()
                if not self.act("", do.PlayFor(seat, round, self.luck.choice(table.moves(seat)), "time")):
                    return

    # anything ------------------------------------------------------------------------------------------------------

    def anything(self) -> None:
        """One random step of anybody."""
        luck, sitting = self.luck, self.sitting
        person = luck.choice(self.people)
        host, seat = sitting.saved.host, luck.randrange(len(sitting.seats))
        if luck.random() < 0.5 and self.play(luck.choice(self.people)):
            return
        kinds: list[Callable[[], object]] = [
            lambda: self.act(person, do.Sit(luck.choice("ABCDE"), luck.choice([None, seat]))),
            lambda: self.act(person, do.Claim(seat, "Eve")),
            lambda: self.act(person, do.StandIn(seat)),
            lambda: self.act(person, luck.choice([do.Object(), do.Agree(), do.Here(), do.Ready(), do.Name("N")])),
            lambda: self.act(host, do.Silence(luck.random() < 0.7)),
            lambda: luck.random() < 0.3 and self.act(person, do.Leave()),
            lambda: self.online.discard(person),
            lambda: self.online.add(person),
            lambda: len(self.people) < MOST_PEOPLE and self.enter(),
            lambda: self.act(person, do.Pledge(pledge_to(sitting.commitment, "ab"))),
            lambda: self.act(person, do.Salt(luck.choice(["ab", "cd"]))),
            lambda: self.act(host, do.Start()),
            lambda: self.act(host, do.AddBot(luck.choice(["", *bots_of(sitting.game)]), luck.choice([None, seat]))),
            lambda: luck.random() < 0.3 and self.act(host, do.Free(seat)),
            lambda: self.act(host, do.Lock(luck.random() < 0.6)),
            lambda: self.act(host, do.Timer(luck.choice([0, 0, 30]))),
            lambda: self.act(host, do.Rematch()),
            lambda: self.act("device", do.Device(seat)),
            lambda: self.pass_time(luck.choice([1, 5, 20, 70, 700])),
        ]
        if options := sitting.game.options:
            option = luck.choice(options)
            kinds.append(lambda: self.act(host, do.Options({option.key: luck.choice(option.choices).value})))
        if sitting.game.orders:
            kinds.append(lambda: self.act(person, do.Order(luck.choice(sitting.game.orders).value)))
        luck.choice(kinds)()

    def play(self, person: str) -> bool:
        """A move, if this person is asked; now and then taken back."""
        sitting, luck = self.sitting, self.luck
        seat, table = sitting.seat_of(person), sitting.table
        if seat is None or table is None or sitting.phase != "playing" or sitting.seats[seat].newcomer:
            return False
        if table.drafts.get(seat) and luck.random() < 0.05:
            return self.act(person, do.Undo(table.round))
        words = table.moves(seat)
        return bool(words) and self.act(person, do.Play(table.round, luck.choice(words)))

    def hold_up(self) -> None:
        """All who can do something that does not lead on do it, now and then a move; nobody uses the host's rights to
        remove others."""
        for seat, its in enumerate(self.sitting.seats):
            table, person = self.sitting.table, its.holders[0] if its.holders else ""
            if not self.last or table is None or person not in self.online or self.last in its.holders:
                continue
            others = [n for n in range(len(self.sitting.seats)) if n != seat]
            kinds = [
                do.StepBack(table.round),
                do.Undo(table.round),
                do.Object(),
                do.Here(),
                do.Timer(3600),
                do.Timer(0),
            ]
            kinds += [do.StandIn(self.luck.choice(others))] if others else []
            for action in self.luck.sample(kinds, len(kinds)):
                self.act(person, action)
            if self.luck.random() < 0.3:
                self.play(person)

    # the last person -----------------------------------------------------------------------------------------------

    def finish(self, person: str, phase: str = "over") -> bool:
        """Only this person acts. Returns False if that is a stranger, and nobody lets them in: the table is that of its
        people, and they could go on. Raises StuckError if the table does not come to this phase."""
        for _ in range(PATIENCE):
            if self.sitting.phase == phase:
                return True
            if not self.step_on(person):
                return False
        raise StuckError(f"{self.sitting.game.key}, {person}, {self.sitting.phase}:\n" + "\n".join(self.done[-60:]))

    def step_on(self, person: str) -> bool:
        if self.sitting.phase == "playing":
            self.hold_up()
        sitting = self.sitting
        seat, me = sitting.seat_of(person), self.picture().me(person)
        if seat is None:
            if me.lost is not None and self.act(person, do.Here()):
                return True
            if me.can_take and self.act(person, do.Sit("Last", me.can_take[0])):
                return True
            if me.can_claim and sitting.saved.silence and self.act(person, do.Claim(me.can_claim[-1], "Last")):
                return True
            self.pass_time(REST + 61)
            return not (self.sitting.phase == sitting.phase and self.stranger(person))
        if sitting.phase == "playing":
            if not self.play(person):
                self.replace_silent(seat, person)
        elif not sitting.is_host(person):
            host = sitting.seat_of(sitting.saved.host)
            if host is None or not self.act(person, do.StandIn(host)):
                self.pass_time(20)
            self.pass_time(61)
        elif sitting.phase == "over":
            self.act(person, do.Rematch())
        else:
            self.start(person, seat)
        self.pass_time(1)
        return True

    def replace_silent(self, seat: int, person: str) -> None:
        """Ask for a bot for those whom the table waits for."""
        waits = self.sitting.table.waits if self.sitting.table else []
        for other in waits:
            if other != seat and self.sitting.seats[other].person and not self.sitting.seats[other].bot:
                self.act(person, do.StandIn(other))
                if self.object:
                    self.act(self.sitting.seats[other].holders[0], do.Object())
                self.pass_time(61)
                return
        self.pass_time(5)

    def start(self, person: str, seat: int) -> None:
        sitting = self.sitting
        taken, allowed = sitting.taken(), sitting.game.seats
        if len(taken) < min(allowed):
            self.act(person, do.AddBot())
        elif len(taken) > max(allowed):
            self.act(person, do.Free(next(n for n in taken if n != seat)))
        elif sitting.saved.dealing is None:
            self.act(person, do.Start())
        else:
            self.pass_time(11)

    def stranger(self, person: str) -> bool:
        """Whether this person can get no seat: people are connected there, the table is locked, nobody agrees, or this
        person has held another."""
        me = self.picture().me(person)
        return not me.can_take and me.claims is None and not (me.can_claim and self.sitting.saved.silence)


def fuzz(game: str, seed: int, steps: int = 80) -> str:
    """One table. Returns how its last person came to the end: "seated", "with the link", or "stranger" if there was no
    seat to get."""
    luck = Random(f"{game} {seed}")
    world = World.begin(game, luck)
    for _ in range(luck.randrange(3)):
        world.act(world.enter(), do.Sit("B"))
    for _ in range(luck.randrange(steps)):
        world.anything()
    world.online = {person for person in world.online if luck.random() < 0.5}
    world.object = luck.random() < 0.6
    last = luck.choice([world.enter(), *world.people])
    world.last = last if world.object and luck.random() < 0.5 else ""
    world.online.add(last)
    kind = "seated" if world.sitting.seat_of(last) is not None else "with the link"
    if not world.finish(last):
        return "stranger"
    if world.sitting.seat_of(last) is not None:  # a rematch is for those who have a seat
        world.finish(last, "lobby")
        world.finish(last)
    return kind
