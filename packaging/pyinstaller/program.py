"""Entry point of the frozen program."""

import os
import sys

from child_environment import restore_environment

from browser_app.__main__ import main

restore_environment(os.environ)
sys.exit(main())
