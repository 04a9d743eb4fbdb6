"""`python -m app.dev …` is `facedown …` as the reloader starts it. A syntax error is reported in one line; the process
ends when its reloader has ended."""

import os
import signal
import sys
import threading
import time


def end_with_reloader(reloader: int) -> None:
    """Stop this process when its reloader has ended, so that the port is free."""
    while os.getppid() == reloader:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


threading.Thread(target=end_with_reloader, args=[os.getppid()], daemon=True).start()
try:
    from app.cli import main

    code = main()
except SyntaxError as error:
    print(f"facedown: {error.filename}:{error.lineno}: {error.msg}", file=sys.stderr)
    code = 1
except KeyboardInterrupt:
    code = 130
sys.exit(code)
