"""`play`: Play Now from the command line: choose, verify, launch."""

import argparse

from browser_app.commands.arguments import add_pace, add_scoring, add_sources, positive_count
from browser_app.commands.context import Context
from browser_app.commands.errors import Exit
from browser_app.commands.joins import Joins
from browser_app.commands.list import checked_filter
from browser_app.commands.output import print_json, say
from browser_app.commands.polling import Asker, asker, nobody_answered
from browser_app.engine.play_now import ChoosingAgain, NothingFits, Outcome, PlayNow, Step, Verified, Verifying
from browser_app.engine.standing import OwnDirectory, PlayOptions
from browser_app.launch.arguments import LaunchError
from browser_app.launch.plan import LaunchPlan
from browser_app.ranking.reason import reason_text
from browser_app.storage.declared import OWN_VERSIONS, PLAY_FILTER

HELP = "Play Now: choose, verify, launch"


def add_arguments(parser: argparse.ArgumentParser, context: Context) -> None:
    """Sources, scoring, and how far to go."""
    add_sources(parser)
    add_scoring(parser, list(context.presets))
    add_pace(parser)
    parser.add_argument("--dry-run", action="store_true", help="go round once and print the choice; start nothing")
    parser.add_argument("--attempts", type=positive_count, metavar="N", help="give up after N rounds (goes on)")


def run(args: argparse.Namespace, context: Context) -> int:
    """Choose a server, ask it again, say why, and start the game."""
    with context.open_session(demo=args.demo is not None) as session:
        wanted = checked_filter(args.filter or session.settings.get(PLAY_FILTER))
        with asker(args, context, session) as asking:
            polled = asking.poll()
            if not polled.anybody_answered:
                say(nobody_answered(polled.masters))
                if not args.dry_run:
                    return Exit.NO_ANSWER
            options = PlayOptions(
                wanted=wanted,
                player_skill=asking.own_skill,
                preset=asking.preset,
                own_versions=session.settings.get(OWN_VERSIONS),
            )
            outcome = _choose(asking, options, 1 if args.dry_run else args.attempts)
            name = asking.catalogue.name[outcome.chosen.server] if outcome.chosen else ""
            status = _finish(outcome, Joins(asking.catalogue, context.games, session), name, dry_run=args.dry_run)
            return status if polled.anybody_answered else Exit.NO_ANSWER


def _choose(asking: Asker, options: PlayOptions, most_attempts: int | None) -> Outcome:
    directory = OwnDirectory(asking.catalogue, options, lambda _stop: _poll_again(asking))
    play = PlayNow(
        asking.scanner,
        directory,
        pace=asking.pace,
        report=lambda step: _tell(step, asking),
        most_attempts=most_attempts,
    )
    try:
        return play.run()
    finally:
        play.cancel()


def _poll_again(asking: Asker) -> None:
    asking.poll()


def _tell(step: Step, asking: Asker) -> None:
    match step:
        case Verifying(servers=servers):
            names = ", ".join(asking.catalogue.name[each.server] for each in servers)
            say(f"Asking {len(servers)} again: {names}")
        case NothingFits(attempt=attempt, rejected=rejected):
            excluded = ", ".join(f"{number} {why}" for why, number in rejected.items() if number)
            say(f"No server fits (attempt {attempt}): {excluded or 'none is known'}")
        case ChoosingAgain(attempt=attempt):
            say(f"Looking again, attempt {attempt}")


def _finish(outcome: Outcome, joins: Joins, name: str, *, dry_run: bool) -> int:
    plan, problem = _plan(outcome.chosen, joins)
    if dry_run:
        print_json(_as_json(outcome, plan, problem))
    if outcome.chosen is None:
        return Exit.NOTHING_FOUND
    why = reason_text(outcome.reason)
    say(f"{name}: {why}")
    if not dry_run:
        problem = _launch(outcome.chosen.server, why, joins)
    if problem:
        say(f"ready-room: {problem}")
    return Exit.NOTHING_FOUND if problem and not dry_run else Exit.DONE


def _launch(server: int, why: str, joins: Joins) -> str | None:
    """Start the game; what stands in the way, or None."""
    try:
        joins.launch(server, why, joins.password(server))
    except LaunchError as error:
        return str(error)
    return None


def _plan(chosen: Verified | None, joins: Joins) -> tuple[LaunchPlan | None, str | None]:
    """How the game would be started, and what stands in the way."""
    if chosen is None:
        return None, None
    try:
        plan = joins.plan(chosen.server, joins.password(chosen.server))
    except LaunchError as error:
        return None, str(error)
    return plan, None if plan.installed else str(joins.not_installed(chosen.server))


def _as_json(outcome: Outcome, plan: LaunchPlan | None, problem: str | None) -> dict[str, object]:
    command: object = None
    if plan is not None:
        command = list(plan.argv) if plan.argv is not None else {"url": plan.url}
    return {
        "chosen": str(outcome.chosen.target.address) if outcome.chosen else None,
        "command": command,
        "installed": plan.installed if plan else None,
        "problem": problem,
        "reason": reason_text(outcome.reason) if outcome.reason else None,
        "attempts": outcome.attempts,
        "verified": [
            {
                "address": str(each.target.address),
                "score": each.score_now,
                "score_before": each.score_before,
                "eligible": each.eligible,
                "why": each.why,
            }
            for each in outcome.verified
        ],
        "rejected": dict(outcome.rejected),
    }
