"""The `play` command: choose, verify and launch a server."""

import argparse
from dataclasses import replace

import numpy as np

from browser_app.application.app_context import AppContext
from browser_app.application.game_finder import GameFinder
from browser_app.application.poll_session import PollSession
from browser_app.application.server_launcher import ChangedServerError, ServerLauncher
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.server_filter import ServerFilter
from browser_app.catalogue.game_servers import most_played_games
from browser_app.catalogue.server_value_text import quoted_text, server_name
from browser_app.commands.arguments.command_arguments import (
    add_filter_argument,
    add_pace_argument,
    add_scoring_arguments,
    add_source_arguments,
    parse_positive_count,
)
from browser_app.commands.command_polling import (
    no_answer_text,
    open_poll_session,
    print_favourite_moves,
    print_own_skill,
)
from browser_app.commands.list_command import parse_filter_argument
from browser_app.commands.output.terminal_output import print_json
from browser_app.engine.catalogue_snapshot import LocalServerDirectory, PlayOptions, build_snapshot
from browser_app.engine.play_now_run import (
    NoEligibleServer,
    PlayNowOutcome,
    PlayNowRun,
    PlayNowStep,
    RetryStarted,
    VerificationStarted,
    VerifiedServer,
)
from browser_app.exit_status import ExitStatus
from browser_app.launch.installed_games import create_not_installed_error, format_install_source
from browser_app.launch.launch_arguments import LaunchError
from browser_app.launch.launch_plan import LaunchPlan
from browser_app.number_text import integer_text
from browser_app.process_setup import print_note
from browser_app.ranking.play_now_choice import ExclusionReason, PlayNowCandidates, format_choice_reasons

_SUGGESTED_GAMES = 3

HELP = "choose the best server, check it again and start the game"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:
    """Add sources, filter, scoring and pace, and how to choose and start."""
    add_source_arguments(parser)
    add_filter_argument(parser, "choose only among matching servers")
    add_scoring_arguments(parser, list(context.presets))
    add_pace_argument(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="choose once and print the choice without starting anything"
    )
    parser.add_argument(
        "--attempts", type=parse_positive_count, metavar="N", help="give up after N attempts (default: never)"
    )
    parser.add_argument(
        "--accept-changed-server",
        action="store_true",
        help="send the saved password even if the server is not the one that it was saved for",
    )


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Choose a server, verify it, print the reason and start the game."""
    with context.open_storage(demo=args.demo is not None) as storage:
        server_filter = parse_filter_argument(args.filter) if args.filter else None
        with open_poll_session(args, context, storage) as poll_session:
            scope = poll_session.scoring.play_options(server_filter).scope
            if isinstance(scope, ServerFilter):
                poll_session.require_fields(scope.fields)
            _print_program_problems(poll_session.game_finder)
            result = poll_session.poll()
            options = poll_session.scoring.play_options(server_filter)  # the installed games are known now
            print_favourite_moves(storage, result.catalogue)
            print_own_skill(poll_session, np.flatnonzero(poll_session.scoring.listed_rows()))
            if not result.has_answers:
                print_note(no_answer_text(result.masters))
                if not args.dry_run:
                    return ExitStatus.NO_ANSWER
            catalogue = poll_session.catalogue
            launcher = ServerLauncher(catalogue, poll_session.game_finder, storage)
            accept_changes = args.accept_changed_server
            if args.dry_run:
                outcome = _choose_once(poll_session, options)
                status = _print_choice(outcome, launcher, catalogue, accept_changes=accept_changes)
                return status if result.has_answers else ExitStatus.NO_ANSWER
            candidates = build_snapshot(catalogue, options).candidates
            if candidates.has_no_installed_game:
                _run_play_now(poll_session, options, 1)
                print_note(_nothing_installed_text(catalogue, candidates))
                return ExitStatus.NOTHING_FOUND
            outcome = _run_play_now(poll_session, options, args.attempts)
            return _launch_chosen(outcome, launcher, catalogue, accept_changes=accept_changes)


def _print_program_problems(game_finder: GameFinder) -> None:
    """Print which programs that the user set cannot be started.

    Their games may be found in other ways.
    """
    for game in game_finder.games.values():
        if problem := game_finder.program_problem(game):
            print_note(f"ready-room: program of {game.name}: {problem} (Settings, “Game programs”)")


def _choose_once(poll_session: PollSession, options: PlayOptions) -> PlayNowOutcome:
    """Choose a server of the playable games, or else of any game.

    Other games are considered if no server of the playable ones is eligible.
    """
    outcome = _run_play_now(poll_session, options, 1)
    if outcome.chosen is not None or not outcome.excluded_counts[ExclusionReason.NOT_INSTALLED]:
        return outcome
    other_outcome = _run_play_now(poll_session, replace(options, playable_games=None), 1)
    return outcome if other_outcome.chosen is None else replace(other_outcome, excluded_counts=outcome.excluded_counts)


def _nothing_installed_text(catalogue: Catalogue, candidates: PlayNowCandidates) -> str:
    """Return which games the user could install."""
    games = most_played_games(catalogue, ~candidates.is_filtered_out, _SUGGESTED_GAMES)
    if len(games) == 1:
        return f"ready-room: {create_not_installed_error(games[0].profile)}"
    lines = [
        f"  {profile.name}, {integer_text(players)} playing: {format_install_source(profile.launch)}"
        for profile, players in games
    ]
    return "\n".join(["ready-room: no server runs a game that is installed here; most played now:", *lines])


def _run_play_now(poll_session: PollSession, options: PlayOptions, max_attempts: int | None) -> PlayNowOutcome:
    directory = LocalServerDirectory(poll_session.catalogue, options, lambda _stop: poll_session.poll())
    play_now = PlayNowRun(
        poll_session.scanner,
        directory,
        pace=poll_session.pace,
        report=lambda step: _print_step(step, poll_session),
        max_attempts=max_attempts,
    )
    try:
        return play_now.run()
    finally:
        play_now.cancel()


def _print_step(step: PlayNowStep, poll_session: PollSession) -> None:
    match step:
        case VerificationStarted(candidates=servers):
            names = ", ".join(quoted_text(server_name(poll_session.catalogue, each.row)) for each in servers)
            print_note(f"Checking {len(servers)} again: {names}")
        case NoEligibleServer(attempt=attempt, excluded_counts=counts):
            excluded = ", ".join(f"{number} {_format_reason(why)}" for why, number in counts.items() if number)
            print_note(f"No suitable server (attempt {attempt}): {excluded or 'no server known'}")
        case RetryStarted(attempt=attempt):
            print_note(f"Searching again, attempt {attempt}")


def _print_choice(
    outcome: PlayNowOutcome, launcher: ServerLauncher, catalogue: Catalogue, *, accept_changes: bool
) -> int:
    plan, problem = _plan_launch(outcome.chosen, launcher, accept_changes=accept_changes)
    print_json(_outcome_json(outcome, plan, problem))
    if outcome.chosen is None:
        return ExitStatus.NOTHING_FOUND
    print_note(f"{catalogue.name[outcome.chosen.row]}: {format_choice_reasons(outcome.reason)}")
    if problem:
        print_note(f"ready-room: {problem}")
    return ExitStatus.SUCCESS


def _launch_chosen(
    outcome: PlayNowOutcome, launcher: ServerLauncher, catalogue: Catalogue, *, accept_changes: bool
) -> int:
    if outcome.chosen is None:
        return ExitStatus.NOTHING_FOUND
    server, reason = outcome.chosen.row, format_choice_reasons(outcome.reason)
    print_note(f"{catalogue.name[server]}: {reason}")
    try:
        password = launcher.password_to_send(server, accept_changes=accept_changes)
        launcher.launch(server, reason, password)
    except LaunchError as error:
        print_note(f"ready-room: {_format_launch_problem(error)}")
        return ExitStatus.NOTHING_FOUND
    if password is not None:
        launcher.accept_server(server)
    return ExitStatus.SUCCESS


def _plan_launch(
    chosen: VerifiedServer | None, launcher: ServerLauncher, *, accept_changes: bool
) -> tuple[LaunchPlan | None, str | None]:
    """Return the launch plan and the reason why it cannot be carried out."""
    if chosen is None:
        return None, None
    try:
        password = launcher.password_to_send(chosen.row, accept_changes=accept_changes)
        plan = launcher.plan(chosen.row, password)
    except LaunchError as error:
        return None, _format_launch_problem(error)
    return plan, None if plan.is_installed else str(launcher.create_not_installed_error(chosen.row))


def _format_launch_problem(error: LaunchError) -> str:
    hint = " Use --accept-changed-server to send it." if isinstance(error, ChangedServerError) else ""
    return f"{error}{hint}"


def _outcome_json(outcome: PlayNowOutcome, plan: LaunchPlan | None, problem: str | None) -> dict[str, object]:
    command: object = None
    if plan is not None:
        command = list(plan.argv) if plan.argv is not None else {"url": plan.url}
    return {
        "chosen": str(outcome.chosen.target.address) if outcome.chosen else None,
        "command": command,
        "installed": plan.is_installed if plan else None,
        "problem": problem,
        "reason": format_choice_reasons(outcome.reason) if outcome.reason else None,
        "attempts": outcome.attempts,
        "verified": [
            {
                "address": str(each.target.address),
                "score": each.score_now,
                "score_before": each.score_before,
                "eligible": each.is_eligible,
                "why": None if each.exclusion_reason is None else _format_reason(each.exclusion_reason),
            }
            for each in outcome.verified
        ],
        "rejected": {_format_reason(reason): count for reason, count in outcome.excluded_counts.items()},
    }


def _format_reason(reason: ExclusionReason) -> str:
    """Return the reason as the output names it; scripts may compare the words."""
    return reason.value.replace("_", " ")
