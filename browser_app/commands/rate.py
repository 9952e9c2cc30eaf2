"""`rate`: run a rating system over rounds."""

import argparse
import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from browser_app.commands.context import Context
from browser_app.commands.errors import BadInput, Exit
from browser_app.commands.output import print_json, say
from browser_app.commands.progress import counting
from browser_app.commands.rating_arguments import add_system, chosen_system
from browser_app.commands.rating_record import add_files, read_record
from browser_app.commands.rating_trace import Trace
from browser_app.rating.ranks import ranks
from browser_app.rating.rate import Forward
from browser_app.rating.record import Record
from browser_app.rating.system import RatingRun, RatingSystem
from browser_app.rounds.reading import Rounds

HELP = "run a rating system over rounds"


def add_arguments(parser: argparse.ArgumentParser, context: Context) -> None:  # noqa: ARG001 (as every command)
    """Rounds, system, what to tell of it."""
    add_files(parser)
    add_system(parser)
    parser.add_argument("--full-history", action="store_true", help="the whole record at once, not round by round")
    parser.add_argument("--ranks", type=_day, metavar="DATE", help="ranks per mode as of the start of that day (UTC)")
    parser.add_argument("--trace", action="store_true", help="tell what was said and what changed in each round")


def run(args: argparse.Namespace, context: Context) -> int:  # noqa: ARG001 (as every command)
    """Rate the rounds and print what became of everybody.

    With a full history a trace tells what the finished ratings say of each round, and nothing changes in it; ranks as
    of a day are then of the rounds before it alone.
    """
    system = chosen_system(args)
    rounds = read_record(args.files)
    record = rounds.record
    found: dict[str, Any] = {"system": system.name, **_parameters(system), "rounds": len(record)}
    with counting("Rating rounds") as progress:
        forward = Forward(_start(system, record, full_history=args.full_history), progress)
        trace = Trace(forward) if args.trace else None
        learn_to = forward.to if trace is None else trace.to
        if args.ranks is not None:
            day = int(np.searchsorted(record.started, args.ranks))
            if args.full_history:
                found["ranks"] = _solved_ranks(system, record.head(day))
            else:
                learn_to(day)
                found["ranks"] = ranks(forward)
        learn_to(len(record))
    found |= {"skipped": _skipped(forward, rounds), "players": forward.run.players(), **forward.run.summary()}
    if trace is None:
        print_json(found)
    else:
        trace.end(found)
    return _status(record)


def _day(text: str) -> float:
    try:
        return dt.datetime.combine(dt.date.fromisoformat(text), dt.time(), dt.UTC).timestamp()
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a date as in 2018-07-01: {text!r}") from None


def _start(system: RatingSystem, record: Record, *, full_history: bool) -> RatingRun:
    if not full_history:
        return system.start(record)
    run = system.solve(record)
    if run is None:
        raise BadInput(f"--full-history: {system.name} knows only one round after another")
    return run


def _solved_ranks(system: RatingSystem, record: Record) -> Mapping[str, Sequence[tuple[str, float]]]:
    forward = Forward(_start(system, record, full_history=True))
    forward.to(len(record))
    return ranks(forward)


def _parameters(system: RatingSystem) -> Mapping[str, Any]:
    """`params` as they hold unless a mode has its own, which `mode_params` tells."""
    modes = system.parameters.modes
    return {"params": system.parameters.default} | ({"mode_params": modes} if modes else {})


def _skipped(forward: Forward, rounds: Rounds) -> list[dict[str, Any]]:
    """In the order of the rounds' start; the line is that of the file."""
    record = rounds.record
    told = []
    for k, why in forward.skipped:
        file, line = rounds.place(k)
        told.append({"line": line, "why": why, "id": record.ids[k], "file": file})
    return told


def _status(record: Record) -> Exit:
    if len(record):
        return Exit.DONE
    say("ready-room: there is no round")
    return Exit.NOTHING_FOUND
