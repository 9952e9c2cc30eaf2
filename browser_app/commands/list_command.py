"""The `list` command: poll, score and print servers."""

import argparse
import textwrap
from collections.abc import Iterator

import numpy as np

from browser_app.application.app_context import AppContext
from browser_app.application.poll_session import PollResult
from browser_app.catalogue.catalogue_columns import RowIds
from browser_app.catalogue.filters.filter_parser import FilterError
from browser_app.catalogue.filters.server_filter import FILTER_FIELDS, ServerFilter, parse_filter
from browser_app.catalogue.server_fields import SORT_KEYS, sorted_rows, with_favourites_first
from browser_app.commands.arguments import command_arguments
from browser_app.commands.command_polling import (
    no_answer_text,
    open_poll_session,
    print_favourite_moves,
    print_master_errors,
    print_own_skill,
)
from browser_app.commands.output.server_json import print_csv, server_to_json
from browser_app.commands.output.terminal_output import print_json
from browser_app.engine.network.host_resolver import has_unknown_address
from browser_app.exit_status import ExitStatus, UsageError
from browser_app.process_setup import print_note
from browser_app.storage.setting_declarations import FAVOURITES_ON_TOP

HELP = "query servers and print them, best score first"

_COLUMN_ALIASES = {
    "ping_ms": "ping",
    "max_players": "max",
    "server_skill": "skill",
    "favorite": "favourite",
    "password": "locked",
    "perf": "performance",
    "fav": "favourite",
    "friend": "friends",
}
"""Names of columns in the JSON and in the filter language, accepted by `--sort`, too."""

_MAX_QUOTED_LENGTH = 40
"""Longer errors in a filter are reported by position only."""


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:
    """Add sources, filter, scoring, order, pace and output format."""
    command_arguments.add_source_arguments(parser)
    command_arguments.add_filter_argument(parser, "print only matching servers")
    command_arguments.add_scoring_arguments(parser, list(context.presets))
    parser.add_argument(
        "--sort",
        default="score",
        metavar="COL",
        help="sort by a column, best or first on top (default: score); -COL reverses the order",
    )
    parser.add_argument(
        "--limit", type=command_arguments.parse_positive_count, metavar="N", help="print at most N servers"
    )
    command_arguments.add_pace_argument(parser)
    command_arguments.add_format_argument(parser)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n".join(textwrap.fill(each, 78, subsequent_indent="    ") for each in _epilog_lines())


def _epilog_lines() -> Iterator[str]:
    """Yield the lines that explain sort columns, the filter language and CSV."""
    yield f"COL: {', '.join(SORT_KEYS)}"
    yield "EXPR: terms, combined by space (and), | (or), - (not) and brackets:"
    yield f"  a number compared by < <= = != >= > or :LOW..HIGH, such as ping<80 ({', '.join(FILTER_FIELDS.numbers)})"
    yield f"  patterns for a text after a colon, such as map:veil*,ns2_* ({', '.join(FILTER_FIELDS.texts)})"
    yield f"  a property, such as -full or locked:no ({', '.join(FILTER_FIELDS.flags)})"
    yield '  any other word, or "words in quotes": searched in name, map, mode, tags and player names'
    yield (
        "csv: columns are the keys of the JSON, lists are joined by ';'. An apostrophe stands before text that a"
        " spreadsheet would read as a formula, and before another apostrophe, at the beginning of a cell and after"
        " each ';': remove it to get the original text."
    )


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Poll all sources and print the servers that pass the filter."""
    server_filter = parse_filter_argument(args.filter)
    column = _parse_sort_column(args.sort)
    with (
        context.open_storage(demo=args.demo is not None) as storage,
        open_poll_session(args, context, storage) as poll_session,
    ):
        poll_session.require_fields({column.removeprefix("-")} | server_filter.fields)
        result = poll_session.poll()
        print_favourite_moves(storage, result.catalogue)
        favourites_on_top = storage.settings.get(FAVOURITES_ON_TOP)
    catalogue = result.catalogue
    is_passing = server_filter.matching_rows(catalogue) & poll_session.scoring.listed_rows()
    rows = sorted_rows(catalogue, column, np.flatnonzero(is_passing))
    rows = (with_favourites_first(catalogue, rows) if favourites_on_top else rows)[: args.limit]
    if args.format == "table":
        print_own_skill(poll_session, rows)
    _print_servers(args.format, result, rows)
    return _report_outcome(result, len(rows))


def _parse_sort_column(text: str) -> str:
    """Return the sort key, with the minus sign that reverses its order."""
    prefix, name = ("-", text[1:]) if text.startswith("-") else ("", text)
    name = _COLUMN_ALIASES.get(name, name)
    if name not in SORT_KEYS:
        raise UsageError(f"--sort: unknown column {name!r}; known columns: {', '.join(SORT_KEYS)}")
    return prefix + name


def parse_filter_argument(text: str) -> ServerFilter:
    """Parse the filter of `--filter`.

    Raises:
        UsageError: it is wrong; the message names the position.
    """
    try:
        return parse_filter(text)
    except FilterError as error:
        wrong_text = text[error.start : error.end]
        quote = f", {wrong_text!r}" if 0 < len(wrong_text) <= _MAX_QUOTED_LENGTH else ""
        place = f"character {error.start + 1}{quote}"
        raise UsageError(f"--filter: {place}: {error.message}") from None


def _report_outcome(result: PollResult, printed_rows: int) -> int:
    """Return exit status 3 if nothing answered, 1 if no server is left to print."""
    if not result.has_answers:
        print_note(no_answer_text(result.masters))
        return ExitStatus.NO_ANSWER
    return ExitStatus.SUCCESS if printed_rows else ExitStatus.NOTHING_FOUND


def _print_servers(output_format: str, result: PollResult, rows: RowIds) -> None:
    if output_format != "json":
        print_master_errors(result.masters)
    if output_format == "table":
        catalogue = result.catalogue
        for row in rows.tolist():
            if has_unknown_address(catalogue.targets[row]) and (error := catalogue.query_error(row)):
                print_note(f"{catalogue.targets[row].address}: {error}")
        if len(rows):
            from browser_app.commands.output.terminal_server_table import print_servers

            print_servers(result.catalogue, rows)
        return
    server_objects = [server_to_json(result.catalogue, row) for row in rows.tolist()]
    if output_format == "csv":
        print_csv(server_objects)
        return
    masters = [
        {"url": master.url, "ok": master.ok, "servers": master.servers, "error": master.error}
        for master in result.masters
    ]
    progress = result.progress
    print_json(
        {
            "masters": masters,
            "servers": server_objects,
            "sent": progress.sent,
            "received": progress.received,
            "dropped": sum(progress.dropped.values()),
            "dropped_why": dict(progress.dropped),
            "elapsed_s": progress.elapsed_s,
        }
    )
