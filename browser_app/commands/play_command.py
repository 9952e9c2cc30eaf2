"""The `play` command: choose, verify and launch a server."""

import argparse

from browser_app.application.app_context import AppContext
from browser_app.application.poll_session import PollSession
from browser_app.application.server_launcher import ServerLauncher
from browser_app.commands.command_arguments import (
    add_filter_argument,
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

HELP = "choose the best server, verify it and start the game"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add_source_arguments(parser)
    add_filter_argument(parser, "choose only among matching servers")
    add_scoring_arguments(parser, list(context.presets))
    add_pace_argument(parser)
    add("--dry-run", action="store_true", help="choose once and print the choice without starting anything")
    add("--attempts", type=parse_positive_count, metavar="N", help="give up after N attempts (default: never)")


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Choose a server, verify it, print the reason and start the game."""
    with context.open_session(demo=args.demo is not None) as session:
        server_filter = parse_filter_argument(args.filter or session.settings.get(PLAY_NOW_FILTER))
        with open_poll_session(args, context, session) as poll_session:
            result = poll_session.poll()
            if not result.has_answers:
                print_note(no_answer_text(result.masters))
                if not args.dry_run:
                    return ExitStatus.NO_ANSWER
            options = PlayOptions(
                server_filter=server_filter,
                player_skill=poll_session.own_skill,
                preset=poll_session.preset,
                own_versions=session.settings.get(OWN_VERSIONS),
            )
            outcome = _run_play_now(poll_session, options, 1 if args.dry_run else args.attempts)
            name = poll_session.catalogue.name[outcome.chosen.row] if outcome.chosen else ""
            launcher = ServerLauncher(poll_session.catalogue, poll_session.game_finder, session)
            status = _finish_run(outcome, launcher, name, dry_run=args.dry_run)
            return status if result.has_answers else ExitStatus.NO_ANSWER


def _run_play_now(poll_session: PollSession, options: PlayOptions, max_attempts: int | None) -> PlayNowOutcome:
    directory = LocalServerDirectory(poll_session.catalogue, options, lambda _stop: _repeat_poll(poll_session))
    play = PlayNowRun(
        poll_session.scanner,
        directory,
        pace=poll_session.pace,
        report=lambda step: _print_step(step, poll_session),
        max_attempts=max_attempts,
    )
    try:
        return play.run()
    finally:
        play.cancel()


def _repeat_poll(poll_session: PollSession) -> None:
    poll_session.poll()


def _print_step(step: PlayNowStep, poll_session: PollSession) -> None:
    match step:
        case VerificationStarted(candidates=servers):
            names = ", ".join(poll_session.catalogue.name[each.row] for each in servers)
            print_note(f"Verifying {len(servers)}: {names}")
        case NoEligibleServer(attempt=attempt, rejected=rejected):
            excluded = ", ".join(f"{number} {why}" for why, number in rejected.items() if number)
            print_note(f"No eligible server (attempt {attempt}): {excluded or 'no server known'}")
        case RetryStarted(attempt=attempt):
            print_note(f"Searching again, attempt {attempt}")


def _finish_run(outcome: PlayNowOutcome, launcher: ServerLauncher, name: str, *, dry_run: bool) -> int:
    plan, problem = _plan_launch(outcome.chosen, launcher)
    if dry_run:
        print_json(_outcome_json(outcome, plan, problem))
    if outcome.chosen is None:
        return ExitStatus.NOTHING_FOUND
    reason = format_choice_reasons(outcome.reason)
    print_note(f"{name}: {reason}")
    if not dry_run:
        problem = _launch_server(outcome.chosen.row, reason, launcher)
    if problem:
        print_note(f"ready-room: {problem}")
    return ExitStatus.NOTHING_FOUND if problem and not dry_run else ExitStatus.SUCCESS


def _launch_server(server: int, reason: str, launcher: ServerLauncher) -> str | None:
    """Start the game and return the error, None if it started."""
    try:
        launcher.launch(server, reason, launcher.saved_password(server))
    except LaunchError as error:
        return str(error)
    return None


def _plan_launch(chosen: VerifiedServer | None, launcher: ServerLauncher) -> tuple[LaunchPlan | None, str | None]:
    """Return the launch plan and the reason why it cannot be carried out."""
    if chosen is None:
        return None, None
    try:
        plan = launcher.plan(chosen.row, launcher.saved_password(chosen.row))
    except LaunchError as error:
        return None, str(error)
    return plan, None if plan.is_installed else str(launcher.not_installed_error(chosen.row))


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
