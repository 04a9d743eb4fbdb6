"""The lines of a reveal for screen readers."""

from app.web.story import StoryLine, story_of
from app.web.templates import story


def test_lines_in_the_order_of_the_beats_without_buttons_and_what_is_hidden() -> None:
    html = """<div class="reveal"><div class="stage"><p>a stamp</p></div><section class="words telling">
    <h2 data-beat=1>The Goblin &amp; its friends</h2><ol class=story><li><span>All turn:
    <bdi>Ann</bdi> 5</span></li><li data-beat=2><b>Bo</b> is hit</li></ol><ul aria-hidden="true"><li>die</li></ul>
    <section data-beat=3><p class="quiet">The end</p></section>
    <p class="acts js"><button>Go on</button></p></section><p>the log</p></div>"""
    assert story_of(html) == [
        StoryLine(0, "All turn: Ann 5"),
        StoryLine(1, "The Goblin & its friends"),
        StoryLine(2, "Bo is hit"),
        StoryLine(3, "The end"),
    ]


def test_icons_are_told_by_their_labels() -> None:
    html = (
        '<div class=telling><p>Ann: 3 <ic coin "coins"><ic lantern>, <svg role=img aria-label=wounds></svg></p></div>'
    )
    assert [line.text for line in story(html)] == ["Ann: 3 coins , wounds"]
