"""`facedown serve`: uvicorn with our settings, and the addresses under which people reach it."""

import gc
import signal
import sys

import uvicorn
from fastapi import FastAPI

from app import log
from app.settings import Settings
from app.web.addresses import here
from app.web.wire import Wire

LARGEST_MESSAGE = 64 * 1024  # bytes over a socket
# How much is allocated before the collector looks for cycles. We make few of them, and with thousands of tables in
# memory each look is a pause that players feel: the house has everything looked at now and then.
COLLECT = (100_000, 50, 1000)
PATIENCE = 10  # seconds to finish what is under way when the server is stopped


def application() -> FastAPI:
    """Made anew in each worker process."""
    from app.main import create_app

    settings = Settings.read()
    log.set_up(settings.log_level, settings.log_format)
    app = create_app(settings)
    gc.collect()
    gc.freeze()  # what is loaded now stays: the collector need never look at it
    gc.set_threshold(*COLLECT)
    return app


def run(settings: Settings) -> int:
    log.set_up(settings.log_level, settings.log_format)
    greet(settings)
    # uvicorn ends in good order on SIGTERM and then raises it again; whoever stops us so asked for no more than that.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    uvicorn.run(
        "app.serving:application",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        http="httptools",
        ws=Wire,
        ws_max_size=LARGEST_MESSAGE,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # app/web/edge.py knows whom to believe
        timeout_graceful_shutdown=PATIENCE,
    )
    return 0


def greet(settings: Settings) -> None:
    everywhere = settings.host in ("", "0.0.0.0", "::")
    hosts = ["localhost", *here()] if everywhere else [settings.host]
    print("Facedown. Open one of these in a browser:", flush=True)
    for host in hosts:
        note = "  (on this machine only)" if host in ("localhost", "127.0.0.1", "::1") else ""
        shown = f"[{host}]" if ":" in host else host
        print(f"  http://{shown}:{settings.port}/{note}", flush=True)
    if settings.public_url:
        print(f"  {settings.public_url}/  (PUBLIC_URL: in links and QR codes)", flush=True)
