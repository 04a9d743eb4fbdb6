"""Counts a WebSocket client's frames without decoding them, to find clients that send pieces, pings or messages
endlessly. Counting a frame takes much less time than decoding it."""

from collections.abc import Callable

MOST_PIECES = 64  # of one message
MESSAGE_SECONDS = 5.0  # from the first piece of a message to its last one
MOST_CONTROL = 100  # pings, pongs and closes at once …
CONTROL_RATE = 5.0  # … and for each second
FEWEST_DATA = 1000  # data frames that any client may send at once …
DATA_RATE = 0.1  # … and this part of them for each second
FINAL, OPCODE, CONTROL, MASKED, LENGTH = 0x80, 0x0F, 0x08, 0x80, 0x7F  # bits of a frame's first two bytes


class FrameCounter:
    """`feed` gets the bytes that a client sends after its handshake, in any portions."""

    def __init__(self, clock: Callable[[], float], most_data: int = FEWEST_DATA) -> None:
        """`most_data`: how many data frames may come at once."""
        self.clock = clock
        self.most_data = most_data
        self.head = b""  # an incomplete head
        self.payload = 0  # bytes of the current frame that are still to come
        self.pieces = 0  # of the current message
        self.began = 0.0  # the current message
        self.control = float(MOST_CONTROL)  # frames that may come now
        self.data = float(most_data)  # likewise
        self.counted = clock()

    def feed(self, data: bytes) -> bool:
        """Whether the client keeps within the limits."""
        at = 0
        while at < len(data):
            if self.payload:
                taken = min(self.payload, len(data) - at)
                self.payload -= taken
                at += taken
                continue
            missing = length_of_head(self.head) - len(self.head)
            self.head += data[at : at + missing]
            at += missing
            if len(self.head) == length_of_head(self.head):
                first, self.payload = self.head[0], payload_of(self.head)
                self.head = b""
                if not self.allows(first):
                    return False
        return True

    def allows(self, first: int) -> bool:
        """Count a frame with this first byte."""
        now = self.clock()
        passed, self.counted = now - self.counted, now
        self.control = min(MOST_CONTROL, self.control + passed * CONTROL_RATE)
        self.data = min(self.most_data, self.data + passed * self.most_data * DATA_RATE)
        if first & OPCODE & CONTROL:
            self.control -= 1
            return self.control >= 0
        self.data -= 1
        if self.data < 0:
            return False
        if not self.pieces:
            self.began = now
        self.pieces += 1
        if self.pieces > MOST_PIECES or now - self.began > MESSAGE_SECONDS:
            return False
        if first & FINAL:
            self.pieces = 0
        return True


def length_of_head(head: bytes) -> int:
    """How long this head will be, as far as its bytes so far tell."""
    if len(head) < 2:
        return 2
    masked = 4 if head[1] & MASKED else 0
    return 2 + {126: 2, 127: 8}.get(head[1] & LENGTH, 0) + masked


def payload_of(head: bytes) -> int:
    short = head[1] & LENGTH
    if short == 126:
        return int.from_bytes(head[2:4], "big")
    return int.from_bytes(head[2:10], "big") if short == 127 else short
