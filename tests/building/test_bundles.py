"""What the build puts into the bundles."""

import json
import re
from pathlib import Path

from app.web.bundles import single_files
from building.bundles import contents, put_in_front
from engine.game import games
from tests.support.packages import ROOT

STATIC = ROOT / "static"
BUILT = STATIC / "built"


def test_a_bundle_has_what_the_page_would_load_without_it() -> None:
    found = dict(contents(STATIC))
    for name in ("page", "table"):
        alone = single_files(name)
        assert found[name] == (list(alone.styles), [one.path for one in alone.scripts])
    for key in (name.removeprefix("table-") for name in found if "-" in name):
        alone = single_files("table", games()[key])
        assert found[f"table-{key}"] == (list(alone.styles), [one.path for one in alone.scripts])


def test_htmx_stays_a_script_in_front_of_our_modules() -> None:
    made, first = ((BUILT / "table.js").read_text("utf-8"), (STATIC / "vendor" / "htmx.min.js").read_text("utf-8"))
    assert made.startswith(f"{first.rstrip()}\n") and made.count("\n(()=>{") == 2
    assert "import" not in re.findall(r"^import\b", made, re.MULTILINE)


def test_maps_lead_to_the_sources() -> None:
    for name in ("page.js", "table-scrawl.js", "table-scrawl.css"):
        found = json.loads((BUILT / f"{name}.map").read_text("utf-8"))
        ours = [path for path in found["sources"] if ".entry." not in path]
        assert ours and all((BUILT / path).resolve().is_file() for path in ours)
        assert (BUILT / name).read_text("utf-8").rstrip().endswith((f"={name}.map", f"={name}.map */"))


def test_a_map_is_moved_by_the_lines_in_front(tmp_path: Path) -> None:
    front, made = tmp_path / "vendor.js", tmp_path / "table.js"
    front.write_text("one;\ntwo;")
    made.write_text("ours;\n")
    (tmp_path / "table.js.map").write_text('{"mappings": "AAAA"}')
    put_in_front([front], made)
    assert made.read_text() == "one;\ntwo;\nours;\n"
    assert json.loads((tmp_path / "table.js.map").read_text())["mappings"] == ";;AAAA"
