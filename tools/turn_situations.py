"""Further situations for a database fixture: games with turns of several decisions, and windows."""

from tests.support.programs import Http, Json
from tools.opened import Opened, hunt
from tools.situations import SLOW, Situations

TURN_SITUATIONS = Situations()
situation = TURN_SITUATIONS.situation


def in_window(view: Json) -> bool:
    """Whether this seat is in a window in which the table does not answer for it."""
    return view["shared"]["waits"] is None and bool(view["own"]["moves"]) and not view["own"]["spared"]


@situation("tomb: two, a step of the turn can be taken back")
def _(http: Http) -> Opened:
    table = Opened(http, "tomb", 2)
    return table.start(lambda view: view["shared"]["round"] > 15 and (view["own"]["back"] or {}).get("steps", 0) > 0)


@situation("tomb: three, one of them a bot, whose turn it is", SLOW)
def _(http: Http) -> Opened:
    table = Opened(http, "tomb", 2, ["random"])
    return table.start(lambda view: view["shared"]["waits"] == [2])


@situation("dungeoneer: two, in the middle of a turn")
def _(http: Http) -> Opened:
    table = Opened(http, "dungeoneer", 2, last_round="20")
    return table.start(lambda view: view["shared"]["round"] > 30 and bool(view["own"]["moves"]))


@situation("dungeoneer: three, a window is open")
def _(http: Http) -> Opened:
    return hunt(lambda: Opened(http, "dungeoneer", 3, last_round="20"), in_window)


@situation("dungeoneer: alone")
def _(http: Http) -> Opened:
    return Opened(http, "dungeoneer", 1).start(lambda view: view["shared"]["round"] > 10)
