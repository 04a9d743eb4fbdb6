"""uvicorn's WebSockets, and a short way past ASGI for what is said over them: no queue and no task between a frame and
who understands it, none between a message and the network."""

from collections.abc import Callable
from struct import Struct
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

TEXT = 0x81  # the first byte of a frame that is a whole text
TEXT_16, TEXT_64 = Struct("!BBH"), Struct("!BBQ")
# A round's fragments are much like those of the round before, if the window reaches back to them: then the quickest
# levels make less of them than the slowest ones in the usual window of four kilobytes.
DEFLATE = ServerPerMessageDeflateFactory(
    server_max_window_bits=14, client_max_window_bits=12, compress_settings={"level": 2, "memLevel": 6}
)


def head(length: int) -> bytes:
    """What goes before a whole text of so many bytes, as it is."""
    if length < 126:
        return bytes((TEXT, length))
    if length < 65536:
        return TEXT_16.pack(TEXT, 126, length)
    return TEXT_64.pack(TEXT, 127, length)


class Wire(WebSocketsSansIOProtocol):
    """One connection of a page or a program; `scope["wire"]` of its ASGI application.

    Opening, closing and what is no text go through ASGI as always. Whoever sets `heard` is given every text instead;
    `stuck` is told when the network takes no more for now, and when it does again.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn.available_extensions = [DEFLATE]
        self.heard: Callable[[bytes], None] | None = None
        self.stuck: Callable[[bool], None] | None = None
        self.full = False

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["wire"] = self  # type: ignore[typeddict-unknown-key]

    def send_receive_event_to_app(self) -> None:
        if self.heard is None or self.close_sent or self.curr_msg_data_type != "text":
            super().send_receive_event_to_app()
            return
        data = b"".join(self.frames)
        try:
            data.decode()
        except UnicodeDecodeError:
            super().send_receive_event_to_app()  # it knows how to end this
            return
        self.frames = []
        self.heard(data)

    def say(self, text: str) -> None:
        """Sends it, or keeps it until the network takes it. Nothing happens once either side has closed."""
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            data = text.encode()
            if self.conn.extensions:
                self.conn.send_text(data)
                self.transport.write(b"".join(self.conn.data_to_send()))
            else:
                self.transport.write(head(len(data)) + data)

    def hang_up(self) -> None:
        """Whoever waits for the other side to go need not wait any longer."""
        self.queue.put_nowait({"type": "websocket.disconnect", "code": 1006})

    def drop(self) -> None:
        """Closed in good order, whoever takes nothing could keep us at sending the rest for as long as they like."""
        self.transport.abort()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.drop()

    # backpressure, both ways ----------------------------------------------------------------------------------------

    def hold(self) -> None:
        """Read nothing until `go_on`."""
        if not self.read_paused and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    def go_on(self) -> None:
        if self.read_paused and self.queue.empty() and not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.flow(full=True)

    def resume_writing(self) -> None:
        super().resume_writing()
        self.flow(full=False)

    def flow(self, full: bool) -> None:
        self.full = full
        if self.stuck is not None:
            self.stuck(full)
