"""The `play` command: choose, verify and launch a server."""

import argparse

from browser_app.application.app_context import AppContext
from browser_app.application.poll_session import PollSession
from browser_app.application.server_launcher import ServerLauncher
from browser_app.commands.command_arguments import (
    add_pace_argument,
    add_scoring_arguments,
    add_source_arguments,
    parse_positive_count,
)
from browser_app.commands.command_polling import no_answer_text, open_poll_session
from browser_app.commands.list_command import parse_filter_argument
from browser_app.commands.output.terminal_output import print_json
from browser_app.engine.catalogue_snapshot import LocalServerDirectory, PlayOptions
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
from browser_app.launch.launch_arguments import LaunchError
from browser_app.launch.launch_plan import LaunchPlan
from browser_app.process_setup import print_note
from browser_app.ranking.play_now_choice import format_choice_reasons
from browser_app.storage.setting_declarations import OWN_VERSIONS, PLAY_NOW_FILTER

HELP = "Play Now: choose, verify, launch"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:
    """Declare the arguments."""
    add_source_arguments(parser)
    add_scoring_arguments(parser, list(context.presets))
    add_pace_argument(parser)
    parser.add_argument("--dry-run", action="store_true", help="go round once and print the choice; start nothing")
    parser.add_argument("--attempts", type=parse_positive_count, metavar="N", help="give up after N rounds (goes on)")


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Choose a server, verify it, print the reason and start the game."""
    with context.open_session(demo=args.demo is not None) as session:
        wanted = parse_filter_argument(args.filter or session.settings.get(PLAY_NOW_FILTER))
        with open_poll_session(args, context, session) as asking:
            polled = asking.poll()
            if not polled.has_answers:
                print_note(no_answer_text(polled.masters))
                if not args.dry_run:
                    return ExitStatus.NO_ANSWER
            options = PlayOptions(
                server_filter=wanted,
                player_skill=asking.own_skill,
                preset=asking.preset,
                own_versions=session.settings.get(OWN_VERSIONS),
            )
            outcome = _run_play_now(asking, options, 1 if args.dry_run else args.attempts)
            name = asking.catalogue.name[outcome.chosen.row] if outcome.chosen else ""
            status = _finish_run(
                outcome, ServerLauncher(asking.catalogue, context.games, session), name, dry_run=args.dry_run
            )
            return status if polled.has_answers else ExitStatus.NO_ANSWER


def _run_play_now(asking: PollSession, options: PlayOptions, most_attempts: int | None) -> PlayNowOutcome:
    directory = LocalServerDirectory(asking.catalogue, options, lambda _stop: _repeat_poll(asking))
    play = PlayNowRun(
        asking.scanner,
        directory,
        pace=asking.pace,
        report=lambda step: _print_step(step, asking),
        max_attempts=most_attempts,
    )
    try:
        return play.run()
    finally:
        play.cancel()


def _repeat_poll(asking: PollSession) -> None:
    asking.poll()


def _print_step(step: PlayNowStep, asking: PollSession) -> None:
    match step:
        case VerificationStarted(candidates=servers):
            names = ", ".join(asking.catalogue.name[each.row] for each in servers)
            print_note(f"Asking {len(servers)} again: {names}")
        case NoEligibleServer(attempt=attempt, rejected=rejected):
            excluded = ", ".join(f"{number} {why}" for why, number in rejected.items() if number)
            print_note(f"No server fits (attempt {attempt}): {excluded or 'none is known'}")
        case RetryStarted(attempt=attempt):
            print_note(f"Looking again, attempt {attempt}")


def _finish_run(outcome: PlayNowOutcome, joins: ServerLauncher, name: str, *, dry_run: bool) -> int:
    plan, problem = _plan_launch(outcome.chosen, joins)
    if dry_run:
        print_json(_outcome_json(outcome, plan, problem))
    if outcome.chosen is None:
        return ExitStatus.NOTHING_FOUND
    why = format_choice_reasons(outcome.reason)
    print_note(f"{name}: {why}")
    if not dry_run:
        problem = _launch_server(outcome.chosen.row, why, joins)
    if problem:
        print_note(f"ready-room: {problem}")
    return ExitStatus.NOTHING_FOUND if problem and not dry_run else ExitStatus.SUCCESS


def _launch_server(server: int, why: str, joins: ServerLauncher) -> str | None:
    """Start the game and return the error, None if it started."""
    try:
        joins.launch(server, why, joins.saved_password(server))
    except LaunchError as error:
        return str(error)
    return None


def _plan_launch(chosen: VerifiedServer | None, joins: ServerLauncher) -> tuple[LaunchPlan | None, str | None]:
    """Return the launch plan and the reason why it cannot be carried out."""
    if chosen is None:
        return None, None
    try:
        plan = joins.plan(chosen.row, joins.saved_password(chosen.row))
    except LaunchError as error:
        return None, str(error)
    return plan, None if plan.is_installed else str(joins.not_installed_error(chosen.row))


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
                "why": each.ineligible_reason,
            }
            for each in outcome.verified
        ],
        "rejected": dict(outcome.rejected),
    }
