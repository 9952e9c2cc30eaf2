"""Entry point of `ready-room` and `python -m browser_app`."""

import sys

from browser_app.process_setup import (
    ensure_home,
    exit_if_interrupted,
    exit_on_interrupt,
    ignore_interrupt,
    prepare_standard_streams,
)


def main() -> int:
    """Run the program and return the exit status."""
    prepare_standard_streams()
    ensure_home()
    exit_on_interrupt()
    from browser_app.startup_timing import mark_startup

    mark_startup("start")
    from browser_app.diagnostics import log_uncaught_exceptions, start_logging
    from browser_app.paths import log_folder

    start_logging(log_folder())
    log_uncaught_exceptions()
    from browser_app.app import run_program

    status = run_program(sys.argv[1:])
    ignore_interrupt()
    return exit_if_interrupted(status)


if __name__ == "__main__":
    sys.exit(main())
