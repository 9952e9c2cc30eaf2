"""Entry point of the frozen parallel round reader."""

import sys

from browser_app.rounds.parallel_reader import main

sys.exit(main())
