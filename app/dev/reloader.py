"""Runs the server in a process of its own, and starts it again when code changes."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from app.dev.watch import Watch, listed

PAUSE = 0.3  # seconds between two looks at the files
PATIENCE = 20  # seconds until a server that does not stop is killed


def run_reloader(arguments: Sequence[str], sockets: Sequence[socket.socket], watch: Watch) -> NoReturn:
    """Serve until a signal ends this process. `arguments`: of the command, as the server's process gets them.

    The sockets stay open here: while no server runs, requests wait."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in a process that a shell runs with &
    server = start_server(arguments, sockets)
    running = True
    try:
        while True:
            time.sleep(PAUSE)
            if files := settled(watch):
                report(f"{listed(files)} changed: the server starts again.")
                stop_server(server)
                server = start_server(arguments, sockets)
                running = True
            elif running and server.poll() is not None:
                report(f"The server ended with code {server.returncode}. It starts again when a file changes.")
                running = False
    finally:
        stop_server(server)


def settled(watch: Watch) -> list[Path]:
    """The changed files, once no more of them change: editors and git write several."""
    found: list[Path] = []
    while files := watch.changed():
        found += files
        time.sleep(PAUSE)
    return sorted(set(found))


def start_server(arguments: Sequence[str], sockets: Sequence[socket.socket]) -> "subprocess.Popen[bytes]":
    numbers = [one.fileno() for one in sockets]
    shared = ",".join(str(number) for number in numbers)
    # -P and PYTHONPATH: modules are found as in this process, whatever lies in the current folder. A process group of
    # its own: Ctrl-C would interrupt the server a second time while it stops.
    command = [sys.executable, "-P", "-m", "app.dev", *arguments, "--sockets", shared]
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": paths}, pass_fds=numbers, process_group=0)


def inherited(shared: str) -> list[socket.socket]:
    """In the server's process: the sockets of `--sockets`."""
    return [socket.socket(fileno=int(number)) for number in shared.split(",")]


def stop_server(server: "subprocess.Popen[bytes]") -> None:
    server.terminate()
    try:
        server.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def report(text: str) -> None:
    print(f"facedown: {text}", flush=True)
