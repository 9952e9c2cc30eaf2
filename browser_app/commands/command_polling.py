"""Polling of sources for commands, with messages on the terminal."""

import argparse
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from browser_app.application.app_context import AppContext
from browser_app.application.favourite_moves import find_favourite_moves
from browser_app.application.own_skill.skill_state import OwnSkill, OwnSkillSource
from browser_app.application.poll_session import PollSession
from browser_app.application.scoring_context import GameSelection, ScoringContext, create_catalogue, same_skill
from browser_app.application.source_selection import SelectedSources, select_sources
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import RowIds
from browser_app.commands.arguments.command_arguments import source_options_from_arguments
from browser_app.commands.output.terminal_output import show_waiting, wait_for_poll
from browser_app.engine.masters.master_poll import MasterState
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.scanner import Scanner
from browser_app.exit_status import UsageError
from browser_app.language import locale_country
from browser_app.number_text import integer_text
from browser_app.process_setup import print_note
from browser_app.protocols.code_pages import parse_server_code_pages
from browser_app.storage.setting_declarations import CODE_PAGES, OWN_COUNTRY
from browser_app.storage.user_storage import UserStorage

_SKILL_SOURCES: Mapping[OwnSkillSource, str] = {
    "game": "in-game skill",
    "anchored": "latest in-game skill in your round files, plus the rating changes since",
    "record": "calculated from your rounds",
    "entered": "the number you entered",
}


@contextmanager
def open_poll_session(args: argparse.Namespace, context: AppContext, storage: UserStorage) -> Iterator[PollSession]:
    """Yield a session that polls the sources of a command.

    The command has source, scoring and pace arguments.

    Raises:
        UsageError: a source or a setting is wrong.
    """
    if storage.settings.problems:
        raise UsageError("\nready-room: ".join(storage.settings.problems))
    for notice in storage.problems:
        print_note(f"ready-room: {notice}")
    with (
        select_sources(source_options_from_arguments(args), context, storage) as sources,
        Scanner(context.games, code_pages=lambda: parse_server_code_pages(storage.settings.get(CODE_PAGES))) as scanner,
    ):
        if sources.problems:
            raise UsageError("\nready-room: ".join(sources.problems))
        catalogue = create_catalogue(context.games, storage, sources.demo.countries if sources.demo else None)
        catalogue.own_country = storage.settings.get(OWN_COUNTRY).upper() or locale_country(os.environ)
        skill, skill_by_game = _load_own_skill(args.skill, context, storage, sources)
        # Skill, preset and Play Now's options are those of the window unless arguments replace them.
        selection = GameSelection(storage.settings, catalogue, lambda: sources.from_settings)
        yield PollSession(
            storage,
            sources,
            scanner,
            catalogue,
            ScoringContext(context.presets, args.preset, storage, skill_by_game, catalogue, selection, args.game),
            sources.game_finder(context.games, storage.settings),
            own_skill=skill,
            pace=PACES[args.pace],
            wait=wait_for_poll,
        )


def _load_own_skill(
    option_points: float | None, context: AppContext, storage: UserStorage, sources: SelectedSources
) -> tuple[Callable[[str], OwnSkill | None], Callable[[], Mapping[str, float]]]:
    """Return functions for the own skill in a game and in all games.

    The skill of the option, if given, takes the place of the stored skill.
    """
    if option_points is not None:
        return lambda _game: OwnSkill(option_points, "entered"), same_skill(option_points, context.games)
    from browser_app.application.own_skill.stored_own_skill import load_own_skill  # the help needs no web client

    player = sources.demo.player if sources.demo else None
    with show_waiting("Rating your rounds"):
        own_skill = load_own_skill(storage, context.games, player)
    return own_skill.own_skill, own_skill.own_skill_by_game


def print_own_skill(poll_session: PollSession, rows: RowIds) -> None:
    """Print the own skill and its source for the games of these rows.

    Games whose servers report no skill are left out: their scores do not depend on it.
    """
    catalogue = poll_session.catalogue
    games = {catalogue.game[row] for row in rows.tolist()}
    for game, profile in catalogue.games.items():
        if game in games and profile.reports_skill and (skill := poll_session.own_skill(game)) is not None:
            print_note(f"Your skill in {profile.name}: {integer_text(skill.value)} ({_SKILL_SOURCES[skill.source]})")


def no_answer_text(masters: Sequence[MasterState]) -> str:
    """Return the advice that goes with exit status 3."""
    if masters and all(master.needs_steam_key for master in masters):
        return (
            "ready-room: Valve gives this list only with a free Web API key (https://steamcommunity.com/dev/apikey):"
            " set READY_ROOM_STEAM_KEY, or name servers with --server"
        )
    return "ready-room: no master or server answered; check the network, the address and the firewall, or try --demo"


def print_favourite_moves(storage: UserStorage, catalogue: Catalogue) -> None:
    """Print which favourites seem to have moved; only the window can update them."""
    for move in find_favourite_moves(storage.favourites, catalogue, time.time()):
        print_note(
            f"ready-room: favourite {move.favourite.address} does not answer; {move.address} claims to be the same"
            " server, which cannot be verified. The favourite is unchanged."
        )


def print_master_errors(masters: Sequence[MasterState]) -> None:
    """Print the error of each master that failed, one line each."""
    for master in masters:
        if master.error:
            print_note(f"{master.url.removesuffix(':')}: {master.error}")
