"""Starts the program where it is a folder of its own."""

import sys

from browser_app.__main__ import main

sys.exit(main())
