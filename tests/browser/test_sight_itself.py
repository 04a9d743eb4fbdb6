"""The means of tests/browser/sight.py find each way in which an element can be out of sight."""

import pytest

from tests.browser.sight import out_of_sight, out_of_sight_at
from tests.support.browser import Person

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><style>
body {{ margin: 0; font: 16px/1.4 sans-serif; }} p {{ margin: 0; position: absolute; left: 10px; top: 10px; }}
.lid {{ width: 99px; height: 99px; background: red; }} .cut {{ width: 50px; overflow: hidden; }}
</style><body><div style="height: 3000px"></div>{}</body></html>"""

SEEN = {
    "plain": "<p class=a>Nine coins</p>",
    "box larger than the screen": "<p class=a style='width: 5000px'>Nine coins</p>",
    "inside its frame": "<p style='overflow: hidden'><span class=a>Nine coins</span></p>",
    "with a hidden part": "<p class=a>Nine <span style='position: absolute; clip-path: inset(50%)'>far</span></p>",
    "another one is hidden": "<p class=a>Nine coins</p><p class=a style='top: 900px; visibility: hidden'>Nine</p>",
    "above the cover": "<p class=a style='z-index: 1'>Nine coins</p><p class=lid></p>",
    "under a transparent box": "<p class=a>Nine coins</p><p style='width: 99px; height: 99px'></p>",
    "boxes meet, letters do not": "<p class=a>Nine</p><p class=b style='padding-left: 60px'>Eight</p>",
    "hyphenated": "<p class=a style='width: 40px'>well-known</p>",
}
UNSEEN = {
    "absent": ("", "nothing is shown"),
    "not displayed": ("<p class=a hidden>Nine coins</p>", "nothing is shown"),
    "transparent": ("<p class=a style='opacity: 0'>Nine coins</p>", "nothing is shown"),
    "for screen readers only": ("<p class=a style='clip-path: inset(50%)'>Nine coins</p>", "nothing is shown"),
    "below the fold": ("<p class=a style='top: 790px'>Nine coins</p>", "outside of the screen"),
    "beside the screen": ("<p class=a style='left: 985px'>Nine coins</p>", "outside of the screen"),
    "covered": ("<p class=a>Nine coins</p><p class=lid style='width: 20px'></p>", "covered: Nine"),
    "end covered": ("<p class=a>Nine coins</p><p class=lid style='left: 60px'></p>", "covered: coins"),
    "clipped": ("<p class=cut><span class=a>Nine&nbsp;coins</span></p>", "clipped: "),
    "clipped by itself": ("<p class='a cut' style='height: 20px'>Nine coins</p>", "clipped: coins"),
    "scrolled away": ("<p style='height: 40px; overflow: auto'><br><br><b class=a>Nine</b></p>", "clipped: Nine"),
    "ellipsis": (
        "<p class=a style='width: 60px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap'>Nine coins</p>",
        "cut by an ellipsis",
    ),
    "small": ("<p class=a>Nine <small style='font-size: 10.5px'>coins</small></p>", "letters of 10.5 px"),
    "broken word": ("<p class=a style='width: 40px; overflow-wrap: anywhere'>Bartholomew</p>", "breaks inside a word"),
    "overlapping": ("<p class=a>Nine</p><p class=b style='left: 30px; pointer-events: none'>Eight</p>", "lies over"),
}  # fmt: skip


@pytest.fixture
def window(person: Person):  # type: ignore[no-untyped-def]
    return person("Mira", viewport={"width": 1000, "height": 800})


def test_each_way_of_being_out_of_sight(window) -> None:  # type: ignore[no-untyped-def]
    for name, html in SEEN.items():
        window.set_content(PAGE.format(html))
        both = {"purse": ".a", "other": ".b"} if "class=b" in html else {"purse": ".a"}
        assert not out_of_sight(window, both), name
    for name, (html, what) in UNSEEN.items():
        window.set_content(PAGE.format(html))
        both = {"purse": ".a", "other": ".b"} if "class=b" in html else {"purse": ".a"}
        found = out_of_sight(window, both)
        assert any(what in one for one in found), (name, found)


def test_sizes_of_windows_and_letters(window) -> None:  # type: ignore[no-untyped-def]
    window.set_content(PAGE.format("<p class=a style='top: 500px; font-size: 20px'>Nine coins</p>"))
    assert out_of_sight_at(window, {"purse": ".a"}, ((1280, 720), (844, 390))) == [
        '844x390: purse "Nine coins": outside of the screen'
    ]
    assert "960x540: it scrolls" in out_of_sight_at(window, {"purse": ".a"}, ((960, 540),), afar=True)
    window.locator("div").evaluate("long => long.remove()")
    assert out_of_sight_at(window, {"purse": ".a"}, ((1920, 1080), (960, 540)), afar=True) == [
        '1920x1080: purse "Nine coins": letters of 20.0 px'
    ]
    assert not out_of_sight_at(window, {"purse": ".a"}, ((1920, 1080),), afar=True, close=["purse"])
