"""Looking ahead: the state as far as a viewer knows it, and moves tried on it. Bots and forecasts use nothing else."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from engine import Chance, Event, Move
from engine.games.tomb.cards import CARDS, DECK, NEUTRAL
from engine.games.tomb.effects import GOODS
from engine.games.tomb.rules import Tomb
from engine.games.tomb.seen import MarketSeen, PlayerSeen, Private, Public
from engine.games.tomb.state import Market, Owned, Player

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Tomb).decode


def fork(g: Tomb) -> Tomb:
    """A copy to try moves on."""
    return decode(encode(g))


def imagine(public: Public, seat: int, private: Private, luck: Random) -> Tomb:
    """The state as this seat knows it; what it cannot know is drawn at random."""
    chests = unseen_chests(public, private, luck)
    players = [
        player(one, private.used if one.seat == seat else [chests.pop() for _ in range(one.used)])
        for one in public.players
    ]
    ledger, memory = public.ledger, public.memory
    return Tomb(
        todo=list(memory.todo),
        chance=Chance(f"{luck.getrandbits(256):064x}"),
        players=players,
        factions=list(public.factions),
        entrances={one.slot: one.card for one in public.entrances},
        chests={one.cell: one.chest for one in public.cells if one.chest},
        supply=chests[: public.supply],
        unseen=public.supply,
        rooms_market=market(public, "room", public.rooms, luck),
        helpers_market=market(public, "helper", public.helpers, luck),
        secret=[one.card for one in public.entrances if one.token],
        turned={one.card: one.owner for one in public.entrances if one.owner is not None},
        paws=paws_seen(public),
        rooms={one.cell: Owned(one.room, one.owner) for one in public.cells if one.owner is not None},
        first=public.first,
        active=public.active,
        turn=public.turn,
        sort=public.sort,
        ended=public.ended,
        trigger=public.trigger or 0,
        symbols=list(memory.symbols),
        extra_actions=public.extra_actions,
        extra_turn=public.extra_turn,
        ignored=memory.ignored,
        borrowed=list(public.borrowed),
        fired=dict(memory.fired),
        lifts=public.lifts,
        doubles=public.doubles,
        effective=memory.effective,
        movable=memory.movable,
        had=list(ledger.had) if ledger else [],
        gained=list(ledger.gained) if ledger else [],
        spent=list(ledger.spent) if ledger else [],
        applied=list(memory.applied),
    )


def paws_seen(public: Public) -> dict[str, int]:
    found = {one.slot: one.paw for one in public.entrances if one.paw is not None}
    found |= {one.cell: one.paw for one in public.cells if one.paw is not None}
    return found


def player(seen: PlayerSeen, used: Sequence[str]) -> Player:
    return Player(
        goods=[getattr(seen, good) for good in GOODS],
        paws=seen.paws,
        tokens=seen.tokens,
        helpers=list(seen.helpers),
        camp=list(seen.camp),
        chests=list(seen.chests),
        used=list(used),
        turns=seen.turns,
    )


def unseen_chests(public: Public, private: Private, luck: Random) -> list[str]:
    seen = {one.chest for one in public.cells if one.chest}
    seen |= {chest for one in public.players for chest in one.chests} | set(private.used)
    found = [chest for chest in DECK.chests if chest not in seen]
    luck.shuffle(found)
    return found


def market(public: Public, sort: str, seen: MarketSeen, luck: Random) -> Market:
    """The cards that lie nowhere else are in the deck, green ones on top."""
    known = {one.room for one in public.cells if one.room} | set(seen.shown) | set(seen.discard)
    known |= {card for one in public.players for card in (*one.helpers, *one.camp)}
    factions = (*public.factions, NEUTRAL)
    deck = [c for c, card in CARDS.items() if card.sort == sort and card.faction in factions and c not in known]
    luck.shuffle(deck)
    deck.sort(key=lambda card: CARDS[card].back != (seen.back or "green"))
    return Market(sort, deck, list(seen.shown), list(seen.discard))


def answer(g: Tomb, words: Sequence[Move]) -> list[Event]:
    """Answer the ask on top of the agenda, complete the answer with its first options, and run to the next real ask.
    Returns what has happened."""
    ask: Any = g.todo[-1]
    seat = g.active
    draft = tuple(words)
    while ask.unfinished(g, seat, draft):
        draft = (*draft, ask.options(g, seat, draft)[0])
    g.todo.pop()
    g.told.clear()
    ask.take(g, {seat: draft})
    run_on(g)
    return g.told


def run_on(g: Tomb) -> None:
    """Run to the next ask at which there is something to choose."""
    while g.run():
        ask: Any = g.todo[-1]
        options = ask.options(g, g.active, ())
        if len(options) > 1 or ask.unfinished(g, g.active, (options[0],)):
            return
        g.todo.pop()
        ask.take(g, {g.active: (options[0],)})
