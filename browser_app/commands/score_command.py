"""The `score` command: the factors of the score."""

import argparse

from browser_app.application.app_context import AppContext
from browser_app.commands.arguments.command_arguments import add_format_argument, create_number_parser, parse_skill
from browser_app.commands.output.terminal_output import UNKNOWN_CELL, create_console, print_json
from browser_app.exit_status import ExitStatus, UsageError
from browser_app.ranking.ranking_inputs import RankingInputs
from browser_app.ranking.score_explanation import ScoreExplanation, explain_score
from browser_app.ranking.score_text import format_factor

HELP = "compute the score of a server and show its factors"

_FLAG_OPTIONS = {
    "password": "it needs a password",
    "ranked": "its games are ranked",
    "friends": "a friend is playing there",
    "recently-left": "you left it within the last 10 minutes",
    "other-mode": "it runs a mode other than the game's main one",
    "blocked": "you have blocked it",
}

_parse_amount = create_number_parser(0, 1e9)
"""Parses players, slots or milliseconds; no server comes near the limit."""


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:
    """Add the values of a server that the score depends on, and the preset."""
    parser.add_argument("--players", type=_parse_amount, required=True, metavar="N", help="humans playing")
    parser.add_argument(
        "--max-players", type=_parse_amount, required=True, metavar="N", help="slots, reserved ones included"
    )
    parser.add_argument("--ping", type=_parse_amount, required=True, metavar="MS", help="ping in milliseconds")
    performance, quality = create_number_parser(-99, 100), create_number_parser(0, 100)
    parser.add_argument(
        "--performance", type=performance, metavar="X", help="performance that it reports, −99…100 (default: none)"
    )
    parser.add_argument(
        "--quality", type=quality, metavar="X", help="reliability of the reported performance, 0…100 (default: 100)"
    )
    parser.add_argument("--server-skill", type=parse_skill, metavar="X", help="mean skill of its players, in points")
    parser.add_argument("--player-skill", type=parse_skill, metavar="X", help="your skill, in points")
    parser.add_argument("--reserved", type=_parse_amount, default=0.0, metavar="N", help="reserved slots")
    parser.add_argument("--favourite", "--favorite", action="store_true", help="it is one of your favourites")
    for flag, meaning in _FLAG_OPTIONS.items():
        parser.add_argument(f"--{flag}", action="store_true", help=meaning)
    parser.add_argument("--preset", choices=list(context.presets), default="blog", help="constants to score with")
    add_format_argument(parser, ("json", "table"))


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Score one server and print the factors of the score."""
    if args.reserved > args.max_players:
        raise UsageError(f"--reserved: {args.reserved:g} is more than --max-players {args.max_players:g}")
    optional = {
        "performance": args.performance,
        "quality": args.quality,
        "server_skill": args.server_skill,
        "player_skill": args.player_skill,
    }
    inputs = RankingInputs.from_values(
        players=args.players,
        usable_slots=args.max_players - args.reserved,
        ping_ms=args.ping,
        favourite=args.favourite,
        reports_performance=args.performance is not None,
        **{name: value for name, value in optional.items() if value is not None},
        **{
            flag: getattr(args, flag)
            for flag in ("password", "ranked", "friends", "recently_left", "other_mode", "blocked")
        },
    )
    explanation = explain_score(inputs, context.presets[args.preset])
    if args.format == "json":
        print_json(_score_json(explanation, args.preset))
    else:
        _print_score_table(explanation)
    return ExitStatus.SUCCESS


def _score_json(explanation: ScoreExplanation, preset: str) -> dict[str, object]:
    return {
        "score": explanation.score,
        "preset": preset,
        "factors": {row.name: row.value for row in explanation.factors},
        "loss_share": {row.name: row.loss_share for row in explanation.factors},
        "inputs": {row.name: row.input_value for row in explanation.factors},
        "sentences": {row.name: str(row.sentence) for row in explanation.factors},
    }


def _print_score_table(explanation: ScoreExplanation) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("Factor")
    table.add_column("Value", justify="right")
    table.add_column("Share of penalty", justify="right")
    table.add_column("Why")
    for row in explanation.displayed_factors:
        value = UNKNOWN_CELL if row.value is None else format_factor(row.value)
        share = "" if not row.loss_share else f"{row.loss_share:.0%}"
        table.add_row(str(row.title), value, share, str(row.sentence))
    console = create_console()
    console.print(table)
    console.print(
        f"Score {UNKNOWN_CELL if explanation.score is None else f'{explanation.score:.5f}'}. {explanation.if_you_join}"
    )
