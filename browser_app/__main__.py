"""Start of the program: `ready-room` and `python -m browser_app`."""

import sys

from browser_app.commands.interrupt import end_at_once
from browser_app.commands.standard_streams import prepare
from browser_app.timings import mark


def main() -> int:
    """Run the command line; the exit status."""
    prepare()
    mark("start")
    end_at_once()
    from browser_app.app import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
