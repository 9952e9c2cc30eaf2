"""Entry point of `ready-room` and `python -m browser_app`."""

import sys

from browser_app.process_setup import exit_if_interrupted, exit_on_interrupt, ignore_interrupt, prepare_standard_streams


def main() -> int:
    """Run the program and return the exit status."""
    prepare_standard_streams()
    exit_on_interrupt()
    from browser_app.startup_timing import mark_startup

    mark_startup("start")
    from browser_app.diagnostics import log_uncaught_exceptions, split_debug_option, start_logging
    from browser_app.paths import log_folder

    arguments, debug_area = split_debug_option(sys.argv[1:])
    start_logging(log_folder(), debug_area)
    log_uncaught_exceptions()
    from browser_app.app import run_program

    status = run_program(arguments)
    ignore_interrupt()
    return exit_if_interrupted(status)


if __name__ == "__main__":
    sys.exit(main())
