"""`score`: the formula alone, taken apart."""

import argparse

from browser_app.commands.arguments import add_format, not_negative, number
from browser_app.commands.context import Context
from browser_app.commands.errors import BadInput, Exit
from browser_app.commands.output import console as result_console
from browser_app.commands.output import print_json
from browser_app.ranking.explain import Explanation, explain
from browser_app.ranking.inputs import RankingInputs
from browser_app.ranking.wording import factor_text

HELP = "the formula alone, taken apart"

_FLAGS = ("favorite", "password", "ranked", "friends", "recently-left", "other-mode", "blocked")


def add_arguments(parser: argparse.ArgumentParser, context: Context) -> None:
    """One server's numbers."""
    parser.add_argument("--players", type=not_negative, required=True, metavar="N", help="humans playing")
    parser.add_argument("--max-players", type=not_negative, required=True, metavar="N")
    parser.add_argument("--ping", type=not_negative, required=True, metavar="MS")
    parser.add_argument("--performance", type=number, metavar="X", help="as reported, −99…100; left out: not reported")
    parser.add_argument("--quality", type=not_negative, metavar="X", help="how far the performance is trusted, 0…100")
    parser.add_argument("--server-skill", type=number, metavar="X", help="mean of its players, in points")
    parser.add_argument("--player-skill", type=number, metavar="X", help="your own, in points")
    parser.add_argument("--reserved", type=not_negative, default=0.0, metavar="N", help="slots not for everybody")
    for flag in _FLAGS:
        parser.add_argument(f"--{flag}", action="store_true")
    parser.add_argument("--preset", choices=list(context.presets), default="blog", help="whose constants")
    add_format(parser, ("json", "table"))


def run(args: argparse.Namespace, context: Context) -> int:
    """Score one server and print what the score is made of."""
    if args.reserved > args.max_players:
        raise BadInput(f"--reserved: {args.reserved:g} is more than --max-players {args.max_players:g}")
    given = {
        "performance": args.performance,
        "quality": args.quality,
        "server_skill": args.server_skill,
        "player_skill": args.player_skill,
    }
    inputs = RankingInputs.single(
        players=args.players,
        usable_slots=args.max_players - args.reserved,
        ping_ms=args.ping,
        favourite=args.favorite,
        reports_performance=args.performance is not None,
        **{name: value for name, value in given.items() if value is not None},
        **{
            flag: getattr(args, flag)
            for flag in ("password", "ranked", "friends", "recently_left", "other_mode", "blocked")
        },
    )
    explanation = explain(inputs, context.presets[args.preset])
    if args.format == "json":
        print_json(_as_json(explanation, args.preset))
    else:
        _print_table(explanation)
    return Exit.DONE


def _as_json(explanation: Explanation, preset: str) -> dict[str, object]:
    return {
        "score": explanation.score,
        "preset": preset,
        "factors": {row.name: row.value for row in explanation.rows},
        "loss_share": {row.name: row.loss_share for row in explanation.rows},
        "inputs": {row.name: row.input for row in explanation.rows},
        "sentences": {row.name: str(row.sentence) for row in explanation.rows},
    }


def _print_table(explanation: Explanation) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("Factor")
    table.add_column("Value", justify="right")
    table.add_column("Of the loss", justify="right")
    table.add_column("Why")
    for row in explanation.shown:
        value = "–" if row.value is None else factor_text(row.value)
        share = "" if not row.loss_share else f"{row.loss_share:.0%}"
        table.add_row(str(row.title), value, share, str(row.sentence))
    console = result_console()
    console.print(table)
    console.print(
        f"Score {'–' if explanation.score is None else f'{explanation.score:.5f}'}. {explanation.if_you_join}"
    )
