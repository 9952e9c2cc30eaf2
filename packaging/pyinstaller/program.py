"""Entry point of the frozen program."""

import os
import sys

from environment_of_children import give_back

from browser_app.__main__ import main

give_back(os.environ)
sys.exit(main())
