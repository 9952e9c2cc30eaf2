"""Starts the calculating process where the program is a folder of its own."""

import sys

from browser_app.bridge.skill.child import main

sys.exit(main())
