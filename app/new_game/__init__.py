"""`facedown new-game KEY`: writes a package with a small game that is complete, to be changed into another one."""

import argparse
import keyword
import re
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from string import Template

FORM = re.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*")
LONGEST_KEY = 40
SUFFIX = ".in"  # of the files to be filled in; without it, tools would take them for code of ours


class NotPossible(ValueError):
    """The package cannot be written. The text says why."""


def add_new_game_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", metavar="KEY", help="the game's key and the package's name, like liars_dice")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="the folder to be made (named like the key)")


def new_game_command(args: argparse.Namespace) -> int:
    """Return 0 if the package was written, 1 if not."""
    folder = args.folder or Path(args.key)
    try:
        check(args.key, folder)
        write(args.key, folder)
    except NotPossible as error:
        print(f"facedown: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"facedown: {folder} cannot be written: {error.strerror}.", file=sys.stderr)
        return 1
    print(f"{folder} holds a small game that is complete. Its README.md says how to install, test and play it.")
    return 0


def check(key: str, folder: Path) -> None:
    """Raise NotPossible if this key or this folder will not do."""
    if not FORM.fullmatch(key) or len(key) > LONGEST_KEY:
        raise NotPossible(
            f"{key!r} cannot be a key. A key is made of lower-case letters and digits, with _ between words, and it "
            f"begins with a letter, like liars_dice. It has at most {LONGEST_KEY} characters."
        )
    if keyword.iskeyword(key) or keyword.issoftkeyword(key):
        raise NotPossible(f"{key} cannot be a key: it is a word of Python.")
    if key in entry_points(group="facedown.games").names:
        raise NotPossible(f"a game with the key {key} is already installed.")
    if folder.exists() or folder.is_symlink():
        raise NotPossible(f"{folder} exists already; it was not changed.")
    found = find_spec(key)
    if found is not None and found.origin is not None:
        raise NotPossible(f"{key} cannot be a key: a Python package of that name is already installed.")


def write(key: str, folder: Path) -> None:
    words = {"key": key, "name": key.replace("_", " ").capitalize(), "package": f"facedown-{key.replace('_', '-')}"}
    for parts, file in walk(files(__name__) / "files"):
        target = folder.joinpath(*(part.replace("KEY", key).removesuffix(SUFFIX) for part in parts))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(Template(file.read_text("utf-8")).substitute(words), "utf-8")


def walk(folder: Traversable, *above: str) -> Iterator[tuple[tuple[str, ...], Traversable]]:
    """All files below, each with the names that lead to it."""
    for one in folder.iterdir():
        if one.is_dir():
            yield from walk(one, *above, one.name)
        else:
            yield (*above, one.name), one
