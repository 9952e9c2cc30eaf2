"""`list`: poll, ping, score, print."""

import argparse
import textwrap
from collections.abc import Iterator

import numpy as np

from browser_app.catalogue.columns import Rows
from browser_app.catalogue.filter_language import FIELDS, Filter, parse_filter
from browser_app.catalogue.filter_parser import FilterError
from browser_app.catalogue.orders import ORDERS, order
from browser_app.commands.arguments import (
    add_format,
    add_pace,
    add_scoring,
    add_sources,
    positive_count,
)
from browser_app.commands.context import Context
from browser_app.commands.csv_output import print_csv
from browser_app.commands.errors import BadInput, Exit
from browser_app.commands.output import print_json, say
from browser_app.commands.polling import Polled, asker, nobody_answered, tell_errors
from browser_app.commands.records import server_record

HELP = "poll, ping, score, print"

_OTHER_NAMES = {
    "ping_ms": "ping",
    "max_players": "max",
    "server_skill": "skill",
    "favorite": "favourite",
    "password": "locked",
    "perf": "performance",
    "fav": "favourite",
    "friend": "friends",
}
"""Columns may also be called as the JSON or the filter language calls them."""

_MAX_QUOTED = 40
"""Longer faults of a filter are named by their place alone."""


def add_arguments(parser: argparse.ArgumentParser, context: Context) -> None:
    """Sources, filter, order, format."""
    add_sources(parser)
    add_scoring(parser, list(context.presets))
    parser.add_argument(
        "--sort", default="score", metavar="COL", help="best or first first; --sort=-COL turns it round"
    )
    parser.add_argument("--limit", type=positive_count, metavar="N", help="print at most N servers")
    add_pace(parser)
    add_format(parser)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n".join(textwrap.fill(each, 78, subsequent_indent="    ") for each in _notes())


def _notes() -> Iterator[str]:
    """What the options' own lines have no room for."""
    yield f"COL: {', '.join(ORDERS)}"
    yield "EXPR: terms, with a space for and, | for or, - for not, and brackets:"
    yield f"  a number < <= = != >= > another, or :LOW..HIGH, as in ping<80 ({', '.join(FIELDS.numbers)})"
    yield f"  a text : others, as in map:veil*,ns2_* ({', '.join(FIELDS.texts)})"
    yield f"  yes or no, as in -full or locked:no ({', '.join(FIELDS.flags)})"
    yield '  any other word, or "words in quotes", to be found in name, map, mode, tags or player names'
    yield (
        "csv: the JSON's keys as columns, lists joined by ';'. A text that a spreadsheet would take for a formula, or"
        " that begins with an apostrophe, has one more apostrophe before it: take it away to have the text as it was."
    )


def run(args: argparse.Namespace, context: Context) -> int:
    """Poll all sources and print the servers that pass."""
    wanted = checked_filter(args.filter)
    column = _column(args.sort)
    with context.open_session(demo=args.demo is not None) as session, asker(args, context, session) as asking:
        polled = asking.poll()
    catalogue = polled.catalogue
    rows = order(catalogue, column, np.flatnonzero(wanted.mask(catalogue)))[: args.limit]
    _print(args.format, polled, rows)
    return outcome(polled, len(rows))


def _column(text: str) -> str:
    """The order's name, with its sign."""
    sign, name = ("-", text[1:]) if text.startswith("-") else ("", text)
    name = _OTHER_NAMES.get(name, name)
    if name not in ORDERS:
        raise BadInput(f"--sort: no column {name!r}; there are {', '.join(ORDERS)}")
    return sign + name


def checked_filter(text: str) -> Filter:
    """The filter, or `BadInput` that points into it."""
    try:
        return parse_filter(text)
    except FilterError as error:
        fault = text[error.start : error.end]
        place = f"character {error.start + 1}" + (f", {fault!r}" if 0 < len(fault) <= _MAX_QUOTED else "")
        raise BadInput(f"--filter: {place}: {error.message}") from None


def outcome(polled: Polled, shown: int) -> int:
    """3 when nobody answered, 1 when nothing is left to show."""
    if not polled.anybody_answered:
        say(nobody_answered(polled.masters))
        return Exit.NO_ANSWER
    return Exit.DONE if shown else Exit.NOTHING_FOUND


def _print(form: str, polled: Polled, rows: Rows) -> None:
    if form != "json":
        tell_errors(polled.masters)
    if form == "table":
        if len(rows):
            from browser_app.commands.table import print_servers

            print_servers(polled.catalogue, rows)
        return
    records = [server_record(polled.catalogue, row) for row in rows.tolist()]
    if form == "csv":
        print_csv(records)
        return
    masters = [
        {"url": master.url, "ok": master.ok, "servers": master.servers, "error": master.error}
        for master in polled.masters
    ]
    progress = polled.progress
    print_json(
        {
            "masters": masters,
            "servers": records,
            "sent": progress.sent,
            "received": progress.received,
            "dropped": sum(progress.dropped.values()),
            "dropped_why": dict(progress.dropped),
            "elapsed_s": progress.elapsed_s,
        }
    )
