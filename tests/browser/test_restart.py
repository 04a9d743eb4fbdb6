"""The server restarts in the middle of a round: the pages show it and continue by themselves."""

import socket

from playwright.sync_api import expect

from tests.browser.table import GOES, ask, join, lay, leave, lift, next_choice, open_table, wait_for_reveal
from tests.support.browser import Person
from tests.support.server import NewServer


def test_killed_and_started_again(serve: NewServer, person: Person) -> None:
    server = serve(BOT_PAUSE="0")
    mira, anton = person("Mira", allow=(GOES,)), person("Anton", phone=True, allow=(GOES,))
    link = open_table(mira, server, "Mira")
    join(anton, link, "Anton")
    mira.click("#bot-2")
    mira.click("#start")
    ask(mira), ask(anton)
    lay(anton, 1)
    expect(mira.locator(".place[data-seat='2'] .back")).to_be_visible()
    lift(mira, 2)
    server.kill()
    expect(mira.get_by_text("Connection lost.")).to_be_visible()
    expect(anton.get_by_text("Connection lost.")).to_be_visible()
    mira.click("#hand .lay")  # the server is down: sent when it is back
    server.start()
    for page in (mira, anton):
        expect(page.get_by_text("Connection lost.")).to_be_hidden()
        wait_for_reveal(page)  # neither card was lost
        next_choice(page)
    leave(mira, anton)


def test_a_socket_that_says_nothing_is_given_up(serve: NewServer, person: Person) -> None:
    """A half-open socket, without close and answers; one that never opens. The page's clock is sped up."""
    page = person("Mira", allow=(GOES,))
    page.add_init_script(
        "const now = performance.now.bind(performance); performance.now = () => now() * (window.haste ?? 1);"
        "const send = WebSocket.prototype.send; WebSocket.prototype.send = function (data) {"
        "  if (!window.deaf) return send.call(this, data); (window.kept ??= []).push(data); };"
        "addEventListener('htmx:ws:after:connection', () => { window.connected = true });"
    )
    server = serve()
    open_table(page, server, "Mira")
    page.wait_for_function("() => window.connected")
    with page.expect_websocket():  # reconnected
        page.evaluate("window.deaf = true; window.haste = 20")
    assert any("ping" in said for said in page.evaluate("window.kept")), "asked first"
    server.kill()
    with socket.create_server(("127.0.0.1", server.port)) as mute:
        mute.settimeout(30)
        kept = [mute.accept() for _ in range(3)]  # given up twice; none is answered
    for one, _ in kept:
        one.close()


def test_a_socket_closed_after_refusals_comes_back_later_and_later(serve: NewServer, person: Person) -> None:
    page = person("Mira", allow=(GOES,))
    page.add_init_script(
        "const soon = window.setTimeout; window.pauses = [];"
        "window.setTimeout = (what, time, ...more) => {"
        "  if (time > 2500) pauses.push(time); return soon(what, Math.min(time, 300), ...more); };"
        "const Socket = WebSocket; window.WebSocket = class extends Socket {"
        "  constructor(...given) { super(...given); window.socket = this; } };"
        "addEventListener('htmx:ws:after:connection', () => { window.connected = true });"
    )
    open_table(page, serve(), "Mira")
    for _ in range(2):
        page.wait_for_function("() => window.connected")
        page.evaluate("connected = false; for (let n = 0; n < 60; n++) socket.send('nonsense')")
    page.wait_for_function("() => window.connected")
    first, second = page.evaluate("pauses")
    assert 2800 <= first <= 5200 <= 5600 <= second <= 10400, "4 and 8 seconds, with htmx's jitter of 30 %"
