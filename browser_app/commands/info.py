"""`info`: one server, everything, with players and rules."""

import argparse
from collections.abc import Sequence

from browser_app.catalogue.facts import Status
from browser_app.commands.arguments import add_format, add_pace, add_scoring, add_sources
from browser_app.commands.context import Context
from browser_app.commands.csv_output import print_csv
from browser_app.commands.errors import BadInput, Exit
from browser_app.commands.output import console as result_console
from browser_app.commands.output import print_json, say
from browser_app.commands.polling import asker, nobody_answered, tell_errors
from browser_app.commands.records import DETAILS, Record, details_record, server_record
from browser_app.commands.single import only, single_server
from browser_app.engine.masters import MasterState
from browser_app.protocols.conversation import Want

HELP = "one server: everything, with players and rules"


def add_arguments(parser: argparse.ArgumentParser, context: Context) -> None:
    """The server, by its URL alone or as any source that names just one."""
    parser.add_argument("url", nargs="?", metavar="URL", help="the server, as with --server")
    add_sources(parser)
    add_scoring(parser, list(context.presets), with_filter=False)
    add_pace(parser)
    add_format(parser)


def run(args: argparse.Namespace, context: Context) -> int:
    """Ask the one server that the sources name for all that it tells."""
    args.server += [args.url] if args.url else []
    if not (args.server or args.game or args.master or args.lan or args.demo):
        raise BadInput("info: exactly one server is wanted, none is named, e.g. --server a2s://192.0.2.7:27015")
    with context.open_session(demo=args.demo is not None) as session, asker(args, context, session) as asking:
        server, masters = single_server(asking)
        tell_errors(masters)
        if server is None:
            return _none_listed(masters)
        catalogue = asking.poll(Want.ALL, only(server)).catalogue
    record = server_record(catalogue, 0) | details_record(catalogue.facts(0))
    if args.format == "json":
        print_json(record)
    elif args.format == "csv":
        print_csv([record], DETAILS)
    else:
        _print_table(record)
    return _outcome(record)


def _none_listed(masters: Sequence[MasterState]) -> int:
    """1 where the masters list no server, 3 where none of them answered."""
    if any(master.ok for master in masters):
        say("ready-room: info: the sources name no server")
        return Exit.NOTHING_FOUND
    say(nobody_answered(masters))
    return Exit.NO_ANSWER


def _outcome(record: Record) -> int:
    """0 for an answer, 1 for one that cannot be read, 3 for none."""
    if record["status"] == Status.OK.text:
        return Exit.DONE
    say(f"ready-room: {record['address']}: {record['error'] or record['status']}")
    return Exit.NOTHING_FOUND if record["status"] == Status.MALFORMED.text else Exit.NO_ANSWER


def _print_table(record: Record) -> None:
    from rich.table import Column, Table
    from rich.text import Text

    console = result_console()
    facts = Table(Column(), Column(overflow="fold"), box=None, pad_edge=False, show_header=False)
    for key, value in record.items():
        if key not in ("player_list", "rules", "factors") and value not in (None, [], ""):
            facts.add_row(Text(key, style="bold"), Text(str(value)))
    console.print(facts)
    players, rules = record["player_list"], record["rules"]
    if isinstance(players, list):
        table = Table("Player", "Score", "Ping", "Team", title=f"{len(players)} names", box=None, pad_edge=False)
        for player in players:
            cells = (player["name"], player["score"], player["ping_ms"], player["team"])
            table.add_row(*(Text("–" if cell is None else _plain(cell)) for cell in cells))
        console.print(table)
    if isinstance(rules, dict):
        table = Table("Rule", Column("Value", overflow="fold"), title=f"{len(rules)} rules", box=None, pad_edge=False)
        for key, value in sorted(rules.items()):
            table.add_row(Text(key), Text(str(value)))
        console.print(table)


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
