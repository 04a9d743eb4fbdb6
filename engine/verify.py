"""Replays an exported log and reports the first line that does not hold."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, BinaryIO, NamedTuple, NoReturn, TypeVar

import msgspec
from msgspec import Struct, field

from engine.chance import Chance
from engine.drafts import open_and_kept
from engine.game import N_, Game, find
from engine.move_error import MoveError
from engine.proof import Deal, canonical, commitment_to, seal
from engine.steps import Draft
from engine.table import Table
from engine.table_events import Answer, AnyTime, Began, KeptAnswer, Opened, Revealed, SteppedBack

FORMAT = 1
LINE_LIMIT = 1_000_000  # bytes; a whole Raiders log has about 100,000
FILE_LIMIT = 32_000_000
LONGEST_QUOTE = 80

T = TypeVar("T")


class Header(Struct, tag_field="kind", tag="log"):
    facedown: int  # the format's version
    names: tuple[str, ...] = ()


def export(events: Iterable[Any], names: Sequence[str]) -> Iterator[bytes]:
    """The lines of a log file: a header, which is not part of the proof, then every event as the table emitted it.
    Events may be given encoded, as `msgspec.Raw`."""
    yield canonical(Header(FORMAT, tuple(names))) + b"\n"
    for event in events:
        yield canonical(event) + b"\n"


class Report(Struct, frozen=True):
    holds: bool
    finished: bool  # the log contains the seed, so everything was replayed
    line: int | None = None  # the first that does not hold, counted from 1
    text: str = ""  # why, as a translatable text; `facts` fills in its placeholders
    facts: dict[str, str] = field(default_factory=dict)
    game: str = ""
    seats: int = 0
    rounds: int = 0
    names: tuple[str, ...] = ()

    def say(self, translate: Callable[[str], str] = str) -> str:
        return translate(self.text).format(**self.facts)


class LogLine(NamedTuple):
    number: int
    data: bytes
    kind: str


class InvalidLine(Exception):
    def __init__(self, line: int, text: str, /, **facts: object) -> None:
        super().__init__(text)
        self.line = line
        self.text = text
        self.facts = {name: str(fact) for name, fact in facts.items()}


class Kind(Struct):
    kind: str


def verify(lines: Iterable[bytes | str], game_of: Callable[[str], Game] = find) -> Report:
    """Check a log. Any bytes are accepted: a file that is not a log gives a failed report, never an exception.

    `game_of` returns the game with a key and raises LookupError if there is none.
    """
    check = Check(game_of)
    try:
        check.run(list(read(lines)))
    except InvalidLine as invalid:
        return check.report(False, invalid.text, invalid.facts, invalid.line)
    return check.report(True, WHOLE if check.finished else UNFINISHED, {})


def verify_running(
    events: Iterable[bytes], seed: str, kept: Sequence[KeptAnswer], game_of: Callable[[str], Game] = find
) -> Report:
    """Check the events of a running game, of which the caller knows the secrets: do the seed and the moves still give
    the same game?"""
    check = Check(game_of)
    try:
        lines = list(read(events))
        game = check.begin(lines[0])
        Replay(check, game, Opened(seed, tuple(kept)), len(lines) + 1).run(lines)
    except InvalidLine as invalid:
        return check.report(False, invalid.text, invalid.facts, invalid.line)
    return check.report(True, UNFINISHED, {})


WHOLE = N_(
    "Everything holds: the seed has the hash that was shown before the start, every answer is what was sealed, every "
    "move was legal, and the seed and the moves give exactly this game."
)
UNFINISHED = N_(
    "This game is not finished. Every answer is what was sealed, but the seed has not been opened yet: cards, rooms "
    "and scores cannot be checked."
)


def read(lines: Iterable[bytes | str]) -> Iterator[LogLine]:
    size = 0
    for number, line in enumerate(lines, 1):
        data = line if isinstance(line, bytes) else line.encode(errors="surrogatepass")
        size += len(data)
        if len(data) > LINE_LIMIT or size > FILE_LIMIT:
            raise InvalidLine(number, N_("This is far longer than a log can be."))
        data = data.strip(b"\r\n")
        if number == 1:
            data = data.removeprefix(b"\xef\xbb\xbf")
        if data:
            yield LogLine(number, data, decode(number, data, Kind).kind)


def decode(number: int, data: bytes, type: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=type)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise InvalidLine(number, N_("This is not a line of a log.")) from None


class Check:
    """One pass over a log."""

    def __init__(self, game_of: Callable[[str], Game] = find) -> None:
        self.game_of = game_of
        self.finished = False
        self.began: Began | None = None
        self.commitment = ""
        self.round = 0
        self.names: tuple[str, ...] = ()

    def report(self, holds: bool, text: str, facts: dict[str, str], line: int | None = None) -> Report:
        game, seats = (self.began.key, self.began.seats) if self.began else ("", 0)
        return Report(holds, self.finished, line, text, facts, game, seats, max(self.round - 1, 0), self.names)

    def run(self, lines: list[LogLine]) -> None:
        if lines and lines[0].kind == "log":
            header = self.decode_exactly(lines[0], Header)
            if header.facedown != FORMAT:
                raise InvalidLine(lines[0].number, N_("This program reads logs of another version."))
            self.names = header.names
            del lines[0]
        if not lines or lines[0].kind != "began":
            raise InvalidLine(lines[0].number if lines else 1, N_("A log begins with how the game began."))
        first = lines[0]
        game = self.begin(first)
        end = next((i for i, line in enumerate(lines) if line.kind == "opened"), None)
        if end is None:
            self.check_unfinished(lines[1:])
            return
        last = lines[end]
        opened = self.decode_exactly(last, Opened)
        self.check_seed(first, lines[1:end], last, opened)
        self.finished = True
        Replay(self, game, opened, last.number).run(lines[: end + 1])
        if lines[end + 1 :]:
            raise InvalidLine(lines[end + 1].number, N_("Nothing can follow the end."))

    def begin(self, line: LogLine) -> Game:
        self.began = began = self.decode_exactly(line, Began)
        self.commitment = began.commitment
        self.round = 1
        try:
            game = self.game_of(began.key)
        except LookupError:
            raise InvalidLine(
                line.number, N_("The game “{game}” is not installed here."), game=quote(began.key)
            ) from None
        if began.rules != game.rules:
            text = N_("This was played by version {played} of the rules; only version {here} is installed here.")
            raise InvalidLine(line.number, text, played=began.rules, here=game.rules)
        if began.seats not in game.seats:
            raise InvalidLine(line.number, N_("{game} is not for {seats} players."), game=game.name, seats=began.seats)
        if not self.could_be_chosen(game, began):
            raise InvalidLine(line.number, N_("{game} has no such options."), game=game.name)
        return game

    def could_be_chosen(self, game: Game, began: Began) -> bool:
        """Whether these are all options of the game; those that are younger than the log may be missing."""
        complete = game.with_later_options(began.options)
        try:
            chosen = game.choose_options(complete, began.seats)
        except ValueError:
            return False
        later = complete.keys() - began.options.keys()
        return {key: value for key, value in chosen.items() if key not in later} == began.options

    def decode_exactly(self, line: LogLine, type: type[T]) -> T:
        """Decode a line and refuse any but the canonical encoding, so that a log cannot carry anything extra."""
        event = decode(line.number, line.data, type)
        if canonical(event) != line.data:
            raise InvalidLine(line.number, N_("This line is not written as the table writes it."))
        return event

    # without the seed ---------------------------------------------------------------------------------------------

    def check_unfinished(self, lines: list[LogLine]) -> None:
        """A table publishes the seed with the result, so a log that has only the result was cut off."""
        self.check_seals(lines)
        if result := next((line for line in lines if line.kind == "result"), None):
            text = N_("The game has ended here, but the line that opens the seed is missing: it was cut off.")
            raise InvalidLine(result.number, text)

    def check_seals(self, lines: Iterable[LogLine]) -> None:
        for line in lines:
            if line.kind == "revealed":
                revealed = self.decode_exactly(line, Revealed)
                self.check_round(line, revealed.round)
                self.check_answers(line, revealed)
                self.round += 1
            elif line.kind == "any_time":
                self.check_round(line, self.decode_exactly(line, AnyTime).round)
            elif line.kind == "stepped_back":
                self.check_round(line, self.decode_exactly(line, SteppedBack).round)
                self.round += 1

    def check_round(self, line: LogLine, round: int) -> None:
        if round != self.round:
            text = N_("This is said to be round {said}, but round {due} is due.")
            raise InvalidLine(line.number, text, said=round, due=self.round)

    def check_answers(self, line: LogLine, revealed: Revealed) -> None:
        for answer in revealed.answers:
            if not sealed(self.commitment, revealed.round, answer):
                text = N_("The answer of seat {seat} is not what was sealed: its digest is another.")
                raise InvalidLine(line.number, text, seat=answer.seat)

    def check_seed(self, first: LogLine, between: list[LogLine], last: LogLine, opened: Opened) -> None:
        """Check the seed against the commitment. If they differ, the seals show which of the two was changed."""
        truly = commitment_to(opened.seed)
        if is_seed(opened.seed) and truly == self.commitment:
            return
        for line in between:
            if line.kind == "revealed" and is_seed(opened.seed):
                revealed = self.decode_exactly(line, Revealed)
                if revealed.answers and all(sealed(truly, revealed.round, answer) for answer in revealed.answers):
                    text = N_("This is not the hash of the seed which line {last} opens.")
                    raise InvalidLine(first.number, text, last=last.number)
                break
        self.check_seals(between)
        text = N_("This seed does not have the hash that was shown before the start, in line {first}.")
        raise InvalidLine(last.number, text if is_seed(opened.seed) else N_("This is no seed."), first=first.number)


class Replay:
    """Plays the game again from the seed and compares it line by line."""

    def __init__(self, check: Check, game: Game, opened: Opened, end: int) -> None:
        self.check = check
        self.game = game
        self.end = end
        self.kept = {(kept.round, kept.seat): kept for kept in opened.kept}
        self.seed = opened.seed

    def run(self, lines: list[LogLine]) -> None:
        began = self.check.began
        assert began is not None
        deal = Deal(self.seed, began.salts)
        state = self.game.setup(began.seats, began.options, Chance(deal.mixed()))
        table, events = Table.at(self.game, state, seats=began.seats, options=began.options, deal=deal)
        due = [canonical(event) for event in events]
        due.reverse()
        for line in lines:
            if not due:
                due = [canonical(event) for event in self.follow(table, line)]
                due.reverse()
            if (expected := due.pop()) != line.data:
                self.differs(line, expected)
            self.check.round = table.round

    def follow(self, table: Table, line: LogLine) -> list[Any]:
        """Carry out this line's move. The line must be a move, because all effects of earlier moves have been read."""
        if line.kind == "any_time":
            moved = self.check.decode_exactly(line, AnyTime)
            if moved.move not in table.anytime(moved.seat):
                self.illegal(line, moved.seat, moved.move)
            return list(table.move_anytime(moved.seat, moved.move, moved.by))
        if line.kind == "revealed":
            return list(self.reveal(table, line))
        if line.kind == "stepped_back":
            return list(self.step_back(table, line))
        raise InvalidLine(line.number, N_("This does not follow from the seed and the moves before; a move was due."))

    def reveal(self, table: Table, line: LogLine) -> list[Any]:
        revealed = self.check.decode_exactly(line, Revealed)
        self.check.check_round(line, revealed.round)
        self.check.check_answers(line, revealed)
        seats = [answer.seat for answer in revealed.answers]
        assert table.ask is not None
        if seats != table.asked if not table.ask.hush else seats != sorted(set(seats)):
            raise InvalidLine(line.number, N_("These are not the seats whose answers were due."))
        if revealed.scope != table.scope:
            raise InvalidLine(line.number, N_("This is said to be a part of something else."))
        answers: dict[int, Draft] = {}
        for answer in revealed.answers:
            kept = self.open_kept(line, revealed.round, answer) if table.keeps else None
            if bool(answer.kept) != table.keeps:
                raise InvalidLine(line.number, N_("What stays closed of seat {seat} is wrong."), seat=answer.seat)
            draft = answers[answer.seat] = (*answer.words, *(kept.words if kept else ()))
            if not table.legal(answer.seat, draft) or open_and_kept(table.ask, draft)[0] != answer.words:
                self.illegal(line, answer.seat, " ".join(draft))
            if kept:
                table.kept.append(kept)
        everyone = {seat: answers.get(seat) or by_default(table, seat) for seat in table.asked}
        if sorted(table.ask.opens(table.state, everyone)) != seats:
            raise InvalidLine(line.number, N_("These are not the seats whose answers were due."))
        table.by = {answer.seat: answer.by for answer in revealed.answers}
        return list(table.apply_reveal(answers, revealed))

    def step_back(self, table: Table, line: LogLine) -> list[Any]:
        stepped = self.check.decode_exactly(line, SteppedBack)
        self.check.check_round(line, stepped.round)
        try:
            return list(table.step_back(stepped.seat, stepped.round))
        except MoveError:
            text = N_("Seat {seat} could not take back a step here.")
            raise InvalidLine(line.number, text, seat=stepped.seat) from None

    def open_kept(self, line: LogLine, round: int, answer: Answer) -> KeptAnswer:
        kept = self.kept.get((round, answer.seat))
        if kept is None or not sealed(self.check.commitment, round, kept):
            text = N_("What seat {seat} kept closed in line {line} is not what was sealed.")
            raise InvalidLine(self.end, text, seat=answer.seat, line=line.number)
        if kept.digest != answer.kept:
            raise InvalidLine(line.number, N_("What stays closed of seat {seat} is wrong."), seat=answer.seat)
        return kept

    def illegal(self, line: LogLine, seat: int, move: str) -> NoReturn:
        text = N_("Seat {seat} could not play “{move}” here.")
        raise InvalidLine(line.number, text, seat=seat, move=quote(move))

    def differs(self, line: LogLine, expected: bytes) -> NoReturn:
        """Report which fields of a line are wrong."""
        said, due = decode(line.number, line.data, dict[str, Any]), msgspec.json.decode(expected)
        if said.get("kind") != due["kind"]:
            text = N_("The seed and the moves before give “{due}” here, not “{said}”.")
            raise InvalidLine(line.number, text, due=due["kind"], said=quote(line.kind))
        fields = sorted(name for name in {*said, *due} if said.get(name) != due.get(name))
        if fields:
            text = N_("The seed and the moves before give another “{fields}” here.")
            raise InvalidLine(line.number, text, fields=quote(", ".join(fields)))
        raise InvalidLine(line.number, N_("This line is not written as the table writes it."))


def by_default(table: Table, seat: int) -> Draft:
    """A stand-in for an answer that was discarded unread. Which answers are opened does not depend on it."""
    draft: Draft = ()
    assert table.ask is not None
    while table.ask.unfinished(table.state, seat, draft):
        draft = (*draft, table.ask.default(table.state, seat, draft))
    return draft


def is_seed(text: str) -> bool:
    return len(text) == 64 and all(c in "0123456789abcdef" for c in text)


def sealed(commitment: str, round: int, part: Answer | KeptAnswer) -> bool:
    return seal(commitment, round, part.seat, part.words, part.nonce) == part.digest


def quote(text: str) -> str:
    """Make untrusted text safe to print: short, on one line, without control characters."""
    plain = "".join(c if c.isprintable() else "�" for c in text)
    return plain if len(plain) <= LONGEST_QUOTE else plain[: LONGEST_QUOTE - 1] + "…"


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Lines, each cut off once it exceeds the limit."""
    return iter(lambda: file.readline(LINE_LIMIT + 1), b"")


def verify_and_print(path: str) -> int:
    """`facedown verify FILE` (`-`: standard input). Return 0 if the log holds, 1 if not, 2 if it cannot be read, and 3
    if the game is unfinished, so that only the seals could be checked."""
    try:
        if path == "-":
            report = verify(lines_of(sys.stdin.buffer))
        else:
            with open(path, "rb") as file:
                report = verify(lines_of(file))
    except (OSError, ValueError) as error:  # ValueError: not a valid file name
        print(f"{path}: {getattr(error, 'strerror', error)}", file=sys.stderr)
        return 2
    if not report.holds:
        print(f"{path}: line {report.line} does not hold. {report.say()}")
        return 1
    print(f"{path}: {report.game}, {report.seats} seats, {report.rounds} rounds. {report.say()}")
    return 0 if report.finished else 3
