"""Counts how often one move enters another module: `python tools/trace_move.py [--html] [--list]`.

Four players play Raiders over real sockets, on a server in this process with SQLite. While the last sealed card of a
round arrives and everybody is notified, each call from one of our modules to another is recorded, once per calling
module and called function. Reading a property is not counted. Consecutive calls into the same module are one entry.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import CO_COROUTINE
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import httpx
import uvicorn
import websockets

from app import logs
from app.server import create_app
from app.settings import Settings
from tests.support.ports import free_port

ROOT = str(Path(__file__).resolve().parents[1]) + "/"
OURS = ("app/", "engine/")
PEOPLE = ("Ada", "Bo", "Cy", "Di")


def module_of(frame: FrameType) -> str:
    path = frame.f_code.co_filename.removeprefix(ROOT)
    return path.removesuffix(".py") if path.startswith(OURS) else ""


def getters() -> set[CodeType]:
    """The code objects of properties, which are not counted as calls."""
    found = set()
    for name, module in list(sys.modules.items()):
        if name.startswith(("app.", "engine.")):
            for kind in [one for one in vars(module).values() if isinstance(one, type)]:
                found |= {one.fget.__code__ for one in vars(kind).values() if isinstance(one, property) and one.fget}
    return found


def resumed(frame: FrameType) -> bool:
    """Whether this is a coroutine resumed after an await. A new one is still at its first instructions."""
    return bool(frame.f_code.co_flags & CO_COROUTINE) and frame.f_lasti > 8


class Trace:
    def __init__(self) -> None:
        self.getters = getters()
        self.calls: dict[tuple[str, str, str], None] = {}  # (from module, to module, function), in order

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event != "call" or not (to := module_of(frame)) or frame.f_code in self.getters or resumed(frame):
            return
        caller = frame.f_back
        while caller is not None and not module_of(caller):
            caller = caller.f_back
        came_from = module_of(caller) if caller is not None else ""
        if came_from != to:
            self.calls[came_from, to, frame.f_code.co_qualname] = None

    @contextmanager
    def running(self) -> Iterator[None]:
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(None)


async def play(html: bool, trace: Trace) -> None:
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(port=port, data_dir=folder, bot_pause=0.0)
        config = uvicorn.Config(create_app(settings), port=port, log_config=None, ws="websockets-sansio", lifespan="on")
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        await rounds(f"127.0.0.1:{port}", html, trace)
        server.should_exit = True
        await task


async def rounds(host: str, html: bool, trace: Trace) -> None:
    async with httpx.AsyncClient(base_url=f"http://{host}") as http:
        opened = (await http.post("/tables", json={"game": "raiders", "name": PEOPLE[0]})).json()
        path, bearers = f"/t/{opened['token']}", [opened["bearer"]]
        for name in PEOPLE[1:]:
            bearers.append((await http.post(f"{path}/join", json={"name": name})).json()["bearer"])
        headers = [{"authorization": f"Bearer {bearer}"} for bearer in bearers]
        await http.post(f"{path}/act", json={"do": "start"}, headers=headers[0])
        url = f"ws://{host}{path}/live" + ("?face=play" if html else "?as=json")
        sockets = [await websockets.connect(url, additional_headers=one) for one in headers]
        last = 3  # trace the last hand-in of this round; caches are filled by then
        for number in range(1, last + 1):
            for seat in range(len(PEOPLE)):
                await quiet(sockets)
                view = (await http.get(path, headers={**headers[seat], "accept": "application/json"})).json()
                if not view["own"]["moves"]:
                    continue
                move = {"do": "play", "round": view["shared"]["round"], "move": view["own"]["moves"][0]}
                if number == last and view["shared"]["waits"] == [seat]:
                    with trace.running():
                        await sockets[seat].send(json.dumps(move))
                        await asyncio.sleep(0.5)
                else:
                    await sockets[seat].send(json.dumps(move))
        for socket in sockets:
            await socket.close()


async def quiet(sockets: list[websockets.ClientConnection]) -> None:
    """Wait until no more messages arrive."""
    await asyncio.sleep(0.2)
    for socket in sockets:
        try:
            while True:
                await asyncio.wait_for(socket.recv(), 0.02)
        except TimeoutError:
            continue


def main() -> None:
    parser = argparse.ArgumentParser(prog="python tools/trace_move.py", description=__doc__)
    parser.add_argument("--html", action="store_true", help="trace HTML sockets instead of JSON")
    parser.add_argument("--list", action="store_true", help="list the calls, in order of first occurrence")
    args = parser.parse_args()
    logs.set_up("error")
    trace = Trace()
    asyncio.run(play(args.html, trace))
    calls = list(trace.calls)
    if args.list:
        for came_from, to, function in calls:
            print(f"{came_from or '(the loop)'} -> {to}.{function}")
    print(entered([to for _, to, _ in calls]), "with engine and game;", end=" ")
    print(entered([to for _, to, _ in calls if to.startswith("app/")]), "in app")


def entered(path: list[str]) -> str:
    visits = [to for n, to in enumerate(path) if n == 0 or path[n - 1] != to]
    return f"{len(visits)} entries into other modules, in {len(set(visits))} modules,"


if __name__ == "__main__":
    main()
