"""`balance`: team balance of one unplayed round with the fewest swaps."""

import argparse
from collections.abc import Sequence

from browser_app.commands.context import Context
from browser_app.commands.errors import BadInput, Exit
from browser_app.commands.output import print_json
from browser_app.commands.progress import counting
from browser_app.commands.rating_arguments import add_system, chosen_system
from browser_app.commands.rounds_to_come import ToCome, add_file_and_history, played, read_history, read_to_come
from browser_app.rating.balance_round import BalancedRound, balance_round
from browser_app.rating.errors import MatchError

HELP = "team balance of one unplayed round with the fewest swaps"


def add_arguments(parser: argparse.ArgumentParser, context: Context) -> None:  # noqa: ARG001 (as every command)
    """One round, what is known, system."""
    help_ = 'the round; who has no stays is not yet assigned; "locked", "prefers" and "friends" of players count'
    add_file_and_history(parser, help_, history_needed=False)
    add_system(parser, default="ns2")


def run(args: argparse.Namespace, context: Context) -> int:  # noqa: ARG001 (as every command)
    """Print the teams, the swaps that lead to them, and P(the first-named wins | no draw) before and after."""
    system = chosen_system(args)
    given = _one_round(read_to_come(args.file))
    history = read_history(args.rounds)
    if not given.without(played(history)).matches:
        raise given.wrong(MatchError(0, "id", "has been played: it is in --rounds"))
    try:
        with counting("Rating rounds") as progress:
            balanced = balance_round(system, history, given.matches[0], progress)
    except MatchError as error:
        raise given.wrong(error) from None
    print_json({"system": system.name, **_printed(given.matches[0].teams, balanced)})
    return Exit.DONE


def _one_round(given: ToCome) -> ToCome:
    if not given.matches:
        raise BadInput(f"{given.file}: has no round")
    if len(given.matches) > 1:
        raise BadInput(f"{given.file}:{given.lines[1]}: one round is balanced at a time, and this is the second")
    return given


def _printed(teams: Sequence[str], balanced: BalancedRound) -> dict[str, object]:
    """`moved` are those who had to change team alone, to even out the sizes, before the swaps."""
    return {
        "teams": dict(zip(teams, balanced.teams.teams, strict=True)),
        "moved": balanced.teams.moved,
        "swaps": balanced.teams.swaps,
        "difference": balanced.teams.difference,
        "before": balanced.before,
        "after": balanced.after,
    }
