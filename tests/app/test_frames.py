"""Counting frames: the limits, however the bytes are divided."""

import pytest

from app.frames import CONTROL_RATE, DATA_RATE, FEWEST_DATA, MESSAGE_SECONDS, MOST_CONTROL, MOST_PIECES, FrameCounter

TEXT, CONTINUED, PING = 0x1, 0x0, 0x9


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def frame(opcode: int, size: int = 0, final: bool = True) -> bytes:
    head = bytes([opcode | (0x80 if final else 0)])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 2**16:
        head += bytes([0x80 | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([0x80 | 127]) + size.to_bytes(8, "big")
    return head + b"mask" + b"\x89" * size


SIZES = (0, 1, 125, 126, 300, 65_535, 65_536)


@pytest.mark.parametrize("portion", [1, 2, 3, 7, 100, 1_000_000])
def test_whole_messages_are_allowed_in_any_portions(portion: int) -> None:
    counter = FrameCounter(Clock())
    data = b"".join(frame(TEXT, size) for size in SIZES for _ in range(3))
    assert all(counter.feed(data[at : at + portion]) for at in range(0, len(data), portion))
    assert counter.payload == counter.pieces == 0


@pytest.mark.parametrize("portion", [1, 5, 1_000_000])
def test_a_message_may_have_so_many_pieces(portion: int) -> None:
    pieces = [frame(TEXT, 3, final=False)] + [frame(CONTINUED, 0, final=False)] * (MOST_PIECES - 1)
    for last, allowed in ((b"", True), (frame(CONTINUED, 0, final=False), False), (frame(CONTINUED, 200), False)):
        counter = FrameCounter(Clock())
        data = b"".join(pieces) + last
        assert all(counter.feed(data[at : at + portion]) for at in range(0, len(data), portion)) is allowed


def test_a_message_is_whole_in_time() -> None:
    clock = Clock()
    counter = FrameCounter(clock)
    assert counter.feed(frame(TEXT, final=False))
    clock.now += MESSAGE_SECONDS
    assert counter.feed(frame(CONTINUED, final=True))
    clock.now += 1000
    assert counter.feed(frame(TEXT, final=False))
    clock.now += MESSAGE_SECONDS + 1
    assert not counter.feed(frame(CONTINUED, final=True))


def test_control_frames_have_a_rate_and_are_no_pieces() -> None:
    clock = Clock()
    counter = FrameCounter(clock)
    assert counter.feed(frame(TEXT, final=False) + frame(PING, 4) * MOST_CONTROL)
    assert not counter.feed(frame(PING, 4))
    counter = FrameCounter(clock)
    for _ in range(1000):
        clock.now += 1 / CONTROL_RATE
        assert counter.feed(frame(PING, 4))


@pytest.mark.parametrize("most", [FEWEST_DATA, 5 * FEWEST_DATA])
def test_messages_have_a_rate(most: int) -> None:
    clock = Clock()
    counter = FrameCounter(clock, most)
    assert counter.feed(frame(TEXT, 4) * most)
    assert not counter.feed(frame(TEXT, 4))
    counter = FrameCounter(clock, most)
    for _ in range(3 * most):
        clock.now += 1 / (most * DATA_RATE)
        assert counter.feed(frame(TEXT, 4))
