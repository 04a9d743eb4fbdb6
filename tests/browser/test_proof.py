"""The players' part in the deal, and checking a finished game in the browser."""

import json
import re
import sys
from pathlib import Path
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


def stored(page: Page) -> list[Json]:
    """What the browser has noted of the table's deals."""
    return list(json.loads(page.evaluate("localStorage.getItem(`deal ${document.body.dataset.token}`)")))


def play_on(server: Server, page: Page) -> None:
    """Play the person's game to its end by the cookie, and go to the result."""
    link = page.url
    page.goto("about:blank")  # it need not watch
    with Http(server.port) as http:
        cookie = next(one for one in page.context.cookies() if one["name"] == "facedown")
        Table(http, link.rpartition("/")[2], {0: cookie["value"]}).play(Random(7))
    page.goto(link)
    page.click("#fair summary")


def test_every_browser_pledges_its_salt_before_the_start_and_opens_it_after(server: Server, person: Person) -> None:
    ada, bo, screen = person("Ada"), person("Bo", phone=True), person("TV")
    link = open_table(ada, server, "Ada", server.url)
    join(bo, link, "Bo")
    screen.goto(f"{link}/screen")
    phase = ada.locator("#f-phase")
    expect(phase).to_have_attribute("data-pledges", re.compile("^1:[0-9a-f]{64} 2:[0-9a-f]{64} $"))
    commitment = phase.get_attribute("data-commitment")
    assert commitment
    [one], [two] = stored(ada), stored(bo)
    pledged = [one, two]
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
        [noted] = stored(page)
        assert noted == {
            "plays": 1,
            "commitment": commitment,
            "pledges": [pledge_to(commitment, str(one)) for one in salts],
            "salt": salt,
            "own": "mine",
        }


def test_a_browser_checks_the_game_that_it_has_seen_begin(server: Server, person: Person) -> None:
    ada = person("Ada")
    play_bots(ada, server, "Ada", server.url)
    salt = str(stored(ada)[0]["salt"])
    assert log_of(ada)[1]["salts"] == [salt, "", "", ""], "the game with bots is dealt with the browser's numbers, too"
    play_on(server, ada)
    said = ada.locator(".checked p:visible")
    ada.click("[data-check]")
    expect(said).to_have_count(4)
    expect(said).to_contain_text(["The seed has", "noted the digest", "The numbers of this browser", "facedown verify"])

    told = log_of(ada)
    mixed = Deal(told[-1]["seed"], tuple(told[1]["salts"])).mixed()
    expect(said.last.locator("code").first).to_have_text(mixed)
    ada.set_viewport_size({"width": 360, "height": 640})
    assert ada.evaluate("document.documentElement.scrollWidth") == 360

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


# A server that deals as if nobody had pledged anything.
DEALS_ALONE = """
from app.cli import main
from app.table import dealing
def ask_nobody(s, entry):
    for seat in s.seats:
        seat.pledge = ""
    return False
dealing.await_salts = ask_nobody
main(["serve"])
"""


def test_a_server_that_deals_without_asking_for_the_pledged_numbers_is_told_in_red(
    tmp_path: Path, person: Person
) -> None:
    ada = person("Ada")
    with Server(tmp_path, program=[sys.executable, "-c", DEALS_ALONE], BOT_PAUSE="0") as server:
        play_bots(ada, server, "Ada", server.url)
        [noted] = stored(ada)
        assert noted["salt"] and not noted["pledges"] and log_of(ada)[1]["salts"] == [""] * 4
        play_on(server, ada)
        ada.click("[data-check]")
        said = ada.locator(".checked p:visible")
        expect(said).to_have_text([re.compile("pledged numbers for this deal, and was never asked for them")])
        expect(said).to_have_class("harm")


def test_a_deal_that_was_called_off_is_told_at_the_next_check(server: Server, person: Person) -> None:
    ada = person("Ada")
    link = open_table(ada, server, "Ada", server.url)
    phase = ada.locator("#f-phase")
    expect(phase).to_have_attribute("data-pledges", re.compile("^1:[0-9a-f]{64} "))
    first = str(phase.get_attribute("data-commitment"))
    token = link.rpartition("/")[2]
    bo = server.post(f"/t/{token}/join", name="Bo")[1]["bearer"]
    server.post(f"/t/{token}/act", bo, do="pledge", pledge="0" * 64)
    server.post(f"/t/{token}/act", bo, do="ready")
    ada.click("#start")
    expect(phase).to_have_attribute("data-dealing", "")
    server.post(f"/t/{token}/act", bo, do="leave")  # calls the deal off
    expect(phase).not_to_have_attribute("data-commitment", first)
    expect(phase).to_have_attribute("data-pledges", re.compile("^1:[0-9a-f]{64} "))
    ada.click("#bot-2")
    ada.click("#start")
    expect(ada.locator("#hand")).to_be_visible()
    assert [(one["plays"], one["own"]) for one in stored(ada)] == [(1, "mine"), (1, "mine")]
    play_on(server, ada)
    ada.click("[data-check]")
    said = ada.locator(".checked p:visible")
    expect(said).to_have_count(5)
    expect(said.nth(3)).to_contain_text("called off before this one, each with another seed: 1.")
    expect(said.nth(3)).to_have_class("harm")


VERDICTS = """async (cases) => {
  const { verdict } = await import('/static/js/check.js');
  return cases.map(([began, notes]) => verdict({ line: 0, began, mixed: '00' }, notes, 2));
}"""


def test_what_is_said_of_a_log_that_a_browser_has_or_has_not_noted(server: Server, person: Person) -> None:
    page = person("Ada")
    open_table(page, server, "Ada", server.url)
    ours, theirs, seed, other = "aa" * 16, "bb" * 16, "1" * 64, "2" * 64

    def note(**more: object) -> Json:
        pledges = [pledge_to(seed, ours), pledge_to(seed, theirs)]
        return {"plays": 2, "commitment": seed, "salt": ours, "pledges": pledges, "own": "mine", **more}

    began = {"commitment": seed, "salts": [ours, theirs]}
    unasked = {"pledges": None, "own": ""}
    same = ["holds", "same"]
    cases = [
        ([note()], [*same, "mine", "rest"]),
        ([note(salt=None, own="")], [*same, "rest"]),  # a TV, or somebody who watched
        ([note(salt=None, own="other")], [*same, "rest"]),  # a second device, which pledged nothing
        ([note(own="other")], [*same, "replaced", "rest"]),
        ([note(own="")], ["left"]),
        ([note(**unasked)], ["left"]),
        ([note(commitment=other, **unasked)], ["other"]),
        ([note(commitment=other, **unasked), note(salt=None, own="")], ["left"]),  # another seed after the pledge
        ([note(commitment=other, **unasked), note(salt=None, own="other")], [*same, "replaced", "off", "rest"]),
        ([note(commitment=other), note()], [*same, "mine", "off", "rest"]),
        ([note(plays=1, commitment=other), note()], [*same, "mine", "rest"]),
        ([note(pledges=["", ""])], ["other"]),
        ([note(plays=1, commitment=other)], ["another"]),
        ([], ["holds", "unknown", "rest"]),
    ]
    assert page.evaluate(VERDICTS, [[began, notes] for notes, _ in cases]) == [said for _, said in cases]


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
