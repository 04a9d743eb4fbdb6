"""Rare states at every width: no overflow, no touch target too small, no violation for axe."""

import re
from collections.abc import Iterator

import pytest

from app.paths import STATIC
from tests.browser.positions import shown_states
from tests.browser.states import REVEALED, open_state, states
from tests.support.browser import Person, violations_by_night_and_day
from tools.seats import read

LAPTOPS = [(1440, 900), (1000, 740)]
PHONES = [(390, 844), (360, 640)]
TVS = [(1920, 1080)]
# All touch targets: at least 44 px high and wide, or a link in running text.
SMALL = """() => [...document.querySelectorAll('a, button, summary, select, label.choice')]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('.sr, p, li'))
  .map((e) => [e.outerHTML.slice(0, 90), e.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 43.5))
  .map(([html, box]) => `${html} ${box.width}x${box.height}`)"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with shown_states(states()) as address:
        yield address


@pytest.mark.parametrize("sizes", [LAPTOPS, PHONES, TVS], ids=["laptops", "phones", "TV"])
def test_it_fits(address: str, person: Person, sizes: list[tuple[int, int]]) -> None:
    page = person("Mira", phone=sizes is PHONES)
    wrong = []
    for name in states():
        if (name == "screen") != (sizes is TVS):
            continue
        for language in ("en", "ru"):
            open_state(page, address, name, language)
            for w, h in sizes:
                page.set_viewport_size({"width": w, "height": h})
                where = f"{name} ({language}, {w}x{h})"
                # Phones zoom out if the content is too wide, so compare with the width of the device.
                if (over := page.evaluate("document.documentElement.scrollWidth") - w) > 0:
                    wrong.append(f"{where} is {over} px too wide")
                wrong += [f"{where}: small: {small}" for small in page.evaluate(SMALL)]
                below = page.evaluate("document.documentElement.scrollHeight - innerHeight")
                if w >= 1440 and name not in REVEALED | {"end"} and below > 1:
                    wrong.append(f"{where} is {below} px too high")
    assert not wrong, "\n".join(wrong)


def test_axe(address: str, person: Person) -> None:
    page = person("Mira", contrast="no-preference")
    wrong = []
    for name in states():
        open_state(page, address, name)
        wrong += [f"{name}: {violation}" for violation in violations_by_night_and_day(page)]
    assert not wrong, "\n".join(wrong)


def test_axe_with_high_contrast(address: str, person: Person) -> None:
    page = person("Mira", contrast="more")
    wrong = []
    for name in ("choose", "monster", "hand"):
        open_state(page, address, name)
        wrong += [f"{name}: {violation}" for violation in violations_by_night_and_day(page)]
    assert not wrong, "\n".join(wrong)


def test_colours_do_not_vanish_in_older_browsers(address: str, person: Person) -> None:
    """Browsers without light-dark() skip the @supports blocks and use the colours of the night theme."""
    page = person("Mira")

    def older(route: object) -> None:
        response = route.fetch()  # type: ignore[attr-defined]
        css = response.text().replace("@supports (color: light-dark(", "@supports (color: no-such(")
        route.fulfill(response=response, body=css)  # type: ignore[attr-defined]

    page.route("**/*.css*", older)
    open_state(page, address, "choose")
    looks = "e => { const s = getComputedStyle(e); return [s.color, s.backgroundColor] }"
    assert page.locator("body").evaluate(looks) == ["rgb(245, 236, 218)", "rgb(21, 16, 11)"]
    names = page.locator(".place .who").all()
    assert len({name.evaluate("e => getComputedStyle(e).color") for name in names}) == len(names) == 4


def test_all_seats_differ_in_colour_and_emblem(address: str, person: Person) -> None:
    page = person("Mira")
    open_state(page, address, "choose")
    found = page.evaluate(
        """(seats) => Array.from({ length: seats }, (_, n) => {
      const seat = document.createElement('p');
      seat.dataset.seat = n + 1;
      document.body.append(seat);
      return ['--seat', '--seat-deep'].map((name) => getComputedStyle(seat).getPropertyValue(name));
    })""",
        len(read()),
    )
    assert len({lit for lit, _ in found if lit}) == len({deep for _, deep in found if deep}) == len(read())
    sprite = (STATIC / "built" / "icons-frame.svg").read_text("utf-8")
    pictures = re.findall(r'<symbol id="seat-\d+" [^>]*>(.*?)</symbol>', sprite)
    assert len(set(pictures)) == len(read())
