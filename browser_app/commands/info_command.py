"""The `info` command: everything about one server."""

import argparse
from collections.abc import Sequence

from browser_app.application.app_context import AppContext
from browser_app.application.poll_session import PollSession
from browser_app.catalogue.server_info import QueryStatus, QueryTarget
from browser_app.commands.arguments import command_arguments
from browser_app.commands.command_polling import no_answer_text, open_poll_session, print_master_errors
from browser_app.commands.output import server_json
from browser_app.commands.output.terminal_output import UNKNOWN_CELL, create_console, print_json, show_waiting
from browser_app.engine.masters.master_poll import MasterPoll, MasterState
from browser_app.engine.masters.query_sources import QuerySources
from browser_app.engine.server_poll import check_sources_at_pace
from browser_app.exit_status import ExitStatus, UsageError
from browser_app.number_text import integer_text
from browser_app.process_setup import print_note
from browser_app.protocols.query_session import QueryParts
from browser_app.protocols.server_code import address_text

_POLL_INTERVAL_S = 0.05

HELP = "print everything about one server, with players and rules"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:
    """Add a URL, or any sources that contain exactly one server, scoring and format."""
    parser.add_argument("url", nargs="?", metavar="URL", help="the server, as for --server")
    command_arguments.add_source_arguments(parser)
    command_arguments.add_scoring_arguments(parser, list(context.presets))
    command_arguments.add_pace_argument(parser)
    command_arguments.add_format_argument(parser)


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Query one server for everything and print it."""
    args.server += [args.url] if args.url else []
    if not (args.server or args.game or args.master or args.lan or args.demo):
        raise UsageError("info: name one server, for example 'ready-room info a2s://192.0.2.7:27015'")
    with (
        context.open_storage(demo=args.demo is not None) as storage,
        open_poll_session(args, context, storage) as poll_session,
    ):
        target, masters = _find_single_server(poll_session)
        print_master_errors(masters)
        if target is None:
            return _report_no_server(masters)
        if not target.is_queryable:
            print_note(f"ready-room: {address_text(target.address)}: never queried; 'list' shows what its list says")
            return ExitStatus.NOTHING_FOUND
        catalogue = poll_session.poll(QueryParts.ALL, QuerySources(servers=(target,))).catalogue
    server_object = server_json.server_to_json(catalogue, 0) | server_json.details_to_json(catalogue.server_info(0))
    if args.format == "json":
        print_json(server_object)
    elif args.format == "csv":
        server_json.print_csv([server_object], server_json.DETAIL_KEYS)
    else:
        _print_table(server_object)
    return _report_outcome(server_object)


def _report_no_server(masters: Sequence[MasterState]) -> int:
    """Return exit status 1 if the masters list no server, 3 if none of them answered."""
    if any(master.ok for master in masters):
        print_note("ready-room: info: the sources contain no server")
        return ExitStatus.NOTHING_FOUND
    print_note(no_answer_text(masters))
    return ExitStatus.NO_ANSWER


def _report_outcome(server_object: server_json.ServerJson) -> int:
    """Return exit status 0 for an answer, 1 for a malformed one, 3 for none."""
    if server_object["status"] == QueryStatus.OK.text:
        return ExitStatus.SUCCESS
    print_note(f"ready-room: {server_object['address']}: {server_object['error'] or server_object['status']}")
    return ExitStatus.NOTHING_FOUND if server_object["status"] == QueryStatus.MALFORMED.text else ExitStatus.NO_ANSWER


def _print_table(server_object: server_json.ServerJson) -> None:
    from rich.table import Column, Table
    from rich.text import Text

    console = create_console()
    details = Table(Column(), Column(overflow="fold"), box=None, pad_edge=False, show_header=False)
    for key, value in server_object.items():
        if key not in ("player_list", "rules", "factors") and value not in (None, [], ""):
            details.add_row(Text(key, style="bold"), Text(str(value)))
    console.print(details)
    players, rules = server_object["player_list"], server_object["rules"]
    if isinstance(players, list):
        table = Table("Player", "Score", "Ping", "Team", title=f"{len(players)} names", box=None, pad_edge=False)
        for player in players:
            cells = (player["name"], player["score"], player["ping_ms"], player["team"])
            table.add_row(*(Text(UNKNOWN_CELL if cell is None else _format_cell(cell)) for cell in cells))
        console.print(table)
    if isinstance(rules, dict):
        table = Table("Rule", Column("Value", overflow="fold"), title=f"{len(rules)} rules", box=None, pad_edge=False)
        for key, value in sorted(rules.items()):
            table.add_row(Text(key), Text(str(value)))
        console.print(table)


def _format_cell(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _find_single_server(poll_session: PollSession) -> tuple[QueryTarget | None, Sequence[MasterState]]:
    """Return the only server of the sources, and the states of the masters.

    The server is None if the masters list none.

    Raises:
        UsageError: there are several servers, or the pace is for servers on this machine and not all are.
    """
    sources = poll_session.sources
    _require_at_most_one(len(sources.servers))
    try:
        check_sources_at_pace(sources, (), poll_session.pace)
    except ValueError as error:
        raise UsageError(f"--{error}") from None  # "pace unlimited: …"
    targets_by_address = {target.address: target for target in sources.servers}

    def add_targets(targets: Sequence[QueryTarget]) -> None:
        for target in targets:
            targets_by_address.setdefault(target.address, target)

    poll = MasterPoll(sources.masters, add_targets, steam_key=poll_session.steam_key)
    poll.start()
    try:
        with show_waiting("Querying master servers"):
            while not poll.wait(_POLL_INTERVAL_S):
                pass
    finally:
        poll.cancel()
    _require_at_most_one(len(targets_by_address))
    return next(iter(targets_by_address.values()), None), poll.states


def _require_at_most_one(number: int) -> None:
    if number > 1:
        raise UsageError(
            f"info: needs exactly one server, but the sources contain {integer_text(number)}; name it with --server URL"
        )
