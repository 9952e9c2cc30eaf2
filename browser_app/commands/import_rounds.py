"""`import`: rounds of known formats into the player's own record."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from browser_app.bridge.skill.round_files import files_in
from browser_app.bridge.skill.round_tables import kept_map
from browser_app.commands.context import Context
from browser_app.commands.errors import BadInput, Exit
from browser_app.commands.output import print_json, say
from browser_app.commands.progress import counting
from browser_app.paths import printable
from browser_app.rounds.errors import RoundError
from browser_app.rounds.formats import FORMATS, TABLE, recognise
from browser_app.rounds.reading import sources, stream_objects
from browser_app.rounds.source import Source
from browser_app.rounds.table import KEYS
from browser_app.storage.session import Session

HELP = "rounds of known formats into your own record"


def add_arguments(parser: argparse.ArgumentParser, context: Context) -> None:  # noqa: ARG001 (as every command)
    """Files, and how to read them."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file of rounds, or a folder: the files in it")
    parser.add_argument(
        "--as",
        dest="form",
        choices=list(FORMATS),
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)} (recognised by content and name)",
    )
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="KEY=NAME",
        help="of a table: the column of a key such as id, player or team, where it has another name (repeatable)",
    )


def run(args: argparse.Namespace, context: Context) -> int:
    """Take each file whole or not at all; print what came of it. 2 where one was refused, 1 where no round is."""
    columns = _columns(args.column)
    paths = [path for given in args.files for path in _files(given)]
    with context.open_session(demo=False) as session, counting("Reading rounds") as progress:
        if session.database.path is None:
            raise BadInput(session.database.notice or "nothing can be kept")
        if session.database.notice:
            say(f"ready-room: {session.database.notice}")
        found = [_taken(session, source, args.form) for source in sources(paths, columns, progress)]
    total = {key: sum(each[key] for each in found) for key in ("rounds", "new")}
    print_json({"files": found, **total})
    return _status(found, total["rounds"])


def _columns(assignments: Sequence[str]) -> Mapping[str, str]:
    columns = {}
    for text in assignments:
        key, sign, name = text.partition("=")
        if key not in KEYS or not sign or not name:
            raise BadInput(f"--column: {text}: must be KEY=NAME, KEY one of {', '.join(KEYS)}")
        columns[key] = name
    return columns


def _files(given: str) -> list[str]:
    """The file, or those of the folder that may hold rounds by their names."""
    path = Path(given)
    try:
        return [entry.path for entry in files_in(path)] if path.is_dir() else [given]
    except OSError:
        return [given]  # whoever reads it says what is wrong


def _taken(session: Session, source: Source, form: str | None) -> dict[str, Any]:
    """What came of a file, as it is printed."""
    told: dict[str, Any] = {"file": printable(source.path), "format": form, "rounds": 0, "new": 0, "error": None}
    try:
        told["format"] = form or recognise(source)
        if told["format"] == TABLE and not source.columns:
            source = replace(source, columns=kept_map(source, session.column_maps))
        absolute = printable(str(Path(source.path).absolute()))
        added = session.rounds.add(absolute, told["format"], stream_objects(source, told["format"]))
        told |= {"rounds": added.rounds, "new": added.new}
        if added.richer:
            told["richer"] = added.richer
            known = f"{added.richer} known already, now with more: {', '.join(sorted(added.gains))}"
            say(f"ready-room: {told['file']}: {known}")
    except RoundError as error:
        say(f"ready-room: {error}")
        told["error"] = printable(str(error))
    return told


def _status(found: Sequence[Mapping[str, Any]], rounds: int) -> Exit:
    if any(each["error"] for each in found):
        return Exit.BAD_INPUT
    if rounds:
        return Exit.DONE
    say("ready-room: there is no round")
    return Exit.NOTHING_FOUND
