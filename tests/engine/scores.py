"""Results of tiny games."""

from engine.steps import Result, Standing


def rank(scores: list[int]) -> Result:
    best = max(scores)
    order = sorted(range(len(scores)), key=lambda seat: -scores[seat])
    standings = (Standing(seat, 1 + sum(s > scores[seat] for s in scores), {"points": scores[seat]}) for seat in order)
    return Result(tuple(seat for seat, score in enumerate(scores) if score == best), tuple(standings))
