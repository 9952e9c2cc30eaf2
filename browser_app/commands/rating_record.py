"""The rounds that a rating command is given."""

import argparse
from collections.abc import Sequence

from browser_app.commands.errors import BadInput
from browser_app.commands.progress import counting
from browser_app.rounds.errors import RoundError
from browser_app.rounds.reading import Rounds, read_rounds


def add_files(parser: argparse.ArgumentParser) -> None:
    """FILE…: the record, in any known format."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="rounds, as JSON Lines or in any known format")


def read_record(files: Sequence[str]) -> Rounds:
    """Read all rounds, telling how far it is where standard error is a terminal.

    Raises:
        BadInput: `FILE:LINE: field: what is wrong`.
    """
    try:
        with counting("Reading rounds") as progress:
            return read_rounds(files, progress=progress)
    except RoundError as error:
        raise BadInput(str(error)) from None
