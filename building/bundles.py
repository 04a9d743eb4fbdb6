"""The bundles: a script and a style sheet for the pages without a table, for each game's table, and for the tables of
games that come in packages of their own.

`static/bundles.json` lists what a bundle contains; a game's has the game's style sheets and its `table.js` besides.
esbuild puts them together, with source maps. Scripts in `vendor/` are classic scripts and stay as they are, in front.
"""

import json
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

LIST = "bundles.json"
MANIFEST = "manifest.json"
TABLE = "table"
SOURCES = (LIST, "css/*.css", "js/*.js", "vendor/*.js", "games/*/*.css", "games/*/*.js")
# What the scripts are written in; style sheets stay as they are written.
OPTIONS = ["--bundle", "--minify", "--target=es2021", "--format=iife", "--sourcemap", "--sources-content=false"]
OPTIONS += ["--charset=utf8", "--log-level=warning"]


def bundle(static: Path, esbuild: Path, target: Path) -> None:
    """Write all bundles into the folder `target`, which is beside the sources' folders, and a list of what they are
    made from."""
    bundles = dict(contents(static))
    entries = [entry for name, parts in bundles.items() for entry in written(name, parts, target)]
    made = subprocess.run([esbuild, *entries, *OPTIONS, "--outdir=."], cwd=target, capture_output=True, text=True)
    if made.returncode or made.stderr:
        raise SystemExit(f"esbuild could not bundle the pages' scripts and style sheets:\n{made.stderr}")
    for name, (_, scripts) in bundles.items():
        put_in_front([static / path for path in scripts if path.startswith("vendor/")], target / f"{name}.js")
    for entry in target.glob("*.entry.*"):
        entry.unlink()
    inputs = {path: digest(static / path) for path in sources(static)}
    (target / MANIFEST).write_text(json.dumps({"bundles": list(bundles), "inputs": inputs}, indent=1) + "\n", "utf-8")


def contents(static: Path) -> Iterator[tuple[str, tuple[list[str], list[str]]]]:
    """Each bundle's name, style sheets and scripts."""
    listed = json.loads((static / LIST).read_text("utf-8"))
    for name, parts in listed.items():
        yield name, (parts["styles"], parts["scripts"])
    for folder in sorted((static / "games").iterdir()):
        styles = [f"games/{folder.name}/{file.name}" for file in sorted(folder.glob("*.css"))]
        script = [f"games/{folder.name}/{TABLE}.js"] if (folder / f"{TABLE}.js").is_file() else []
        *before, last = listed[TABLE]["scripts"]
        yield f"{TABLE}-{folder.name}", ([*listed[TABLE]["styles"], *styles], [*before, *script, last])


def written(name: str, parts: tuple[list[str], list[str]], target: Path) -> Iterator[str]:
    """Write a bundle's entry points; yields them as esbuild's arguments."""
    styles, scripts = parts
    modules = [path for path in scripts if not path.startswith("vendor/")]
    for kind, text in (
        ("css", "".join(f'@import "../{path}";\n' for path in styles)),
        ("js", "".join(f'import "../{path}";\n' for path in modules)),
    ):
        entry = target / f"{name}.entry.{kind}"
        entry.write_text(text, "utf-8")
        yield f"{name}=./{entry.name}"


def put_in_front(scripts: list[Path], bundled: Path) -> None:
    """Scripts in front of a bundle; its source map is moved by as many lines."""
    if not scripts:
        return
    front = "".join(script.read_text("utf-8").rstrip() + "\n" for script in scripts)
    bundled.write_text(front + bundled.read_text("utf-8"), "utf-8")
    file = bundled.with_name(f"{bundled.name}.map")
    found = json.loads(file.read_text("utf-8"))
    found["mappings"] = ";" * front.count("\n") + found["mappings"]
    file.write_text(json.dumps(found), "utf-8")


def sources(static: Path) -> list[str]:
    """What bundles may be made from; if one of these has changed, `app/web/bundles.py` does without them."""
    return sorted(file.relative_to(static).as_posix() for pattern in SOURCES for file in static.glob(pattern))


def digest(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()[:12]
