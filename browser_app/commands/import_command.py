"""The `import` command: import rounds into the own record."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from browser_app.application.app_context import AppContext
from browser_app.application.round_imports.round_files import find_round_files, too_many_files_text
from browser_app.application.round_imports.round_import import add_round_file, internal_problem_text
from browser_app.commands.output.database_problems import printing_database_problems
from browser_app.commands.output.terminal_output import print_json, show_progress
from browser_app.diagnostics import internal_errors
from browser_app.exit_status import ExitStatus, UsageError
from browser_app.paths import printable_path
from browser_app.process_setup import print_note
from browser_app.rounds.csv_rounds import TABLE_KEYS
from browser_app.rounds.round_errors import RoundFileError
from browser_app.rounds.round_formats import ROUND_FORMATS, recognise_format
from browser_app.rounds.round_reader import open_sources
from browser_app.rounds.round_source import RoundFileSource
from browser_app.storage.storage_errors import StorageError
from browser_app.storage.user_storage import UserStorage

HELP = "import rounds of known formats into your own record"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:  # noqa: ARG001 (signature of all commands)
    """Add the files, and how to read them."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a round file, or a folder with such files")
    parser.add_argument(
        "--as",
        dest="format_name",
        choices=list(ROUND_FORMATS),
        metavar="FORMAT",
        help=f"{', '.join(ROUND_FORMATS)} (default: recognised by content and name)",
    )
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="KEY=NAME",
        help="in a table: the column of a key such as id, player or team if it has another name (repeatable)",
    )


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Import each file as a whole or not at all, and print the results.

    Exit status 2 if a file was rejected or cannot be stored, 1 if there is no round.
    """
    columns = _parse_column_map(args.column)
    paths = [path for argument in args.files for path in _expand_path(argument)]
    with (
        context.open_storage(demo=False) as storage,
        printing_database_problems(storage),
        show_progress("Reading rounds") as progress,
    ):
        results = [_import_file(storage, source, args.format_name) for source in open_sources(paths, columns, progress)]
    total = {key: sum(each[key] for each in results) for key in ("rounds", "new")}
    print_json({"files": results, **total})
    return _report_outcome(results, total["rounds"])


def _parse_column_map(assignments: Sequence[str]) -> Mapping[str, str]:
    columns = {}
    for text in assignments:
        key, separator, name = text.partition("=")
        if key not in TABLE_KEYS or not separator or not name:
            raise UsageError(f"--column: {text}: must be KEY=NAME, KEY one of {', '.join(TABLE_KEYS)}")
        columns[key] = name
    return columns


def _expand_path(argument: str) -> list[str]:
    """Return the file, or for a folder the files whose names look like round files."""
    path = Path(argument)
    if not path.is_dir():
        return [argument]
    try:
        entries, is_complete = find_round_files(path)
    except OSError:
        return [argument]  # reading it reports the error
    if not is_complete:
        print_note(f"ready-room: {too_many_files_text(path)}")
    return [entry.path for entry in entries]


def _import_file(storage: UserStorage, source: RoundFileSource, format_name: str | None) -> dict[str, Any]:
    result: dict[str, Any] = {
        "file": printable_path(source.path),
        "format": format_name,
        "rounds": 0,
        "new": 0,
        "error": None,
    }
    if storage.database.path is None:  # the notice was printed once
        return result | {"error": storage.database.notice}
    try:
        result["format"] = format_name or recognise_format(source)
        added = add_round_file(storage.round_store, source, result["format"], storage.column_maps)
        result |= {"rounds": added.rounds, "new": added.new}
        if added.improved:
            result["richer"] = added.improved
            note = f"{added.improved} already known, now with more: {', '.join(sorted(added.new_details))}"
            print_note(f"ready-room: {result['file']}: {note}")
    except RoundFileError as error:
        for text in error.texts:
            print_note(f"ready-room: {text}")
        result["error"] = printable_path(str(error))
        if error.others:
            result["errors"] = [printable_path(text) for text in error.texts]
    except StorageError as error:
        result["error"] = f"{result['file']}: {error}"
        print_note(f"ready-room: {result['error']}")
    except Exception:  # noqa: BLE001 (our own bug with one file must not keep the others from being imported)
        internal_errors.report("importing a round file", result["file"])
        result["error"] = internal_problem_text(Path(source.path))
        print_note(f"ready-room: {result['error']}")
    return result


def _report_outcome(results: Sequence[Mapping[str, Any]], rounds: int) -> ExitStatus:
    if any(each["error"] for each in results):
        return ExitStatus.USAGE_ERROR
    if rounds:
        return ExitStatus.SUCCESS
    print_note("ready-room: no rounds found")
    return ExitStatus.NOTHING_FOUND
