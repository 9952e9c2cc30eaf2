"""The `evaluate` command: back-test rating systems."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from itertools import combinations
from typing import Any

from browser_app.application.app_context import AppContext
from browser_app.commands.arguments.command_arguments import add_format_argument, parse_fraction
from browser_app.commands.arguments.rating_arguments import add_systems_argument, systems_from_arguments
from browser_app.commands.arguments.round_arguments import add_past_rounds_argument, past_rounds_from_arguments
from browser_app.commands.output.terminal_output import UNKNOWN_CELL, create_console, print_json, show_progress
from browser_app.exit_status import ExitStatus
from browser_app.number_text import integer_text
from browser_app.process_setup import print_note
from browser_app.rating.evaluation.ablation import (
    Ablation,
    ablate_counts,
    ablate_extras,
    list_active_extras,
    shuffle_counts,
)
from browser_app.rating.evaluation.backtest import FULL_HISTORY_SOLVES, Backtest, backtest
from browser_app.rating.evaluation.calibration_tables import CalibrationTables
from browser_app.rating.evaluation.decided_pairs import count_training_rounds
from browser_app.rating.evaluation.forecast_blend import BLEND
from browser_app.rating.evaluation.forecast_scores import ForecastScores, compare_losses
from browser_app.rating.evaluation.parameter_fit import fit_parameters
from browser_app.rating.rating_system import RatingSystem
from browser_app.rating.record.round_record import RoundRecord

_SCORE_COLUMNS = (("log_loss", "Log loss", ".4f"), ("accuracy", "Accuracy", ".1%"), ("brier", "Brier", ".4f"))

HELP = "back-test rating systems on one record"

_DEFAULT_FROM, _DEFAULT_FROM_FITTED = Fraction(0), Fraction(1, 2)


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:  # noqa: ARG001 (signature of all commands)
    """Add the rounds, any number of systems, and the options of the back-test."""
    add_past_rounds_argument(parser)
    add_systems_argument(parser)
    parser.add_argument(
        "--from",
        dest="training_share",
        type=parse_fraction,
        metavar="FRACTION",
        help=(
            "learn from this first part of the finished rounds and score the rest "
            f"(default: {_DEFAULT_FROM}; with --fit {_DEFAULT_FROM_FITTED})"
        ),
    )
    parser.add_argument("--fit", action="store_true", help="fit the parameters to that first part, as 'fit' does")
    parser.add_argument(
        "--full-history",
        action="store_true",
        help="also score skills solved from all earlier rounds, at "
        f"{FULL_HISTORY_SOLVES} points of the record, and updated by each round in between",
    )
    parser.add_argument(
        "--ablate", action="store_true", help="also score each system without each part of its model that is on"
    )
    parser.add_argument(
        "--shuffle-counts",
        action="store_true",
        help="also score systems that learn from kills, deaths, … with these shuffled among the players of each round",
    )
    parser.add_argument("--tables", action="store_true", help="also print win rates by squad, experience, kill rate, …")
    add_format_argument(parser, ("json", "table"))


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Print the scores of every system's forecasts.

    Exit status 1 if there is nothing to score.
    """
    past_rounds = past_rounds_from_arguments(args, context)
    systems = systems_from_arguments(args, past_rounds.chosen_parameters)
    record = past_rounds.read().record
    if not len(record):
        if not args.record:  # otherwise the reason has been printed
            print_note("ready-room: no rounds found")
        return ExitStatus.NOTHING_FOUND
    training_share = args.training_share
    if training_share is None:
        training_share = _DEFAULT_FROM_FITTED if args.fit else _DEFAULT_FROM
    training_rounds = count_training_rounds(record, training_share)
    initial_systems = systems
    if args.fit:
        systems = [_fit_system(system, record, training_rounds) for system in systems]
    with show_progress("Rating rounds") as progress:
        backtest_result = backtest(
            record,
            systems,
            training_rounds,
            progress,
            full_history=args.full_history,
            fitted_rounds=training_rounds if args.fit else 0,
        )
    entries = _systems_json(backtest_result, systems, with_tables=args.tables)
    result = {
        "rounds": len(record),
        "from": float(training_share),
        "systems": entries,
        "differences": _differences_json(backtest_result),
    }
    if args.ablate or args.shuffle_counts:
        for system, initial in zip(systems, initial_systems, strict=True):
            entries[system.name]["ablations"] = _ablations_json(system, initial, backtest_result, training_rounds, args)
    if args.format == "json":
        print_json(result)
    else:
        _print_evaluation(result)
    if not len(backtest_result.pairs.round):
        print_note("ready-room: no round with a winner to score")
    return ExitStatus.SUCCESS if len(backtest_result.pairs.round) else ExitStatus.NOTHING_FOUND


def _fit_system(system: RatingSystem, record: RoundRecord, until: int) -> RatingSystem:
    with show_progress(f"Fitting {system.name}") as progress:
        return fit_parameters(system, record, until, progress)


def _ablations_json(
    system: RatingSystem,
    initial: RatingSystem,
    backtest_result: Backtest,
    training_rounds: int,
    args: argparse.Namespace,
) -> dict[str, dict[str, float | str | None]]:
    """Return the log loss without each extra, and with shuffled counts.

    With `--fit` the system is fitted again, to the shuffled counts.
    """
    ablations: dict[str, Ablation] = {}
    if args.ablate:
        with show_progress(f"Rating rounds without parts of {system.name}") as progress:
            ablations |= ablate_extras(system, backtest_result, training_rounds, progress)
    if args.shuffle_counts and any(extra.reads_counts for extra in list_active_extras(system)):
        shuffled = shuffle_counts(backtest_result.record)
        refitted = _fit_system(initial, shuffled, training_rounds) if args.fit else system
        ablations["shuffled_counts"] = ablate_counts(refitted, shuffled, backtest_result, training_rounds)
    return {
        name: {
            "title": each.title,
            "log_loss": each.log_loss,
            "difference": each.difference.mean,
            "low": each.difference.low,
            "high": each.difference.high,
        }
        for name, each in ablations.items()
    }


def _systems_json(
    backtest_result: Backtest, systems: Iterable[RatingSystem], *, with_tables: bool
) -> dict[str, dict[str, Any]]:
    entries = {name: _scores_json(scores) for name, scores in backtest_result.scores.items()}
    for system in systems:
        entries[system.name]["params"] = system.parameters.to_file_content(system.name)
    if BLEND in entries:
        entries[BLEND]["weights"] = dict(backtest_result.blend_weights)
    if with_tables:
        tables = CalibrationTables(backtest_result.record, backtest_result.pairs)
        for name, chance in backtest_result.chances.items():
            groups_by_table = tables.compute(chance)
            entries[name]["tables"] = {
                table: [group._asdict() for group in groups] for table, groups in groups_by_table.items()
            }
    return entries


def _scores_json(scores: ForecastScores) -> dict[str, Any]:
    bins = [
        {"from": each.low, "to": each.high, "n": each.n, "predicted": each.predicted, "actual": each.actual}
        for each in scores.calibration
    ]
    return asdict(scores) | {"calibration": bins}


def _differences_json(backtest_result: Backtest) -> list[dict[str, Any]]:
    """Return the mean difference in log loss of each two systems.

    It is over the pairs that both predicted.
    """
    differences = []
    losses = backtest_result.losses
    for system, other in combinations(losses, 2):
        gap = compare_losses(losses[system], losses[other], backtest_result.pairs.round)
        differences.append(
            {"of": system, "against": other, "pairs": gap.pairs, "log_loss": gap.mean, "low": gap.low, "high": gap.high}
        )
    return differences


def _print_evaluation(result: Mapping[str, Any]) -> None:
    """Print the result as a table, the lowest log loss first.

    The last column is the confidence interval of the difference from the lowest.
    """
    from rich.table import Table

    losses = {name: entry["log_loss"] for name, entry in result["systems"].items()}
    systems = sorted(result["systems"].items(), key=lambda each: (losses[each[0]] is None, losses[each[0]] or 0.0))
    table = Table(box=None, pad_edge=False)
    table.add_column("System", min_width=max(map(len, losses), default=0))
    for title in ("Rounds", *(title for _, title, _ in _SCORE_COLUMNS), "Behind the best, 95 %"):
        table.add_column(title, justify="right")
    for name, entry in systems:
        values = ((entry[key], number_format) for key, _, number_format in _SCORE_COLUMNS)
        numbers = [UNKNOWN_CELL if value is None else format(value, number_format) for value, number_format in values]
        table.add_row(
            name,
            integer_text(entry["rounds"]),
            *numbers,
            _format_gap_to_best(result["differences"], name, best=systems[0][0]),
        )
    create_console().print(table)
    _print_ablation_table(result["systems"])


def _print_ablation_table(systems: Mapping[str, Mapping[str, Any]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("Without")
    for title in ("of", "Log loss", "Change", "95 %"):
        table.add_column(title, justify="left" if title == "of" else "right")
    for name, entry in systems.items():
        for each in entry.get("ablations", {}).values():
            values = ((each["log_loss"], ".4f"), (each["difference"], "+z.4f"))
            numbers = [
                UNKNOWN_CELL if value is None else format(value, number_format) for value, number_format in values
            ]
            interval = "" if each["low"] is None else f"{each['low']:+z.4f} … {each['high']:+z.4f}"
            table.add_row(each["title"], name, *numbers, interval)
    if table.row_count:
        create_console().print()
        create_console().print(table)


def _format_gap_to_best(differences: Sequence[Mapping[str, Any]], name: str, best: str) -> str:
    for each in differences:
        if {each["of"], each["against"]} == {name, best} and each["low"] is not None:
            low, high = (each["low"], each["high"]) if each["of"] == name else (-each["high"], -each["low"])
            return f"{low:+z.4f} … {high:+z.4f}"
    return ""
