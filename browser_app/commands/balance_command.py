"""The `balance` command: balance the teams of a round."""

import argparse
from collections.abc import Sequence

from browser_app.application.app_context import AppContext
from browser_app.commands.arguments import round_arguments
from browser_app.commands.arguments.rating_arguments import (
    add_full_history_argument,
    add_system_argument,
    full_history_from_arguments,
    system_from_arguments,
)
from browser_app.commands.output.terminal_output import print_json, show_progress
from browser_app.exit_status import ExitStatus, UsageError
from browser_app.rating.matchmaking.round_balance import BalancedRound, balance_round
from browser_app.rating.rating_errors import InvalidRoundError

HELP = "balance the teams of an upcoming round with the fewest swaps"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:  # noqa: ARG001 (signature of all commands)
    """Add the upcoming round, the past rounds, and a system with its parameters."""
    file_help = 'the round; players without stays are not assigned yet; "locked", "prefers" and "friends" are respected'
    round_arguments.add_upcoming_round_arguments(parser, file_help, history_needed=False)
    add_system_argument(parser, default="ns2")
    add_full_history_argument(parser)


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Print the balanced teams, the swaps, and the chance before and after.

    The chance is P(first-named team wins | no draw).
    """
    past_rounds = round_arguments.past_rounds_from_arguments(args, context)
    system = system_from_arguments(args, past_rounds.chosen_parameters)
    full_history = full_history_from_arguments(args, system)
    upcoming = _require_one_round(round_arguments.read_upcoming_rounds(args.file))
    history = past_rounds.read().record
    if not upcoming.excluding(round_arguments.finished_round_ids(history)).rounds:
        raise upcoming.usage_error(InvalidRoundError(0, "id", "already played: it is in the past rounds"))
    try:
        with show_progress("Rating rounds") as progress:
            balanced = balance_round(system, history, upcoming.rounds[0], progress, full_history=full_history)
    except InvalidRoundError as error:
        raise upcoming.usage_error(error) from None
    print_json({"system": system.name, **_balance_json(upcoming.rounds[0].teams, balanced)})
    return ExitStatus.SUCCESS


def _require_one_round(upcoming: round_arguments.UpcomingRounds) -> round_arguments.UpcomingRounds:
    if not upcoming.rounds:
        raise UsageError(f"{upcoming.file}: contains no round")
    if len(upcoming.rounds) > 1:
        place = f"{upcoming.file}:{upcoming.lines[1]}"
        raise UsageError(f"{place}: only one round can be balanced, and this is the second")
    return upcoming


def _balance_json(teams: Sequence[str], balanced: BalancedRound) -> dict[str, object]:
    """Return the teams, and how they came about.

    `moved` are players who change team alone, to even out the sizes, before the swaps.
    """
    return {
        "teams": dict(zip(teams, balanced.teams.teams, strict=True)),
        "moved": balanced.teams.moved,
        "swaps": balanced.teams.swaps,
        "difference": balanced.teams.difference,
        "before": balanced.before,
        "after": balanced.after,
    }
