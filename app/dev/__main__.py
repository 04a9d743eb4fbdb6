"""`python -m app.dev …` is `facedown …` as the reloader starts it: a syntax error is reported in one line."""

import sys

try:
    from app.cli import main

    code = main()
except SyntaxError as error:
    print(f"facedown: {error.filename}:{error.lineno}: {error.msg}", file=sys.stderr)
    code = 1
except KeyboardInterrupt:
    code = 130
sys.exit(code)
