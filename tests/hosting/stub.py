"""A server behind a proxy that answers with scheme, host and client as seen by our `Edge` middleware."""

import json

from fastapi import FastAPI, Request, WebSocket

from app.web.edge import Edge

pages = FastAPI()
app = Edge(pages, trusted=["127.0.0.1"])


@pages.get("/seen")
def page(request: Request) -> dict[str, str | None]:
    return {
        "scheme": request.url.scheme,
        "host": request.headers["host"],
        "client": request.client.host if request.client else None,
    }


@pages.get("/t/{rest:path}")
def table(request: Request) -> dict[str, object]:
    """Which of several servers it is."""
    return {**page(request), "port": request.scope["server"][1]}


@pages.websocket("/t/{rest:path}")
async def table_socket(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text(str(websocket.scope["server"][1]))
    await websocket.close()


@pages.get("/readyz")
def ready() -> str:
    return "ready"


@pages.websocket("/seen")
async def socket(websocket: WebSocket) -> None:
    await websocket.accept()
    said = await websocket.receive_text()
    client = websocket.client.host if websocket.client else None
    seen = {"scheme": websocket.url.scheme, "host": websocket.headers["host"], "client": client, "said": said}
    await websocket.send_text(json.dumps(seen))
    await websocket.close()
