"""Nothing that matters is out of sight: states of Rodents and Tombs at each size of the window, in both languages."""

from collections.abc import Iterator

import pytest

from tests.browser.positions import shown_states
from tests.browser.sight import SIZES, TVS, out_of_sight_at
from tests.browser.tomb_states import open_state, states
from tests.support.browser import Onlooker, Person, violations_by_night_and_day

# What a paw would bring must be seen also where a paw, a lock or a rival's share lies on the same card.
MAP = {
    "entrances": ".door .nr",
    "what they bring": ".door .fx",
    "what rooms bring": ".tile .fx",
    "what chests bring": ".cell .chest .fx",
    "paws": ".tomb .paw",
    "locks": ".bar-by, .toll",
}
TOMB = {"menu": ".menu > summary"} | MAP
POSSESSIONS = {
    "helpers": ".helpers .mini",
    "camp": ".board > .kept .camp",
    "chests": ".board > .kept .hoards",
    "sets": ".board > .kept .sets",
}
PICTURED = {"helpers": ".helpers .mini", "camp": ".camp .mini", "chests": ".kept-chest .chest"}  # on a TV
# Entries of what has happened, of which a part must never be cut off: each is whole or out of sight.
ENTRIES = ".chain h2, .story li, .ledger, .log h2, .log li"
PARTLY = """entries => [...document.querySelectorAll(entries)].filter((e) => {
  const whole = e.getBoundingClientRect();
  let [top, bottom, left, right] = [whole.top, whole.bottom, whole.left, whole.right];
  for (let over = e.parentElement; over; over = over.parentElement) {
    const page = over === document.documentElement;
    if (!page && getComputedStyle(over).overflowY === "visible") continue;
    const box = page ? new DOMRect(0, 0, innerWidth, innerHeight) : over.getBoundingClientRect();
    [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
  }
  return right > left && bottom - top > 1 && bottom - top < whole.height - 1;
}).map((e) => e.textContent.trim().slice(0, 30))"""
# Formulas that touch the edge of their entrance, and owners' emblems over other signs.
TIGHT = """() => [...document.querySelectorAll(".door")].filter((door) => {
  const box = door.getBoundingClientRect();
  return [...door.querySelectorAll(".fx :is(b, .ic, .deed, .to, .or)")].map((e) => e.getBoundingClientRect())
    .some(({ left, right, top, bottom }) =>
      left < box.left + 1.5 || right > box.right - 1.5 || top < box.top || bottom > box.bottom);
}).map((door) => `entrance ${door.textContent.trim().slice(0, 3)}: signs at the edge`).concat(
  [...document.querySelectorAll(".tile:has(.more)")].filter((tile) => {
    const emblem = tile.querySelector(".own .ic");
    return emblem.checkVisibility({ visibilityProperty: true })
      && emblem.getBoundingClientRect().left < tile.querySelector(".more").getBoundingClientRect().right;
  }).map((tile) => `${tile.textContent.trim()}: the emblem lies over a sign`))"""
STEPS = {"newest step": ".story li:last-child p"}
WHOLE = [size for size in SIZES if size[0] >= 1024]  # where the boards are whole; elsewhere a sheet has the rest
PURSES = {
    "names": ".board .who",
    "purses": ".board .store li > b",
    "glory": ".board .fame b",
    "points": ".board .total b, .board .total small, .board .sum",
    "leader": ".board :is(.total, .sum) .ic",
}
TOLLS = {"what +1 means": ".tolls"}
ASKED = TOMB | PURSES | {"what is asked": "#ask", "button": "#hand .acts .btn"}
STATES = {
    "choose": ASKED,
    "aimed": ASKED
    | {
        "how many paws": ".fate h3",
        "what it brings": ".bring > div:first-child dd:nth-of-type(1) .say",
        "time": ".clock",
    },
    "lift": ASKED | {"choices": ".opt:first-of-type .row1 > b"},
    "many steps": ASKED,
    "open": ASKED | {"choices": ".opt:first-of-type .row1 > b", "place and payment": ".way:enabled > *"},
    "place": ASKED
    | {"what is bought": ".sentence > b, .sentence .pics", "what places bring": ".there > b, .there > .pics"},
    "hire": ASKED | {"choices": ".opt .row1", "gains": ".opt > .fate .bring", "sets": ".opt .counted .say"},
    "wait": TOMB | PURSES | {"for whom": "#ask"},
    "long names": {"names": ".board .who", "what is asked": "#ask", "button": "#hand .acts .btn"},
    "three": ASKED,
    "spectator": TOMB | PURSES,
    "hand": TOMB | {"what is asked": "#ask", "button": "#hand .acts .btn"},
    "hand lifting": TOMB | {"what is asked": "#ask", "button": "#hand .acts .btn"},
    "screen": MAP
    | PICTURED
    | {"whose turn": ".call h2", "purses": ".board .store li > b", "what was done": ".story li:last-child p"},
    "screen of three": MAP
    | PICTURED
    | TOLLS
    | {
        "whose turn": ".call h2",
        "paws at hand": ".board .paws",
        "who would win": ".now .score",
        "names": ".board .who",
        "purses": ".board .store li > b",
    },
    "screen of long names": MAP
    | PICTURED
    | {"whose turn": ".call h2", "names": ".board .who", "still to lift": ".togo li"},
    "screen of many helpers": MAP
    | PICTURED
    | {"whose turn": ".call h2", "what may be done": ".may", "who would win": ".now .score"},
    "screen at the end": {
        "who has won": "h1",
        "why": ".lede",
        "points": ".ranks td",
        "sets": ".setrow",
        "worth": ".worth",
    },
    "end": {
        "who has won": "#scoring h1",
        "why": "#scoring .lede",
        "heads": "#scoring .ranks thead .num",
        "players": "#scoring .ranks bdi",
        "points": "#scoring .ranks td",
    },
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with shown_states(states()) as address:
        yield address


def test_all_states_are_here() -> None:
    assert states().keys() == STATES.keys()


@pytest.mark.parametrize("state", STATES)
def test_in_sight(address: str, onlooker: Onlooker, state: str) -> None:
    page = onlooker()
    essentials, tv, phone = STATES[state], state.startswith("screen"), state.startswith("hand")
    whole = essentials if tv or phone or not essentials.keys() >= PURSES.keys() else essentials | POSSESSIONS
    sizes = TVS if tv else [size for size in SIZES if not phone or min(size) < 500]
    wrong = []
    for language in ("en", "ru"):
        open_state(page, address, state, language)
        for size in sizes:
            sought = whole if size in WHOLE else essentials
            if size in WHOLE:
                sought = sought | {"three": TOLLS, "many steps": STEPS}.get(state, {})
            wrong += [f"{language} {what}" for what in out_of_sight_at(page, sought, [size], afar=tv)]
            if size in WHOLE and state not in ("many steps", "end"):
                wrong += [f"{language} {size}: {what!r} is cut" for what in page.evaluate(PARTLY, ENTRIES)]
            wrong += [f"{language} {size}: {what}" for what in page.evaluate(TIGHT)]
    assert not wrong, "\n".join(wrong)


AXE = ("aimed", "open", "wait", "three", "end", "hand lifting")  # the hand in a low window


def test_axe(address: str, person: Person) -> None:
    page = person("Mira", contrast="no-preference", reduced_motion="reduce")
    wrong = []
    for name in AXE:
        if name.startswith("hand"):
            page.set_viewport_size({"width": 360, "height": 640})
        open_state(page, address, name)
        wrong += [f"{name}: {violation}" for violation in violations_by_night_and_day(page)]
    assert not wrong, "\n".join(wrong)
