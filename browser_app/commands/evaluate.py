"""`evaluate`: a forward back-test of systems on one record."""

import argparse
from collections.abc import Iterable
from dataclasses import asdict
from fractions import Fraction
from itertools import combinations
from typing import Any

from browser_app.commands.arguments import add_format
from browser_app.commands.context import Context
from browser_app.commands.errors import Exit
from browser_app.commands.evaluation_table import print_evaluation
from browser_app.commands.fractions import fraction
from browser_app.commands.output import print_json, say
from browser_app.commands.progress import counting
from browser_app.commands.rating_arguments import add_systems, chosen_systems
from browser_app.commands.rating_record import add_files, read_record
from browser_app.rating.bootstrap import difference
from browser_app.rating.calibration_tables import CalibrationTables
from browser_app.rating.decided import training_rounds
from browser_app.rating.evaluate import Backtest, backtest
from browser_app.rating.fit import fitted
from browser_app.rating.record import Record
from browser_app.rating.scores import Scores
from browser_app.rating.system import RatingSystem

HELP = "forward back-test of systems on one record"

_FROM, _FROM_FITTED = Fraction(0), Fraction(1, 2)


def add_arguments(parser: argparse.ArgumentParser, context: Context) -> None:  # noqa: ARG001 (as every command)
    """Rounds, systems, what to learn from and what to score."""
    add_files(parser)
    add_systems(parser)
    parser.add_argument(
        "--from",
        dest="part",
        type=fraction,
        metavar="FRACTION",
        help=f"learn from the first part of the finished rounds, score the rest ({_FROM}; with --fit {_FROM_FITTED})",
    )
    parser.add_argument("--fit", action="store_true", help="estimate the parameters from that first part, as `fit`")
    parser.add_argument("--tables", action="store_true", help="also win rates by squad, experience, kill rate, …")
    add_format(parser, ("json", "table"))


def run(args: argparse.Namespace, context: Context) -> int:  # noqa: ARG001 (as every command)
    """Score every system's forecasts; 1 where there is nothing to score."""
    systems = chosen_systems(args)
    record = read_record(args.files).record
    part = args.part if args.part is not None else _FROM_FITTED if args.fit else _FROM
    first = training_rounds(record, part)
    if args.fit:
        systems = [_fitted(system, record, first) for system in systems]
    with counting("Rating rounds") as progress:
        found = backtest(record, systems, first, progress)
    result = {
        "rounds": len(record),
        "from": float(part),
        "systems": _entries(found, systems, with_tables=args.tables),
        "differences": _differences(found),
    }
    if args.format == "json":
        print_json(result)
    else:
        print_evaluation(result)
    if not len(found.pairs.round):
        say("ready-room: there is no round with a winner to score")
    return Exit.DONE if len(found.pairs.round) else Exit.NOTHING_FOUND


def _fitted(system: RatingSystem, record: Record, until: int) -> RatingSystem:
    with counting(f"Fitting {system.name}") as progress:
        return fitted(system, record, until, progress)


def _entries(found: Backtest, systems: Iterable[RatingSystem], *, with_tables: bool) -> dict[str, dict[str, Any]]:
    """What is told of each system and baseline, by name."""
    entries = {name: _entry(scores) for name, scores in found.scores.items()}
    for system in systems:
        entries[system.name]["params"] = system.parameters.as_file(system.name)
    if with_tables:
        tables = CalibrationTables(found.record, found.pairs)
        for name, chance in found.chances.items():
            entries[name]["tables"] = {
                table: [group._asdict() for group in groups] for table, groups in tables.of(chance).items()
            }
    return entries


def _entry(scores: Scores) -> dict[str, Any]:
    bins = [
        {"from": each.low, "to": each.high, "n": each.n, "predicted": each.predicted, "actual": each.actual}
        for each in scores.calibration
    ]
    return asdict(scores) | {"calibration": bins}


def _differences(found: Backtest) -> list[dict[str, Any]]:
    """Mean log loss of one less that of the other on what both said, for every two."""
    told = []
    for one, other in combinations(found.losses, 2):
        gap = difference(found.losses[one], found.losses[other], found.pairs.round)
        told.append(
            {"of": one, "against": other, "pairs": gap.pairs, "log_loss": gap.mean, "low": gap.low, "high": gap.high}
        )
    return told
