"""The players' part in the deal, and checking a finished game in the browser."""

import json
import re
from random import Random

from playwright.sync_api import Page, expect

from engine.proof import Deal, pledge_to
from tests.browser.table import join, open_table, play_bots
from tests.engine import tiny
from tests.engine.logs import Json, lines, log, spoilt
from tests.support.browser import Person
from tests.support.programs import Http, Table
from tests.support.server import Server

CHECK = """async (logs) => {
  const { checkLog } = await import('/static/js/check.js');
  return logs.map((log) => {
    const { line, mixed } = checkLog(log);
    return [line, mixed];
  });
}"""


def log_of(page: Page) -> list[Json]:
    text = page.evaluate("async () => (await fetch(location.pathname + '/log')).text()")
    return [json.loads(line) for line in text.splitlines()]


def stored(page: Page, kind: str) -> Json:
    token = page.evaluate("document.body.dataset.token")
    return dict(json.loads(page.evaluate("key => localStorage.getItem(key)", f"{kind} {token}")))


def test_every_browser_pledges_its_salt_before_the_start_and_opens_it_after(server: Server, person: Person) -> None:
    ada, bo, screen = person("Ada"), person("Bo", phone=True), person("TV")
    link = open_table(ada, server, "Ada", server.url)
    join(bo, link, "Bo")
    screen.goto(f"{link}/screen")
    phase = ada.locator("#f-phase")
    expect(phase).to_have_attribute("data-pledges", re.compile("^1:[0-9a-f]{64} 2:[0-9a-f]{64} $"))
    commitment = phase.get_attribute("data-commitment")
    assert commitment
    pledged = [stored(page, "salt") for page in (ada, bo)]
    bo.reload()  # the same salt is opened later
    for page in (ada, bo):
        page.locator("#f-lobby").wait_for()
    ada.click("#start")
    for page in (ada, bo):
        expect(page.locator("#hand")).to_be_visible()
    began = log_of(ada)[1]
    salts = [one["salt"] for one in pledged]
    assert (began["commitment"], began["salts"]) == (commitment, salts)
    for page, salt in zip((ada, bo), salts, strict=True):
        noted = stored(page, "deal")
        assert noted == {
            "plays": 1,
            "commitment": commitment,
            "pledges": [pledge_to(commitment, str(one)) for one in salts],
            "salt": salt,
        }


def test_a_browser_checks_the_game_that_it_has_seen_begin(server: Server, person: Person) -> None:
    ada = person("Ada")
    link = play_bots(ada, server, "Ada", server.url)
    salt = str(stored(ada, "deal")["salt"])
    assert log_of(ada)[1]["salts"] == [salt, "", "", ""], "the game with bots is dealt with the browser's numbers, too"
    ada.goto("about:blank")  # it need not watch
    with Http(server.port) as http:
        cookie = next(one for one in ada.context.cookies() if one["name"] == "facedown")
        Table(http, link.rpartition("/")[2], {0: cookie["value"]}).play(Random(7))
    ada.goto(link)
    ada.click("#fair summary")
    said = ada.locator(".checked p:visible")
    ada.click("[data-check]")
    expect(said).to_have_count(4)
    expect(said).to_contain_text(["The seed has", "noted the digest", "The numbers of this browser", "facedown verify"])

    told = log_of(ada)
    mixed = Deal(told[-1]["seed"], tuple(told[1]["salts"])).mixed()
    expect(said.last.locator("code").first).to_have_text(mixed)

    def answered_with(changed: list[Json]) -> None:
        ada.unroute_all()
        body = b"".join(line + b"\n" for line in lines(changed))
        ada.route("**/log", lambda route: route.fulfill(body=body))
        ada.click("[data-check]")

    # Another game with the same seed: only this browser knows that its numbers are missing.
    answered_with([told[0], {**told[1], "salts": ["", "", "", ""]}, *told[2:]])
    expect(said).to_have_text(["The log does not have the deal that this browser was shown."])
    answered_with([*told[:-1], {**told[-1], "seed": "0" * 64}])
    expect(said).to_have_text([f"Line {len(told)}: this does not hold."])


def test_every_change_of_what_digests_cover_is_found_in_the_browser(server: Server, person: Person) -> None:
    page = person("Ada")
    open_table(page, server, "Ada", server.url)
    played = log(tiny.wishes, 2)
    whole = b"\n".join(lines(played)).decode()
    expected = Deal(played[-1]["seed"], tuple(played[1]["salts"])).mixed()
    assert page.evaluate(CHECK, [whole, whole + "\n"]) == [[0, expected], [0, expected]]
    changed = [
        (n, "\n".join(line.decode() for line in lines([*played[:n], other, *played[n + 1 :]])))
        for n, line in enumerate(played)
        if line["kind"] in ("revealed", "opened")
        for other in spoilt(line)
        if other.get("kind") in ("revealed", "opened") and without_by(other) != without_by(line)
    ]
    cut = [(n, "\n".join(whole.split("\n")[:n])) for n in range(1, len(played))]
    found = page.evaluate(CHECK, [text for _, text in (*changed, *cut)])
    assert len(changed) > 100
    wrong = [(n, line) for (n, _), (line, _) in zip((*changed, *cut), found, strict=True) if not line > 0]
    assert not wrong


def without_by(line: Json) -> Json:
    """No digest covers who handed in, or what an answer is a part of."""
    answers = [{**one, "by": ""} for one in line.get("answers", ())]
    return {**line, "answers": answers, "scope": ""}
