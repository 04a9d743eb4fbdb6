"""Who has won."""

from collections.abc import Sequence

from engine.games.raiders.rooms import Owns
from engine.steps import Result, Standing


def final_scoring(raiders: Sequence[Owns]) -> Result:
    """R-82 Among the rest: most coins; then fewest wounds; then shared. Those who are out share the last place."""
    unconscious = out_for_wounds(raiders)
    rest = [seat for seat, raider in enumerate(raiders) if raider.alive and seat not in unconscious]
    rest.sort(key=lambda seat: rank(raiders[seat]))
    standings, winners = [], []
    for i, seat in enumerate(rest):
        place = 1 + sum(rank(raiders[other]) < rank(raiders[seat]) for other in rest)
        if place == 1:
            winners.append(seat)
        standings.append(standing(raiders, seat, place, reason(raiders, rest, i)))
    for seat, raider in enumerate(raiders):
        if seat not in rest:
            why = "most_wounds" if raider.alive else "stone"
            standings.append(standing(raiders, seat, len(rest) + 1, why))
    return Result(tuple(winners), tuple(standings))


def out_for_wounds(raiders: Sequence[Owns]) -> list[int]:
    """R-80 Whoever has the most wounds is out. Tied for the most: with 4 or 5 who started all of them are out; with 3
    nobody is. Everyone equal: nobody is out. R-83 Those whom Medusa took are not compared."""
    wounds = {seat: raider.wounds for seat, raider in enumerate(raiders) if raider.alive}
    if len(set(wounds.values())) < 2:
        return []
    worst = [seat for seat, n in wounds.items() if n == max(wounds.values())]
    return worst if len(worst) == 1 or len(raiders) > 3 else []


def rank(raider: Owns) -> tuple[int, int]:
    return -raider.coins, raider.wounds


def standing(raiders: Sequence[Owns], seat: int, place: int, why: str) -> Standing:
    return Standing(seat, place, {"coins": raiders[seat].coins, "wounds": raiders[seat].wounds}, why)


def reason(raiders: Sequence[Owns], rest: list[int], i: int) -> str:
    """What decided the place of the i-th of the rest, best first: against the next worse for a winner, against the next
    better for the others."""
    mine = rank(raiders[rest[i]])
    if mine == rank(raiders[rest[0]]):
        others = [rank(raiders[seat]) for seat in rest if seat != rest[i]]
        if mine in others:
            return "shared"
        return "fewer_wounds" if others and others[0][0] == mine[0] else "most_coins"
    better = [rank(raiders[seat]) for seat in rest[:i] if rank(raiders[seat]) < mine]
    return "more_wounds" if better[-1][0] == mine[0] else "coins"
