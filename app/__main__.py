"""`python -m app` runs `facedown`."""

import sys

from app.cli import main

sys.exit(main())
