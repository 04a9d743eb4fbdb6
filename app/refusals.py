"""Refusals: every reason, with its HTTP status and text. A refused action changes nothing."""

from typing import Literal

from engine.game import N_, BrokenGame, UnknownGame
from engine.move_error import MoveErrorReason

Reason = (
    MoveErrorReason
    | Literal[
        "not_host",
        "no_seat",
        "no_person",
        "seated",
        "locked",
        "full",
        "taken",
        "held_another",
        "newcomer",
        "no_name",
        "salted",
        "not_pledged",
        "no_such_seat",
        "no_such_bot",
        "no_such_option",
        "wrong_pick",
        "bad_timer",
        "not_started",
        "begun",
        "too_few",
        "too_many",
        "not_a_bot",
        "not_yet",
        "time_up",
        "not_away",
        "too_soon",
        "claimed",
        "no_claim",
        "hurried",
        "turned_down",
        "unknown_table",
        "table_gone",
        "unknown_code",
        "locked_code",
        "unknown_game",
        "game_broken",
        "unknown_page",
        "link_spent",
        "no_log",
        "wrong_password",
        "malformed",
        "bad_host",
        "foreign_host",
        "origin",
        "too_big",
        "too_slow",
        "binary",
        "media_type",
        "no_method",
        "too_fast",
        "private",
        "store_down",
        "broken",
    ]
)

# reason -> HTTP status, text for people
TEXTS: dict[Reason, tuple[int, str]] = {
    # moves
    "over": (409, N_("The game is over.")),
    "past_round": (409, N_("Too late: the game has gone on.")),
    "future_round": (409, N_("This choice is not open yet.")),
    "not_asked": (409, N_("The table does not wait for you now.")),
    "already_in": (409, N_("You have handed in. Take it back to choose again.")),
    "not_legal": (409, N_("The rules do not allow this move here.")),
    "nothing_to_undo": (409, N_("There is nothing to take back.")),
    "no_way_back": (409, N_("This cannot be taken back any more.")),
    # seats and lobby
    "not_host": (403, N_("Only the host may do this.")),
    "no_seat": (403, N_("You do not sit at this table.")),
    "no_person": (403, N_("Take a seat first, with a name.")),
    "seated": (409, N_("You sit at this table already.")),
    "locked": (409, N_("The host has locked this table. You may watch.")),
    "full": (409, N_("All seats are taken.")),
    "taken": (409, N_("Somebody has this seat already.")),
    "held_another": (409, N_("You held another seat in this game and know its cards.")),
    "newcomer": (409, N_("A bot plays this seat until the next reveal. Then it is yours.")),
    "no_name": (400, N_("Please give a name that can be read.")),
    "salted": (409, N_("This seat has given its numbers already.")),
    "not_pledged": (409, N_("These are not the numbers that this seat has pledged.")),
    "no_such_seat": (409, N_("There is nobody to do this for.")),
    "no_such_bot": (400, N_("There is no such bot.")),
    "no_such_option": (400, N_("This game has no such option.")),
    "wrong_pick": (400, N_("Please choose as many as the game needs, each of them once.")),
    "bad_timer": (400, N_("A choice may take 5 seconds to an hour, or any time.")),
    "not_started": (409, N_("The game has not begun yet.")),
    "begun": (409, N_("The game has begun already.")),
    "too_few": (409, N_("There are too few players to start.")),
    "too_many": (409, N_("There are too many players to start.")),
    "not_a_bot": (409, N_("No bot plays for this seat.")),
    "not_yet": (409, N_("There is time left.")),
    "time_up": (409, N_("The time for this choice has run out.")),
    "not_away": (409, N_("This player is here.")),
    "too_soon": (
        409,
        N_(
            "Nobody may ask for this seat yet: its player has been away for less than ten minutes, or somebody has "
            "just refused."
        ),
    ),
    "claimed": (409, N_("Somebody asks for a seat already. Please wait a minute.")),
    "no_claim": (409, N_("Nobody asks for a seat.")),
    "hurried": (409, N_("The time for this choice is running out already.")),
    "turned_down": (409, N_("The players have refused.")),
    # links and codes
    "unknown_table": (404, N_("There is no such table. Perhaps the link is cut off.")),
    "table_gone": (410, N_("This table has been deleted on the server.")),
    "unknown_code": (404, N_("No open table has this code.")),
    "locked_code": (409, N_("The table with this code is locked: its host lets nobody in at the moment.")),
    "unknown_game": (404, N_("This game is not installed here.")),
    "game_broken": (
        503,
        N_("This game cannot be loaded at the moment. Nothing was lost; whoever runs the server can read the reason."),
    ),
    "unknown_page": (404, N_("There is no such page.")),
    "link_spent": (410, N_("This link was used already or is too old. Make a new one on your first device.")),
    "no_log": (404, N_("There is no log yet: the game has not begun.")),
    "wrong_password": (403, N_("This is not the password for opening tables.")),
    # form of the request
    "malformed": (400, N_("This message cannot be understood.")),
    "bad_host": (400, N_("This address cannot be understood.")),
    "foreign_host": (
        421,
        N_(
            "This server does not answer to the name in this address. Whoever runs it can set PUBLIC_URL or "
            "ALLOWED_HOSTS."
        ),
    ),
    "origin": (403, N_("This was sent from another site.")),
    "too_big": (413, N_("This message is too big.")),
    "too_slow": (408, N_("This message took too long to arrive.")),
    "binary": (415, N_("Only text is understood here.")),
    "media_type": (415, N_("Only JSON and forms are understood here.")),
    "no_method": (405, N_("This cannot be done here.")),
    "too_fast": (429, N_("Too many requests. Please wait a moment.")),
    "private": (403, N_("This page is for whoever runs the server.")),
    "store_down": (503, N_("The server cannot store anything at the moment. Nothing was lost; please try again.")),
    "broken": (500, N_("Something went wrong on the server. Nothing was changed.")),
}


class Refusal(Exception):
    """An action or a request was not accepted and has changed nothing. `version`: the table's version, if known;
    `wait`: seconds until another attempt may succeed."""

    def __init__(self, reason: Reason, *, version: int | None = None, wait: float | None = None) -> None:
        super().__init__(reason)
        self.reason: Reason = reason
        self.version = version
        self.wait = wait

    @property
    def status(self) -> int:
        return TEXTS[self.reason][0]

    @property
    def text(self) -> str:
        return TEXTS[self.reason][1]


def no_game(error: UnknownGame) -> Refusal:
    """The refusal where a game would be needed that is not there."""
    return Refusal("game_broken" if isinstance(error, BrokenGame) else "unknown_game")
