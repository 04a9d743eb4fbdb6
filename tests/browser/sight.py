"""What a player sees without scrolling: finds essential elements of a page that are not, or hardly, to be seen.

Essential are the elements of a table of names and selectors. Each name must match something visible; otherwise elements
that are not displayed are passed over. Words and pictures are measured, not boxes: an element may be larger than what
it shows.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

Size = tuple[int, int]

# Laptops, a laptop inside a browser's own bars, a tablet, phones upright and on their side, a laptop at 200 %.
SIZES: tuple[Size, ...] = (
    (1440, 900), (1280, 720), (1280, 580), (1024, 768), (844, 390), (390, 844), (360, 640), (720, 450),
)  # fmt: skip
TVS: tuple[Size, ...] = ((1920, 1080), (960, 540))
SMALLEST = 11.0  # px, for what is read from close up
FROM_AFAR = 28 / 1080  # of the height of a TV, for what is read from the sofa

MEASURE = Path(__file__).with_suffix(".js").read_text("utf-8")


def out_of_sight(
    page: Page, essentials: Mapping[str, str], smallest: float = SMALLEST, close: Collection[str] = ()
) -> list[str]:
    """What is wrong with the essential elements: outside of the screen, covered, clipped, over one another, or with
    letters smaller than `smallest` px. `close` are the names of elements that are read from close up, also on a TV."""
    page.evaluate("scrollTo(0, 0)")
    given = {"essentials": dict(essentials), "smallest": smallest, "close": list(close)}
    return list(page.evaluate(MEASURE, given))


def check_in_sight(
    page: Page,
    opened: Callable[[str], object],
    essentials: Mapping[str, str],
    sizes: Iterable[Size] = SIZES,
    **read: Any,
) -> None:
    """Fail unless these elements are in sight at each size in both languages; `opened` opens the page in one. `read` is
    as for `out_of_sight_at`."""
    wrong = []
    for language in ("en", "ru"):
        opened(language)
        wrong += [f"{language} {what}" for what in out_of_sight_at(page, essentials, sizes, **read)]
    assert not wrong, "\n".join(wrong)


def out_of_sight_at(
    page: Page,
    essentials: Mapping[str, str],
    sizes: Iterable[Size] = SIZES,
    afar: bool = False,
    close: Collection[str] = (),
) -> list[str]:
    """The same at each size of the window; the page stays loaded. `afar`: read from the sofa, without scrolling."""
    wrong = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        smallest = FROM_AFAR * height if afar else SMALLEST
        found = out_of_sight(page, essentials, smallest, close)
        if afar and page.evaluate("document.documentElement.scrollHeight > innerHeight + 1"):
            found.append("it scrolls")
        wrong += [f"{width}x{height}: {what}" for what in found]
    return wrong
