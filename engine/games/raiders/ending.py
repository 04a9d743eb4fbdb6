"""When the game ends, and who wins."""

from collections.abc import Sequence

from engine import Result, Standing
from engine.games.raiders.modes import Mode
from engine.games.raiders.rooms import Owns

Rank = tuple[int, int]  # lower is better


def is_over(mode: Mode, raiders: Sequence[Owns]) -> bool:
    """R-84 The game ends early only when nobody is left alive. R-90 A duel ends as soon as one hero dies."""
    return sum(raider.alive for raider in raiders) < mode.fewest_alive


def final_scoring(mode: Mode, raiders: Sequence[Owns]) -> Result:
    """R-82 Those who are not out are ranked by most coins, then fewest wounds; equal ranks share the victory. Those who
    are out share the last place."""
    unconscious = out_for_wounds(mode, raiders)
    rest = [seat for seat, raider in enumerate(raiders) if raider.alive and seat not in unconscious]
    rest.sort(key=lambda seat: rank(raiders[seat]))
    ranks = [rank(raiders[seat]) for seat in rest]
    winners = rest[: ranks.count(ranks[0])] if ranks else []
    standings = [
        standing(raiders, seat, 1 + ranks.index(mine), reason(mode, ranks, mine))
        for seat, mine in zip(rest, ranks, strict=True)
    ]
    for seat, raider in enumerate(raiders):
        if seat not in rest:
            why = "most_wounds" if raider.alive else mode.fallen
            standings.append(standing(raiders, seat, len(rest) + 1, why))
    return Result(tuple(winners), tuple(standings))


def out_for_wounds(mode: Mode, raiders: Sequence[Owns]) -> list[int]:
    """R-80 The hero with the most wounds is out. In a tie all tied heroes are out if 4 or 5 heroes started, and none if
    3 did. R-81 First edition: all tied heroes are out. If all are equal, nobody is out. R-83 Heroes who were already
    out are not compared. R-91, R-99 Duel and solo: nobody is out."""
    wounds = {seat: raider.wounds for seat, raider in enumerate(raiders) if raider.alive}
    if len(set(wounds.values())) < 2:
        return []
    most = max(wounds.values())
    worst = [seat for seat, n in wounds.items() if n == most]
    if mode.bleeding == "ties_of_four_and_more":
        return worst if len(worst) == 1 or len(raiders) > 3 else []
    return worst if mode.bleeding == "ties_too" else []


def rank(raider: Owns) -> Rank:
    return -raider.coins, raider.wounds


def standing(raiders: Sequence[Owns], seat: int, place: int, why: str) -> Standing:
    return Standing(seat, place, {"coins": raiders[seat].coins, "wounds": raiders[seat].wounds}, why)


def reason(mode: Mode, ranks: list[Rank], mine: Rank) -> str:
    """What decided a place in `ranks` (best first). A winner is compared with the next worse rank, everybody else with
    the next better one."""
    place = ranks.index(mine)
    if ranks.count(mine) > 1 and place == 0:
        return "shared"
    if len(ranks) == 1:
        return mode.alone  # one survivor wins outright
    next_to_mine = ranks[place - 1 if place else 1]
    if next_to_mine[0] == mine[0]:
        return "more_wounds" if place else "fewer_wounds"
    return "coins" if place else "most_coins"
