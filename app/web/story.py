"""The text of a reveal without its pictures, for a hand beside a screen, where only screen readers read it out."""

from html.parser import HTMLParser

from msgspec import Struct

LINES = frozenset({"h2", "h3", "h4", "p", "li"})
VOID = frozenset({"br", "hr", "img", "input", "wbr", "use", "path"})


class StoryLine(Struct, frozen=True):
    beat: int  # 0: from the start
    text: str


class StoryReader(HTMLParser):
    """Collects the lines of `.telling`, without its buttons. The same as `lines` of static/js/told.js."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[StoryLine] = []
        self.open: list[tuple[str, bool, int]] = []  # elements: tag, whether its text is told, its beat
        self.text: list[str] = []  # of the line that is being read

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        classes = (given.get("class") or "").split()
        _, told, beat = self.open[-1] if self.open else ("", False, 0)
        told = (told or "telling" in classes) and "acts" not in classes and given.get("aria-hidden") != "true"
        if told and (label := given.get("aria-label")) and given.get("role") == "img":
            self.text.append(label)
        if tag in LINES:
            self.end_line(beat)
        if tag not in VOID:
            self.open.append((tag, told, int(given.get("data-beat") or beat)))

    def handle_endtag(self, tag: str) -> None:
        while self.open:
            name, _, beat = self.open.pop()
            if name in LINES:
                self.end_line(beat)
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1][1]:
            self.text.append(data)

    def end_line(self, beat: int) -> None:
        if text := " ".join("".join(self.text).split()):
            self.found.append(StoryLine(beat, text))
        self.text = []


def story_of(html: str) -> list[StoryLine]:
    """The lines of a reveal, in the order of its beats."""
    reader = StoryReader()
    reader.feed(html)
    return sorted(reader.found, key=lambda line: line.beat)
