"""Start of the program: `ready-room` and `python -m browser_app`."""

import sys

from browser_app.commands.interrupt import come_too_late, end_at_once, leave
from browser_app.commands.standard_streams import prepare


def main() -> int:
    """Run the command line; the exit status."""
    prepare()
    end_at_once()
    from browser_app.timings import mark

    mark("start")
    from browser_app.app import run

    status = run(sys.argv[1:])
    come_too_late()
    return leave(status)


if __name__ == "__main__":
    sys.exit(main())
