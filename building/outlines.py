"""Outlines of icons with whole numbers: an icon is 512 wide and shown smaller, and fractions are half of a sprite."""

import re
from collections.abc import Iterator

NUMBER = r"[-+]?(?:\d*\.\d+|\d+\.?)(?:e[-+]?\d+)?"
COMMAND = re.compile(r"([a-zA-Z])([^a-zA-Z]*)")
NUMBERS = re.compile(NUMBER)
# Two radii and an angle, two flags that need no space after them, and the end.
ARC = re.compile(rf"\s*,?\s*({NUMBER})" * 3 + r"\s*,?\s*([01])" * 2 + rf"\s*,?\s*({NUMBER})" * 2)
TAKES = {"m": 2, "l": 2, "t": 2, "h": 1, "v": 1, "s": 4, "q": 4, "c": 6, "a": 7, "z": 0}


def rounded(path: str) -> str:
    """The same outline, every point on the next whole number. Points are rounded where they are, not by their distance
    from the one before, so that errors do not add up."""
    return "".join(written(list(steps(path))))


def steps(path: str) -> Iterator[tuple[str, list[str]]]:
    """The commands, relative and with whole numbers."""
    x = y = first_x = first_y = 0.0  # where the pen is
    at_x = at_y = first_at_x = first_at_y = 0  # where the rounded one is
    for command, numbers in commands(path):
        kind, from_x, from_y = command.lower(), x, y
        if command.isupper():
            from_x = from_y = 0.0
        if kind == "z":
            x, y, at_x, at_y = first_x, first_y, first_at_x, first_at_y
            yield "z", []
            continue
        if kind in "hv":
            points = [(from_x + numbers[0], y)] if kind == "h" else [(x, from_y + numbers[0])]
        else:
            pairs = numbers[5:] if kind == "a" else numbers
            points = [(from_x + pairs[n], from_y + pairs[n + 1]) for n in range(0, len(pairs), 2)]
        whole = [(round(to_x), round(to_y)) for to_x, to_y in points]
        moved = [(to_x - at_x, to_y - at_y) for to_x, to_y in whole]
        (x, y), (at_x, at_y) = points[-1], whole[-1]
        if kind == "m":
            first_x, first_y, first_at_x, first_at_y = x, y, at_x, at_y
        yield from step(kind, moved, numbers)


def step(kind: str, moved: list[tuple[int, int]], numbers: list[float]) -> Iterator[tuple[str, list[str]]]:
    right, down = moved[-1]
    if kind == "a":
        radii = [f"{radius:.1f}".removesuffix(".0").removeprefix("0") for radius in numbers[:2]]
        yield "a", [*radii, *(f"{number:g}" for number in numbers[2:5]), str(right), str(down)]
    elif kind in "lhv":
        if right and down:
            yield "l", [str(right), str(down)]
        elif right or down:
            yield ("h", [str(right)]) if right else ("v", [str(down)])
    elif kind == "m" or any(point != (0, 0) for point in moved):
        yield kind, [str(number) for point in moved for number in point]


def commands(path: str) -> Iterator[tuple[str, list[float]]]:
    """Each command with the numbers of one use; further pairs after a move are lines."""
    for command, text in COMMAND.findall(path):
        if command in "aA":
            numbers = [float(number) for groups in ARC.findall(text) for number in groups]
        else:
            numbers = [float(number) for number in NUMBERS.findall(text)]
        takes = TAKES[command.lower()]
        if not takes:
            yield command, []
        for n in range(0, len(numbers), takes or 1):
            yield command, numbers[n : n + takes]
            command = {"m": "l", "M": "L"}.get(command, command)


def written(found: list[tuple[str, list[str]]]) -> Iterator[str]:
    """A command is named once for all uses in a row; a minus separates numbers by itself."""
    before = ""
    for command, numbers in found:
        named = command == "m" or (command != before and (before, command) != ("m", "l"))
        yield command if named else ""
        for n, number in enumerate(numbers):
            yield number if number[0] == "-" or (named and n == 0) else f" {number}"
        before = command
