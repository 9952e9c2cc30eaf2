"""Starts the reader of a large file's far half where the program is a folder of its own."""

import sys

from browser_app.rounds.parallel_reader import main

sys.exit(main())
