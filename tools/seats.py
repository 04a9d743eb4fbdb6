"""Writes `static/css/seats.css` from `static/seats.json`, the list of the seats' colours and emblems.

CSS cannot compare attributes of two elements, so each rule about a seat must name it. All such rules are in this file.
The emblems become icons `seat-1`, `seat-2`, … of the sprite (`hatch_build.py`).
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "static" / "seats.json"
CSS = ROOT / "static" / "css" / "seats.css"

# What css shows inside the element of a seat that has not handed in.
WAITED = {
    ".state": "color: var(--lamp); font-weight: 700;",
    ".answered": "display: none;",
    ".awaited": "display: inline;",
    ".empty.awaited": "display: grid;",
    ".empty.awaited .ic": "color: var(--lamp);",
}


class Seat(TypedDict):
    colour: str
    deep: str  # on paper, and by day
    lit: str  # on the dark background
    emblem: str  # its name in game-icons


def read() -> list[Seat]:
    seats: list[Seat] = json.loads(LIST.read_text("utf-8"))
    return seats


def css(seats: Sequence[Seat]) -> str:
    def each(rule: str, between: str = ",\n") -> str:
        """The rule for every seat: `N` stands for its number, `COLOUR` for its colour."""
        return between.join(rule.replace("N", str(n)).replace("COLOUR", s["colour"]) for n, s in enumerate(seats, 1))

    colours = "\n".join(f"  --{s['colour']}: {s['deep']}; --{s['colour']}-lit: {s['lit']};" for s in seats)
    night = each('[data-seat="N"] { --seat-deep: var(--COLOUR); --seat: var(--COLOUR-lit); }', "\n")
    both = each('  [data-seat="N"] { --seat: light-dark(var(--COLOUR), var(--COLOUR-lit)); }', "\n")
    waited = {part: each(f'body[data-waits~="N"] [data-seat="N"] {part}') for part in WAITED}
    waited_rules = "\n".join(f"{waited[part]} {{ {rule} }}" for part, rule in WAITED.items())
    mine = each('body[data-me="N"] [data-seat="N"]')
    you = each('body[data-me="N"] :is(.you[data-seat="N"], .place[data-seat="N"] .you)::after')
    waits_you = each('body[data-me="N"] .waits .you[data-seat="N"]::after')
    waits_name = each('body[data-me="N"] .waits .you[data-seat="N"] bdi')
    return f"""\
/* Written by `python tools/seats.py` from static/seats.json: the rules that must name each seat. */
:root {{
{colours}
}}

/* --seat off paper, --seat-deep on paper; first for browsers without light-dark() */
{night}
@supports (color: light-dark(#000, #fff)) {{
{both}
}}

/* inside an element of a seat that has not handed in: js/waits.js copies from the fragment "waits" which these are. No
   :has() and no nesting: browsers of older TVs would show the opposite. */
{waited_rules}

/* what belongs to the viewer, for calculations in other style sheets: calc(var(--mine, 0) * 2px) */
{mine} {{
  --mine: 1;
  .to-you {{ display: inline; }}
  .to-others {{ display: none; }}
}}

/* "you" behind the viewer's own name */
{you} {{
  content: " " var(--you); font: 400 var(--t-xs)/1 var(--sans); color: var(--text-2);
}}
/* in the list of awaited players it replaces the name */
{waits_you} {{ content: var(--you); font: inherit; color: inherit; }}
{waits_name} {{ display: none; }}
"""


def main() -> None:
    CSS.write_text(css(read()), "utf-8")
    print(CSS.relative_to(ROOT))


if __name__ == "__main__":
    main()
