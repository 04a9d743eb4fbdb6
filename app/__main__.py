"""`python -m app` is `facedown`."""

import sys

from app.cli import main

sys.exit(main())
