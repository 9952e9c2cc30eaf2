"""The `history` command: ratings over time of one player."""

import argparse
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from browser_app.application.app_context import AppContext
from browser_app.application.own_skill.own_record import NoOwnRecordError, OwnRecord, load_own_records
from browser_app.application.own_skill.skill_preferences import SkillPreferences
from browser_app.commands.arguments.command_arguments import add_format_argument
from browser_app.commands.arguments.rating_arguments import (
    add_full_history_argument,
    add_system_argument,
    full_history_from_arguments,
    system_from_arguments,
)
from browser_app.commands.arguments.round_arguments import format_skip_reason, print_chosen_game
from browser_app.commands.output import terminal_output
from browser_app.commands.output.database_problems import printing_database_problems
from browser_app.exit_status import ExitStatus, UsageError
from browser_app.player.own_predictions import OwnRoundPrediction, compute_team_chance, predict_own_rounds
from browser_app.player.own_rounds import OwnRounds, collect_own_rounds
from browser_app.process_setup import print_note
from browser_app.rating.forward_pass import first_team_outcome
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.rounds.iso_time import format_iso_time
from browser_app.storage.user_storage import UserStorage

_RESULT_TEXTS = {1.0: "won", 0.0: "lost", 0.5: "draw"}

HELP = "print your ratings over time from your own record"

_NO_IDENTITY_MESSAGE = "your identity is not set: use --player ID, or set it in the window under My skill, Identity"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:  # noqa: ARG001 (signature of all commands)
    """Add the player, the game, and a system with its parameters."""
    parser.add_argument(
        "--player", metavar="ID", help="id of the player in the rounds, or a Steam account in any form (default: you)"
    )
    parser.add_argument("--game", metavar="ID", help="a game in the record (default: the one played most)")
    add_system_argument(parser, of_game=True)
    add_full_history_argument(parser)
    add_format_argument(parser, ("table", "json"))


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Print a player's ratings over time; exit status 1 if no round was rated."""
    with context.open_storage(demo=False) as storage, printing_database_problems(storage):
        with terminal_output.show_waiting("Reading rounds"):
            own_record = _load_record(args, storage)
        preferences = SkillPreferences(storage.ui_state, context.games)
    result = {"player": args.player, "game": args.game, "system": args.system, "now": {}, "points": [], "skipped": []}
    if own_record is not None:
        result |= _history_json(own_record, args, preferences)
        if not result["points"]:
            reasons = dict.fromkeys(each["why"] for each in result["skipped"])
            print_note(f"ready-room: no round was rated: {', '.join(reasons) or 'the player was never on a team'}")
    if args.format == "json":
        terminal_output.print_json(result)
    elif own_record is not None:
        _print_history(result)
    return ExitStatus.SUCCESS if result["points"] else ExitStatus.NOTHING_FOUND


def _load_record(args: argparse.Namespace, storage: UserStorage) -> OwnRecord | None:
    """Return the record of the requested game; None if there is none.

    By default it is the game of which the player has most rounds.
    """
    try:
        records = load_own_records(storage, args.game, args.player)
    except NoOwnRecordError as error:
        print_note(f"ready-room: {error}")
        return None
    if args.player is None and not len(storage.identities):
        raise UsageError(_NO_IDENTITY_MESSAGE)
    records = [each for each in records if each.player is not None]
    if not records:
        unknown_player = f"{args.player!r} is in no round of your record"
        print_note(f"ready-room: {'you are in no round of your record' if args.player is None else unknown_player}")
        return None
    print_chosen_game(records)
    return records[0]


def _history_json(own_record: OwnRecord, args: argparse.Namespace, preferences: SkillPreferences) -> dict[str, Any]:
    """Return the result, whose numbers equal those of `rate --record`."""
    record, player = own_record.record, own_record.player
    assert player is not None  # noqa: S101 (narrows the type)
    args.system = args.system or preferences.system(own_record.game)
    system = system_from_arguments(args, partial(preferences.parameters, own_record.game))
    rating_run = system.start_run(record, full_history=full_history_from_arguments(args, system))
    own_rounds = collect_own_rounds(record, player, system.stint_weight)
    with terminal_output.show_progress("Rating rounds") as progress:
        predictions = predict_own_rounds(rating_run, player, own_rounds, progress)
    name = record.player_ids[player]
    return {
        "player": name,
        "game": own_record.game or None,
        "system": system.name,
        "now": rating_run.rated_players().get(name, {}),
        "points": list(_points_json(record, own_rounds, predictions, rating_run.points_per_unit)),
        "skipped": [
            {"id": record.ids[round_index], "why": format_skip_reason(each.skip_reason)}
            for round_index, each in zip(own_rounds.round.tolist(), predictions, strict=True)
            if each.skip_reason
        ],
    }


def _points_json(
    record: RoundRecord, own_rounds: OwnRounds, predictions: Sequence[OwnRoundPrediction], points_per_unit: float
) -> Iterator[dict[str, Any]]:
    """Yield the rated rounds, with ratings in the model's units and in points.

    `probability` and `outcome` refer to the first-named team, `own_probability` and `own_outcome` to the player's.
    """
    for round_index, team, own_outcome, each in zip(
        own_rounds.round.tolist(), own_rounds.team.tolist(), own_rounds.outcome.tolist(), predictions, strict=True
    ):
        if each.prediction is not None:
            yield {
                "id": record.ids[round_index],
                "started": format_iso_time(float(record.started[round_index])),
                "map": record.maps[record.map[round_index]] if record.map[round_index] >= 0 else None,
                "mode": record.modes[record.mode[round_index]] or None,
                "probability": each.prediction.probability,
                "outcome": first_team_outcome(record, round_index),
                "before": each.before,
                "after": each.after,
                "sd": each.sd,
                "before_points": points_per_unit * each.before,
                "after_points": points_per_unit * each.after,
                "sd_points": None if each.sd is None else points_per_unit * each.sd,
                "team": record.teams(round_index)[team],
                "own_probability": compute_team_chance(each.prediction, team),
                "own_outcome": own_outcome,
            }


def _print_history(history: Mapping[str, Any]) -> None:
    """Print the result as a table from the player's side, the latest round last."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for title in ("When (UTC)", "Map", "Mode", "Team"):
        table.add_column(title)
    for title in ("Chance", "Result", "Change", "Points", "±"):
        table.add_column(title, justify="right")
    decimals = RATING_SYSTEMS[history["system"]].decimals
    for point in history["points"]:
        texts = (point["started"][:16].replace("T", " "), point["map"], point["mode"], point["team"])
        table.add_row(*(Text(text or terminal_output.UNKNOWN_CELL) for text in texts), *_number_cells(point, decimals))
    console = terminal_output.create_console()
    title = f"{history['player']} · {history['game'] or terminal_output.UNKNOWN_CELL} · {history['system']}"
    console.print(title, markup=False, highlight=False)
    console.print(table)


def _number_cells(point: Mapping[str, Any], decimals: int) -> tuple[str, ...]:
    return (
        format_chance_cell(point["own_probability"]),
        _RESULT_TEXTS[point["own_outcome"]],
        _format_points(point["after_points"] - point["before_points"], f"+,.{decimals + 1}f"),
        _format_points(point["after_points"], f",.{decimals}f"),
        _format_points(point["sd_points"], f",.{decimals}f"),
    )


def format_chance_cell(chance: float) -> str:
    """Return `38%`, but `>99%` and `<1%` where rounding would claim certainty."""
    percent = round(100.0 * chance)
    return ">99%" if percent >= 100 else "<1%" if percent <= 0 else f"{percent}%"


def _format_points(value: float | None, number_format: str) -> str:
    return terminal_output.UNKNOWN_CELL if value is None or math.isnan(value) else format(value, number_format)
