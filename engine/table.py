"""A table's play: the game's state, and the answers handed in for the current ask."""

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.chance import Chance
from engine.drafts import legal_draft, only_answer
from engine.game import Game, find
from engine.move_error import MoveError
from engine.orders import StandingOrder, order_in_force
from engine.proof import Deal
from engine.saved_table import SavedTable
from engine.seals import kept_answer, may_keep, sealed_answer
from engine.steps import Ask, By, Draft, Event, Move, copied
from engine.table_events import Answer, AnyTime, Began, KeptAnswer, Opened, Revealed, SteppedBack
from engine.trail import ACTED, AT_ANY_TIME, CHANCE, KEPT, TIME, MadeStep, Trail
from engine.views import Own, Shared, StepsBack


class Table:
    """Runs any game. Only `play`, `undo`, `step_back` and `give_order` change a table."""

    def __init__(self, game: Game, state: Any, *, seats: int, options: Mapping[str, str], deal: Deal) -> None:
        """Use the state as given. Start a table with `begin` or `at`; load a stored one with `restore`."""
        self.game = game
        self.state = state
        self.sharing = False  # another table may hold the same state object
        self.seats = seats
        self.options = dict(options)
        self.deal = deal
        self.commitment = deal.commitment
        self.round = 0
        self.version = 0
        self.drafts: dict[int, Draft] = {}
        self.secrets: dict[int, str] = {}  # by seat that has handed in; nonces are derived from them
        self.by: dict[int, By] = {}  # who handed in, if not the player
        self.kept: list[KeptAnswer] = []
        self.ask: Ask | None = None  # the current ask; None when the game is over
        self.asked: list[int] = []
        self.keeps = False  # words of this ask may stay secret
        self.scope = ""  # of this ask
        self.trail: Trail | None = None  # the newest steps; None if the newest answer stood alone
        self.orders: dict[int, StandingOrder] = {}
        self.undone: set[int] = set()  # seats that have taken back words of this ask; they are not spared
        self._moves: dict[int, list[Move]] = {}
        self._sealed: dict[int, Answer] = {}

    # starting, saving ---------------------------------------------------------------------------------------------

    @classmethod
    def begin(
        cls, game: Game, seats: int, deal: Deal, options: Mapping[str, str] | None = None
    ) -> tuple["Table", list[Event]]:
        if seats not in game.seats:
            raise ValueError(f"{game.key} is not for {seats}")
        chosen = game.choose_options(options or {}, seats)
        return cls.at(game, game.setup(seats, chosen, Chance(deal.mixed())), seats=seats, options=chosen, deal=deal)

    @classmethod
    def at(
        cls, game: Game, state: Any, *, seats: int, options: Mapping[str, str], deal: Deal
    ) -> tuple["Table", list[Event]]:
        """Begin at any position, for a test or a lesson. Its log cannot be verified if the deal did not produce it."""
        table = cls(game, state, seats=seats, options=options, deal=deal)
        began = Began(game.key, game.rules, seats, table.options, table.commitment, deal.salts)
        return table, table.settle(began)

    def save(self) -> SavedTable:
        state = msgspec.Raw(msgspec.json.encode(self.state))
        return SavedTable(
            self.game.key, self.game.rules, self.seats, self.options, self.deal, state, self.round, self.version,
            dict(self.drafts), dict(self.secrets), list(self.kept), dict(self.by), self.trail,
            dict(self.orders), sorted(self.undone),
        )  # fmt: skip

    @classmethod
    def restore(cls, saved: SavedTable, game: Game | None = None) -> "Table":
        """Read back a table. `game` need not be given if it is installed."""
        game = game or find(saved.game)
        state = msgspec.json.decode(saved.state, type=game.state)
        table = cls(game, state, seats=saved.seats, options=saved.options, deal=saved.deal)
        table.round, table.version = saved.round, saved.version
        table.drafts, table.secrets, table.by = dict(saved.drafts), dict(saved.secrets), dict(saved.by)
        table.kept = list(saved.kept)
        table.trail = saved.trail and saved.trail.copy()
        table.orders, table.undone = dict(saved.orders), set(saved.undone)
        table.run()
        return table

    # copying ------------------------------------------------------------------------------------------------------

    def copy(self) -> "Table":
        """An independent copy. The state is shared until one of the two tables changes it (copy on write)."""
        self.sharing = True
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other.drafts, other.secrets, other.by = dict(self.drafts), dict(self.secrets), dict(self.by)
        other.kept, other.orders, other.undone = list(self.kept), dict(self.orders), set(self.undone)
        other._moves, other._sealed = dict(self._moves), dict(self._sealed)
        return other

    def own_state(self) -> None:
        """Copy a shared state. Must be called before every change of the state."""
        if self.sharing:
            self.state = copied(self.state)
            self.ask = self.state.todo[-1]
            self.sharing = False

    # what may be done ---------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.ask is None

    @property
    def waits(self) -> list[int]:
        """The asked seats that have not handed in."""
        return [seat for seat in self.asked if seat not in self.secrets]

    def moves(self, seat: int) -> list[Move]:
        """The words that this seat may add to its draft. Empty if it is not asked or has handed in."""
        found = self._moves.get(seat)
        if found is None:
            if self.ask is None or seat not in self.asked or seat in self.secrets:
                return []
            found = self._moves[seat] = self.ask.options(self.state, seat, self.drafts.get(seat, ()))
        return found

    def anytime(self, seat: int) -> list[Move]:
        return [] if self.ask is None or not 0 <= seat < self.seats else self.state.anytime(seat)

    def completes(self, seat: int, move: Move) -> bool:
        """Whether this word would complete the draft of a seat that the table waits for."""
        return self.ask is not None and not self.ask.unfinished(self.state, seat, (*self.drafts.get(seat, ()), move))

    def default(self, seat: int) -> Move:
        """The fallback move for a seat that the table waits for, used when no bot can choose."""
        assert self.ask is not None
        return self.ask.default(self.state, seat, self.drafts.get(seat, ()))

    def frugal(self, seat: int) -> list[Move]:
        """The words that may be played for a seat that the table waits for when its time runs out."""
        assert self.ask is not None
        return self.ask.frugal(self.state, seat, self.drafts.get(seat, ()))

    def order(self, seat: int) -> str:
        """The standing order of this seat that is in force."""
        return order_in_force(self.game, self.orders, seat, self.scope)

    def spared(self, seat: int) -> bool:
        """Whether a seat that the table waits for need not be disturbed: in a window it has only one option, or its
        standing order says that the player does not want to be asked. Whoever runs the table then plays `default` for
        it, after a pause that does not depend on this. Nobody can see that the table, not the player, made this
        move. The player can take it back, and is no longer spared then."""
        if self.ask is None or not self.ask.hush or seat not in self.waits or self.drafts.get(seat):
            return False
        if seat in self.undone:
            return False
        return len(self.moves(seat)) == 1 or not self.ask.heeds(self.state, seat, self.order(seat))

    def give_order(self, seat: int, value: str, scope: bool = False) -> None:
        """This seat gives a standing order, for good or until this scope ends. Nobody else learns of it."""
        if scope and not self.scope:
            raise MoveError("not_legal")
        self.orders[seat] = self.orders.get(seat, StandingOrder()).given(self.game, value, self.scope if scope else "")

    # moves --------------------------------------------------------------------------------------------------------

    def play(self, seat: int, move: Move, round: int, secret: str, by: By = "player") -> list[Event]:
        """Add a word to a draft, or make an any-time move. Only what `moves` or `anytime` offer is accepted. `round` is
        the one that the player saw: an answer belongs to it, an any-time move is also accepted in a later one.

        `secret` is 16 random bytes in hex; the word that completes a draft seals it with them. `by` says who makes the
        move and is not published before the move takes effect.
        """
        if self.ask is None or round > self.round:
            raise self.round_error(round)
        if round == self.round and move in self.moves(seat):
            draft = self.drafts[seat] = (*self.drafts.get(seat, ()), move)
            del self._moves[seat]
            if not self.ask.unfinished(self.state, seat, draft):
                self.secrets[seat] = secret
                if by != "player":
                    self.by[seat] = by
                if len(self.secrets) == len(self.asked):
                    return self.reveal()
            return []
        if move in self.anytime(seat):
            return self.move_anytime(seat, move, by)
        if round != self.round:
            raise self.round_error(round)
        if seat in self.secrets:
            raise MoveError("already_in")
        raise MoveError("not_legal" if seat in self.asked else "not_asked")

    def undo(self, seat: int, round: int) -> None:
        """Drop the last word of a draft. An answer that was handed in is taken back by this."""
        if self.ask is None or round != self.round:
            raise self.round_error(round)
        if not self.drafts.get(seat):
            raise MoveError("nothing_to_undo")
        self.reopen(seat, self.drafts[seat][:-1])
        self.undone.add(seat)

    def step_back(self, seat: int, round: int) -> list[Event]:
        """Take back this seat's newest step, an answer with its effects. Rounds and versions go on counting."""
        if self.ask is None or round != self.round:
            raise self.round_error(round)
        back, trail = self.back(seat), self.trail
        if back is None or trail is None or not back.steps:
            raise MoveError("no_way_back" if back else "nothing_to_undo")
        self.forget_answers()
        self.state, self.sharing = msgspec.json.decode(trail.base, type=self.game.state), False
        self.run()
        for step in trail.steps[:-1]:
            self.state.made = {seat: step.by}
            self.state.todo.pop().take(self.state, {seat: step.words})
            self.run()
        self.forget_move()
        self.trail = trail.shortened()
        self.round += 1
        self.version += 1
        return [SteppedBack(round, seat, trail.steps[-1].round, trail.scope)]

    def round_error(self, round: int) -> MoveError:
        if self.ask is None:
            return MoveError("over")
        return MoveError("past_round" if round < self.round else "future_round")

    def move_anytime(self, seat: int, move: Move, by: By) -> list[Event]:
        self.own_state()
        self.state.made = {seat: by}
        self.state.take_anytime(seat, move)
        if self.trail:
            self.trail = self.trail.cut(AT_ANY_TIME if seat == self.trail.seat else ACTED)
        if self.state.todo:
            self.drop_illegal_drafts()
        else:  # the move finished the game: sealed answers are never opened
            self.forget_answers()
            self.run()
        return self.collect(AnyTime(self.round, seat, move, by))

    def drop_illegal_drafts(self) -> None:
        """Clear the drafts that an any-time move has made illegal."""
        self._moves.clear()
        for seat, draft in list(self.drafts.items()):
            if not self.legal(seat, draft, whole=seat in self.secrets):
                self.reopen(seat, ())

    def legal(self, seat: int, draft: Draft, whole: bool = True) -> bool:
        """Whether this seat may have this draft, which is complete (`whole`) or incomplete."""
        return self.ask is not None and seat in self.asked and legal_draft(self.ask, self.state, seat, draft, whole)

    def reopen(self, seat: int, draft: Draft) -> None:
        self.drafts.pop(seat)
        if draft:
            self.drafts[seat] = draft
        self.secrets.pop(seat, None)
        self.by.pop(seat, None)
        self._sealed.pop(seat, None)
        self._moves.pop(seat, None)

    def reveal(self) -> list[Event]:
        assert self.ask is not None
        answers = {seat: self.drafts[seat] for seat in self.asked}  # in seat order, not in order of arrival
        if self.ask.hush:
            opens = set(self.ask.opens(self.state, answers))
            answers = {seat: draft for seat, draft in answers.items() if seat in opens}
        if self.keeps:
            self.record_kept(answers)
        return self.apply_reveal(answers, Revealed(self.round, tuple(map(self.sealed, answers)), self.scope))

    def apply_reveal(self, answers: dict[int, Draft], revealed: Revealed) -> list[Event]:
        """Pass all answers to the step that asked."""
        self.own_state()
        self.trail = self.followed(answers) if self.scope else None
        if self.by:
            self.state.made = {seat: self.by[seat] for seat in answers if seat in self.by}
        self.forget_answers()
        used = self.state.chance.used
        self.state.todo.pop().take(self.state, answers)
        return self.settle(revealed, used)

    def settle(self, first: Event, used: int = 0) -> list[Event]:
        """Advance to the next ask. `used`: how many random numbers had been used before the answers took effect."""
        self.run()
        if self.trail and (self.state.uncovered or self.state.chance.used != used):
            self.trail = self.trail.cut(self.state.uncovered or CHANCE)
        self.round += 1
        return self.collect(first)

    def followed(self, answers: dict[int, Draft]) -> Trail:
        """The trail with these answers, which are about to take effect."""
        assert self.ask is not None
        before = self.trail if self.trail and self.trail.scope == self.scope else None
        if len(self.asked) > 1 or self.ask.hush:
            return Trail(self.scope, None)
        (seat,), by = self.asked, self.by.get(self.asked[0], "player")
        if before is None or before.seat != seat:
            before = Trail(self.scope, seat, ACTED if before else "")
        if self.keeps or by == "time":
            return before.cut(KEPT if self.keeps else TIME)
        return before.add(self.state, MadeStep(self.round, answers[seat], by))

    def run(self) -> None:
        """Advance to the next ask, or to the end."""
        self._sealed = {}
        while True:
            self._moves = {}
            self.asked = self.state.run()
            self.ask = ask = self.state.todo[-1] if self.state.todo else None
            if ask is None or not ask.forced or ask.hush or len(self.asked) > 1 or self.drafts:
                break
            seat = self.asked[0]
            if (answer := only_answer(ask, self.state, seat, self.moves(seat))) is None:
                break
            self.state.todo.pop().take(self.state, {seat: answer})
        self.keeps = ask is not None and may_keep(ask)
        self.scope = ask.scope(self.state) if ask else ""

    def collect(self, first: Event) -> list[Event]:
        events = [first, *self.state.told]
        self.forget_move()
        if self.ask is None:
            events.append(Opened(self.deal.seed, tuple(self.kept)))
        self.version += len(events)
        return events

    def forget_answers(self) -> None:
        """Clear all answers to an ask that is over."""
        self.drafts, self.secrets, self.by, self.undone = {}, {}, {}, set()

    def forget_move(self) -> None:
        """Reset the fields of the state that describe the move that has just taken effect."""
        self.state.told.clear()
        self.state.made.clear()
        self.state.uncovered = ""

    # seals --------------------------------------------------------------------------------------------------------

    def sealed(self, seat: int) -> Answer:
        """What this seat has handed in."""
        found = self._sealed.get(seat)
        if found is None:
            assert self.ask is not None
            draft, secret, by = self.drafts[seat], self.secrets[seat], self.by.get(seat, "player")
            found = sealed_answer(self.ask, self.commitment, self.round, seat, draft, secret, by)
            self._sealed[seat] = found
        return found

    def record_kept(self, answers: dict[int, Draft]) -> None:
        """Record the kept parts of these answers; they are published at the end."""
        assert self.ask is not None
        for seat, draft in answers.items():
            self.kept.append(kept_answer(self.ask, self.round, draft, self.secrets[seat], self.sealed(seat)))

    def digests(self) -> dict[int, list[str]]:
        """The digests of the sealed answers, by seat."""
        answers = [self.sealed(seat) for seat in sorted(self.secrets)]
        return {answer.seat: [answer.digest, answer.kept] if self.keeps else [answer.digest] for answer in answers}

    # views --------------------------------------------------------------------------------------------------------

    def shared(self, public: Any = None) -> Shared:
        """What everybody sees. `public` is the game's part for this version if the caller has it cached."""
        hush = self.ask is not None and self.ask.hush
        return Shared(
            game=self.game.key,
            rules=self.game.rules,
            seats=self.seats,
            options=self.options,
            version=self.version,
            round=self.round,
            asks=type(self.ask).__name__ if self.ask else "",
            scope=self.scope,
            asked=None if hush else self.asked,
            waits=None if hush else self.waits,
            digests={} if hush else self.digests(),
            commitment=self.commitment,
            over=self.over,
            public=self.game.public(self.state) if public is None else public,
        )

    def own(self, seat: int) -> Own:
        return Own(
            seat=seat,
            draft=self.drafts.get(seat, ()),
            ready=seat in self.secrets,
            moves=self.moves(seat),
            anytime=self.anytime(seat),
            back=self.back(seat),
            order=self.order(seat),
            spared=self.spared(seat),
            private=self.game.private(self.state, seat),
        )

    def back(self, seat: int) -> StepsBack | None:
        """What this seat can take back."""
        if self.trail is None or self.ask is None:
            return None
        return self.trail.back(seat, self.scope, self.asked, hush=self.ask.hush)
