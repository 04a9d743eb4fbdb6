"""`make hostile`: many hostile messages, idle sockets and tables, while one table after another is played.

.venv/bin/python -m tests.hostile --messages 100000 --sockets 1000 --tables 10000 --seed 1
"""

import argparse
import asyncio
import tempfile
import time
from contextlib import AsyncExitStack

from app import logs
from app.server import raise_file_limit
from tests.app.web.conftest import running
from tests.hostile.campaign import Hostilities, crowd, open_to_all, play_on


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile")
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--sockets", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    raise_file_limit()
    logs.set_up("warning", "text")
    asyncio.run(run(parser.parse_args()))


async def run(args: argparse.Namespace) -> None:
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        async with running(open_to_all(folder, args.sockets)) as web, AsyncExitStack() as opened:
            await crowd(web, opened, args.sockets, args.tables)
            seconds = time.monotonic() - began
            print(f"{args.sockets} idle sockets and {args.tables} tables after {seconds:.0f} s", flush=True)
            hostilities = Hostilities(web, args.seed)
            games = moves = 0
            async with asyncio.TaskGroup() as group:
                attack = group.create_task(hostilities.attack(args.messages))
                while not attack.done():
                    moves += await play_on(web, games)
                    games += 1
                    print(f"{hostilities.counts['messages']} messages, {games} games played beside them", flush=True)
    print(f"{args.messages} messages in {time.monotonic() - began:.0f} s; {games} games with {moves} moves beside them")
    for what, count in hostilities.counts.most_common():
        print(f"{count:8}  {what}")


if __name__ == "__main__":
    main()
