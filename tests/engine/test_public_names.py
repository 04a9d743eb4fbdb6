"""The names that `engine` exports for authors of games."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_type_hints

import pytest

import engine
from engine import Ask, Choice, Game, Option, Pick, State, testing

DOCS = Path(__file__).resolve().parents[2] / "docs" / "adding-a-game.md"
ROW = re.compile(r"^\| `(\w+)` \|", re.M)


def tables_below(heading: str) -> list[str]:
    """The names in the first columns of the tables in this section of docs/adding-a-game.md."""
    section = DOCS.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return ROW.findall(section)


def test_all_lists_what_the_package_binds_besides_its_modules() -> None:
    bound = {name for name, value in vars(engine).items() if not isinstance(value, ModuleType)}
    assert sorted(name for name in bound if not name.startswith("__")) == sorted(engine.__all__)
    assert len(set(engine.__all__)) == len(engine.__all__)


def signatures(public: Any) -> Iterator[Any]:
    """The annotations of what an author may write or read: fields, parameters and results."""
    if inspect.isclass(public):
        yield from get_type_hints(public).values()
        for name, member in vars(public).items():
            if inspect.isfunction(member) and not name.startswith("__"):
                yield from get_type_hints(member).values()
    elif inspect.isfunction(public):
        yield from get_type_hints(public).values()


def parts(annotation: Any) -> Iterator[type]:
    if inspect.isclass(annotation):
        yield annotation
    for part in get_args(annotation):
        for one in part if isinstance(part, list) else [part]:  # the parameters of a callable are a list
            yield from parts(one)


@pytest.mark.parametrize("name", engine.__all__)
def test_the_types_in_a_public_names_signatures_are_public_too(name: str) -> None:
    exported = [getattr(engine, other) for other in engine.__all__]
    for annotation in signatures(getattr(engine, name)):
        for part in parts(annotation):
            if part.__module__.partition(".")[0] == "engine":
                assert part in exported, f"{name} needs {part.__name__}"


def test_each_name_is_documented() -> None:
    assert sorted(tables_below("The names")) == sorted(engine.__all__)
    assert sorted(tables_below("Checking it")) == sorted(testing.__all__)


def test_each_field_of_a_game_is_documented() -> None:
    assert tables_below("The description") == [field.name for field in fields(Game)]


@pytest.mark.parametrize("kind", [Option, Choice, Pick])
def test_each_field_of_an_option_is_documented(kind: type[Option | Choice | Pick]) -> None:
    text = DOCS.read_text("utf-8").partition(f"`{kind.__name__}` has")[2].partition("\n\n")[0]
    assert {field.name for field in fields(kind)} <= set(re.findall(r"`(\w+)`", text))


def test_each_method_of_steps_and_states_is_documented() -> None:
    methods = [name for kind in (Ask, State) for name, value in vars(kind).items() if inspect.isfunction(value)]
    shown = [name for name in methods if not name.startswith("__")]
    assert sorted(tables_below("Steps")) == sorted(set(shown) - {"run"})  # the table calls `run`
