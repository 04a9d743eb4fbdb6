"""The faces of a table: the page of each, and the parts that its socket keeps up to date."""

from msgspec import Struct

from app.table.picture import Picture

WAITS = "waits"  # shows who has handed in; a hand-in changes no other shared part
NOTICE = "notice"  # on every face: the last refusal of this page
ANNOUNCED = "announced"  # on every face: what has happened to the people at the table


class Face(Struct, frozen=True):
    name: str
    page: str  # template
    shared: tuple[str, ...]  # parts that are the same for all viewers
    own: tuple[str, ...]  # parts that depend on the viewer
    seated: tuple[str, ...] = ("menu",)  # parts that depend on the viewer, and change only with seats and settings

    @property
    def parts(self) -> tuple[str, ...]:
        return self.shared + self.own + self.seated


FACES = {
    face.name: face
    for face in (
        Face("lobby", "lobby.html", ("phase", ANNOUNCED), ("lobby",)),
        Face("play", "table.html", ("phase", ANNOUNCED, "bar", "board", WAITS, "reveal"), ("own",)),
        Face("hand", "hand.html", ("phase", ANNOUNCED, "bar", WAITS, "cue", "board_hand"), ("own_hand",)),
        Face("screen", "screen.html", ("phase", ANNOUNCED, "bar", "board", WAITS, "reveal", "invite"), (), ()),
        Face("result", "result.html", ("phase", ANNOUNCED, "result"), ("after",)),
    )
}


OWN = frozenset(part for face in FACES.values() for part in face.own)
SEATED = frozenset(part for face in FACES.values() for part in face.seated)
FACE_OF = {"lobby": "lobby", "playing": "play", "over": "result"}  # the face of the table's page, by phase
HAND_OF = {"lobby": "lobby", "playing": "hand", "over": "hand"}  # the same for the page of a hand beside a screen


def fits(face: Face, picture: Picture) -> bool:
    """Is this face for the table's phase? The screen is for all phases."""
    phase = picture.card.phase
    return face.name in ("screen", FACE_OF[phase], HAND_OF[phase])
