"""The texts of Paper Dungeons, without a browser."""

import re

import msgspec

from app.web.templates import Templates
from engine.game import find
from engine.games.scrawl import face
from engine.games.scrawl.cards import deck
from engine.games.scrawl.facts import Change, Fight, Fought, Gems
from engine.steps import Event
from engine.testing import new_table
from tests.browser.scrawl_states import states, stealing

NAMES = ["Mira", "Anton", "Leila", "Wick"]
TAGS = re.compile(r"<[^>]+>")
LINES = '{% import "games/scrawl/story.html" as story %}{{ story.lines(e, names, s) }}'


def told(event: Event) -> list[str]:
    """An event's lines, as text."""
    page = Templates().languages["en"].from_string(LINES)
    summary = face.summary(new_table(find("scrawl"), 4).shared())
    html = page.render(e=msgspec.to_builtins(event), names=NAMES, s=summary)
    return [text(line) for line in html.split("</li>") if "<li" in line]


def text(html: str) -> str:
    return " ".join(TAGS.sub("", html).split())


def test_a_fight_names_each_team_once_though_they_fare_alike() -> None:
    alike, away = Fight(True, 12, 3, 5, Change()), Fight(False, 5, 0, -2, Change())
    lines = told(Fought(1, "1A", (alike, away, alike, Fight(True, 6, 0, -2, Change())), None, "potion", 2))
    assert lines == [
        "Power 12 or more: Mira 12, Leila 12: 5 glory, 1 wound",
        "Too weak, so they flee: Wick 6: −2 glory",
        "Never found it, so they flee: Anton: −2 glory",
        "Nobody is alone at the top: no reward.",
    ]


def test_gems_are_told_by_those_who_stole_them() -> None:
    lines = told(Gems((("B", "A"), ("A",), (), ("D", "C")), (("C", "D"), ("B", "C", "D"), ("A",), ())))
    assert lines == ["A: Mira and Anton", "B: Mira", "C, D: Wick", "Lost to all others."]


def test_a_team_that_has_not_found_the_lair_stands_where_it_flees() -> None:
    html = states()["late"][0].html()
    row = re.search(r"<tr class=flee>.*?</tr>", html, re.DOTALL)
    assert row and {team for team in NAMES if team in row[0]} == {"Mira", "Anton", "Leila", "Wick"}
    assert "9 glory if you reach B6" in html


def test_each_used_die_says_what_it_did() -> None:
    html = states()["third die"][0].html()
    spent = re.findall(r"<li>.*?</li>", html.split("<ul class=spent>")[1].split("</ul>")[0], re.DOTALL)
    assert [text(li) for li in spent] == ["2 potions", "Sword 1 of 2, +1 glory"]


def test_dice_that_were_sealed_for_the_same_are_told_once() -> None:
    html = states()["sealed"][0].html()
    sealed = re.findall(r"<li.*?</li>", html.split("<ul class=spent>")[1].split("</ul>")[0], re.DOTALL)
    assert [text(li) for li in sealed] == ["Sealed:", "moves, no step"]
    assert len(re.findall(r'class="?die', sealed[1])) == 3


def captions(state: str) -> list[str]:
    """What stands below the dice."""
    html = states()[state][0].html()
    return [text(die) for die in re.findall(r"<small aria-hidden=\"?true\"?><b>.*?</small>", html, re.DOTALL)]


def test_a_die_says_whom_it_can_raise() -> None:
    assert captions("first die") == [
        "Warrior needs a black one", "Mage 1 → 2", "Clover any hero", "Warrior 2 → 3", "Rogue 1 → 2", "Boots 3 steps",
    ]  # fmt: skip
    assert captions("walking") == ["Warrior", "Mage", "Clover any hero", "Warrior", "Rogue", "Boots used"]


def test_a_reveal_says_what_each_die_brought_and_the_round_in_all() -> None:
    team = states()["fight"][0].html().split('<li class=one data-seat="3">')[1].split("<li class=one")[0]
    did = re.findall(r"<li>(.*?)</li>", team.split("<ul class=did>")[1], re.DOTALL)
    assert [text(die) for die in did] == ["Warrior rises to 5", "walks to F3", "Sword 1/2: +1 glory"]
    came = re.findall(r"<p [^>]*data-beat=.*?</p>", team, re.DOTALL)
    assert [text(line) for line in came] == [
        "power 17: +5 glory, 1 wound (own potions heal 1)", "strongest: 2 potions",
        "Round 3: +6 glory total 9 wounds 2/11",
    ]  # fmt: skip


def test_a_reveal_says_why_the_strongest_has_its_power() -> None:
    html = states()["fight"][0].html()
    (sum,) = re.findall(r'<li class="?adds-up"?>(.*?)</li>', html, re.DOTALL)
    assert text(sum) == "Leila: 17 = levels 11 + warrior 5 again + 1 warrior of level 4"


def test_a_reveal_parts_what_wounds_and_a_resurrection_cost() -> None:
    html = states()["eight revealed"][0].html("screen")
    came = [text(line) for line in re.findall(r"<p [^>]*data-beat=.*?</p>", html, re.DOTALL)]
    assert "power 10: +3 Glory, 2 (−1 Glory), resurrection −9 Glory" in came
    assert [line for line in came if "→" in line] == ["Round 3: −6 Glory total −8 wounds 6 → 8/7"]


def facts(state: str) -> list[str]:
    """What stands above the question, as text."""
    shown = re.search(r"<p class=\"?facts-of.*?</p>", states()[state][0].html(), re.DOTALL)
    assert shown
    return [text(fact) for fact in re.findall(r"<(?:a|span)\b.*?</(?:a|span)>", shown[0], re.DOTALL)]


def test_what_the_draft_has_changed_is_told_beside_what_others_see() -> None:
    assert "power 8 = levels 6 + warrior 2 again; 2 glory if you reach F4" in facts("first die")
    assert "power 8 → 10 = levels 7 + warrior 3 again; 3 glory if you reach F4" in facts("finished")
    assert "0 → 1 of 4 wounds: −1 glory at 2; death at 5: −9" in facts("an item")
    assert "4 of 5 wounds: −2 glory; death at 6: −9" in facts("hurt")
    assert "0 of 7 wounds: −1 glory at 2; death at 8: −9; potions heal the next 4" in facts("finished")
    stake = states()["finished"][0].html().split('class="at-stake"')[1].split("</ul>")[0]
    assert re.findall(r'data-seat="?1"?>.*?</span>(\d+)', stake) == ["10"]
    assert "Powers as of the last reveal" in text(states()["finished"][0].html())


def test_a_room_says_what_its_gem_is_worth_to_this_team_now() -> None:
    rooms = states()["first die"][0].html().split('id="map-in-words"')[1]
    assert "gem D: +3 glory" in text(rooms)
    assert "gem A (stolen)" in text(rooms)


def test_potions_and_levels_say_what_they_bring() -> None:
    html = text(states()["first die"][0].html())
    assert "Potions 0 → 2: heal the next 4 wounds; your 4th: a level-up" in html
    assert "a level: power and health +1" in html
    assert "power +2, health +1" in html
    assert "Power: 7+ 2 glory, 9+ 3, 12+ 5, flight −2." in html


def test_the_teams_items_are_named_with_what_they_do() -> None:
    assert facts("late")[-1] == (
        "Sword +3 power, Crown +4 glory, Armour +1 vs minions; half full: Tome (a level), Medallion (across water)"
    )
    rival = re.search(
        r'<div class="sheet-of paper" id="?team-0"? popover.*?</dl>', states()["late"][0].html(seat=1), re.DOTALL
    )
    assert rival
    assert "Warrior 5 (black)Mage 4 (white)" in text(rival[0])
    assert "Fire Sword +3 power Tome of Wisdom 1/2: a level Crown of the Righteous King +4 glory" in text(rival[0])


def test_the_list_and_the_table_of_the_end_number_the_teams_alike() -> None:
    html = states()["eight at the end"][0].html()
    ranks = re.findall(
        r"<small class=rank>(\d)\.</small>.*?data-seat=\"?(\d)", html.split("<ol class=")[1].split("</ol>")[0]
    )
    heads = re.findall(r"team-of.*?data-seat=\"?(\d).*?<small class=rank>(\d)\.</small>", html)
    assert len(ranks) == 8
    assert {seat: place for place, seat in ranks} == dict(heads)


def cells(row: str) -> list[str]:
    return [text(cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]


def test_the_tv_says_what_brings_glory() -> None:
    html = states()["first die"][0].html("screen")
    prices = re.search(r"<section class=prices.*?</section>", html, re.DOTALL)
    assert prices
    rows = {row[0]: row[1:] for row in map(cells, re.findall(r"<tr.*?</tr>", prices[0], re.DOTALL))}
    tracks = deck().tracks
    assert rows["gems"] == [str(n) for n in tracks.gems[1:]]
    assert rows["minions"] == [str(n) for n in tracks.minions[1:13]]
    assert rows["lowest level"] == [*(str(n) for n in tracks.levels), "each at 6: +1"]
    assert rows["wounds"] == [f"−{n}" if n else "0" for n in tracks.wounds[1:13]]
    assert "wounds > health: −9" in text(prices[0])


def test_the_tv_says_whom_each_die_raises_and_what_the_lair_is() -> None:
    html = states()["late"][0].html("screen")
    dice = re.findall(r"<li.*?</li>", html.split("<ul class=dice")[1].split("</ul>")[0], re.DOTALL)
    assert [re.findall(r'class="?who"? data-seat="?(\d)', die) for die in dice][:2] == [["1", "3"], ["1", "2", "4"]]
    assert "≤8 lair, by round 8" in text(html)


def test_the_tv_says_what_levels_and_items_bring() -> None:
    html = states()["late"][0].html("screen")
    assert "At level 4: +1 power a gem any colour of dice no skull wounds" in text(html)
    assert "a level: health, power +1" in text(html)
    held = re.search(r'<p class="?held.*?</p>', html, re.DOTALL)
    assert held
    assert text(held[0]) == (
        "Full item: +3 power a level +3 +4 through walls "
        "any die: +1 vs minions +2 3 potions across water +1 2 minions fall −1"
    )
    assert re.findall(r"#scrawl-([WMCR])\b", held[0]) == ["W", "M", "C", "R"]


def test_the_tv_crosses_out_gems_that_no_team_can_take() -> None:
    drawn = stealing().html("screen").split('class="map common"')[1].split("</svg>")[0]
    assert re.findall(r'<g class="gem out">.*?<text[^>]*>(\w)</text>', drawn) == ["A", "D"]


def test_the_tv_counts_gems_and_minions() -> None:
    html = states()["late"][0].html("screen")
    assert re.findall(r"<td class=\"?gems-of\"?>(\d+)</td>", html) == ["7", "1", "1", "1"]
    assert re.findall(r"<td class=\"?minions-of\"?>(\d+)</td>", html) == ["1", "0", "1", "0"]


def test_the_tv_parts_objective_and_talent_at_the_end() -> None:
    html = states()["end"][0].html("screen")
    rows = {row[0]: row[1:] for row in map(cells, re.findall(r"<tr.*?</tr>", html, re.DOTALL)) if row}
    assert "Objective and talent" not in rows
    assert rows["Mummy Lord"] == ["−4", "−4", "−4", "−4"]
    assert rows["Talent"] == ["2", "−3", "0", "−1"]
    assert "Healer +2" in text(html)
    lede = states()["eight at the end"][0].html("screen").split("<p class=lede>")[1].split("</p>")[0]
    assert text(lede).endswith(
        "The difference: Giant Spider +5, levels −3, wounds +2, talent −1. With equal glory more explored rooms decide."
    )


def test_the_named_differences_and_the_rest_add_up() -> None:
    end = states()["end"][0]
    for kind, told in (("play", "monster 1 +5, talent +5, the rest −5."), ("screen", "minions −1, the rest −1.")):
        lede = text(end.html(kind).split("<p class=lede>")[1].split("</p>")[0])
        assert lede.startswith("Next: Anton with −8 glory. The difference: ") and lede.endswith(told)


def test_what_adds_to_the_power_is_named() -> None:
    sum = "power 26 = levels 18 + mage 4 again + 1 warrior of level 4 + 3 Sword; 9 glory if you reach B6"
    assert sum in text(states()["late"][0].html())
