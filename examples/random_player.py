"""Joins a table by its link and plays random moves until the game is over.

    python random_player.py http://localhost:8000/t/… [name]

Needs httpx. docs/api.md describes the API.
"""

import random
import secrets
import sys
import time
from typing import Any

import httpx


def ask(table: httpx.Client, method: str, path: str, **more: Any) -> httpx.Response:
    """Send a request, and repeat it while the server is busy or limits the rate."""
    while (answer := table.request(method, path, **more)).status_code in (429, 503):
        time.sleep(float(answer.headers["Retry-After"]))
    return answer


def play(link: str, name: str = "Random") -> list[int]:
    """Play one game and return the winning seats."""
    with httpx.Client(base_url=link.rstrip("/") + "/", timeout=60) as table:
        joined = ask(table, "POST", "join", json={"name": name}).raise_for_status().json()
        table.headers["Authorization"] = "Bearer " + joined["bearer"]
        view = ask(table, "GET", "events").raise_for_status().json()
        while view["phase"] != "over":
            own, wait = view["own"], 25
            if own and own["moves"]:
                move = {"do": "play", "round": view["shared"]["round"], "move": random.choice(own["moves"])}
                answer = ask(table, "POST", "act", json={**move, "id": secrets.token_hex(8)})
                if answer.status_code != 409:  # 409: the table has changed in the meantime; fetch the view again
                    answer.raise_for_status()
                wait = 0
            after = {"after": view["version"], "wait": wait}
            view = ask(table, "GET", "events", params=after).raise_for_status().json()
        [result] = [event for event in view["events"] if event["kind"] == "result"]
        return list(result["winners"])


if __name__ == "__main__":
    print("won by seats", play(*sys.argv[1:]))
