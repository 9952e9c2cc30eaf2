"""Selection of masters and servers from options or settings."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from browser_app.application.app_context import AppContext
from browser_app.engine.masters.query_sources import QuerySources, parse_sources, redact_url
from browser_app.exit_status import UsageError
from browser_app.player.supplied_player import SuppliedPlayer
from browser_app.storage.server_samples import SeriesBatches
from browser_app.storage.setting_declarations import DISABLED_MASTERS, EXTRA_MASTERS, SHOWN_GAMES
from browser_app.storage.settings_store import Settings
from browser_app.storage.user_session import UserSession

if TYPE_CHECKING:
    from browser_app.demo.demo_process import DemoProcess


@dataclass(frozen=True)
class SelectedSources:
    """The sources of a command line, with the demo network that it may have asked for running."""

    sources: QuerySources
    steam_key: Callable[[], str | None] | None
    """The demo network's own key; None where the user's holds."""
    simulated_past: SeriesBatches | None = None
    """What the demo network's servers are to have been through, up to a time."""
    demo_player: SuppliedPlayer | None = None
    """Who plays on the demo network, in the user's place."""
    from_settings: bool = False
    """The command line names none, so that those of the settings hold."""
    problems: Sequence[str] = ()
    """What is wrong with those of the settings and was left out."""


@contextmanager
def select_sources(args: argparse.Namespace, context: AppContext, session: UserSession) -> Iterator[SelectedSources]:
    """The sources, as long as they are needed; those of the settings where none is given.

    Raises:
        BadInput: a source is wrong.
    """
    with ExitStack() as ends:
        masters, servers, demo_key, past, player = list(args.master), list(args.server), None, None, None
        if args.demo is not None:
            demo = start_demo(args.demo)
            ends.callback(demo.close)
            masters += demo.sources.masters
            demo_key, past, player = demo.sources.steam_key, demo.server_history, demo.demo_player
        if not (args.game or masters or servers or args.lan):
            sources, problems = sources_from_settings(context, session.settings)
            yield SelectedSources(sources, None, from_settings=True, problems=problems)
            return
        try:
            sources = parse_sources(context.games, game_ids=args.game, masters=masters, servers=servers, lan=args.lan)
        except ValueError as error:
            raise UsageError(str(error)) from None
        yield SelectedSources(sources, None if demo_key is None else lambda: demo_key, past, player)


def sources_from_settings(context: AppContext, settings: Settings) -> tuple[QuerySources, list[str]]:
    """What the settings name, and what is wrong with parts of it, which are left out. May read lists in files."""
    read, problems = partial(parse_sources, context.games), list[str]()

    def good(key: str, names: Iterable[str], part: Callable[[str], object]) -> Iterator[str]:
        for name in names:
            try:
                part(name)
                yield name
            except ValueError as error:
                problems.append(settings.format_problem(key, str(error)))

    named_games, named_masters = settings.get(SHOWN_GAMES), settings.get(EXTRA_MASTERS)
    games = list(good(SHOWN_GAMES.key, named_games, lambda game: read(game_ids=[game])))
    masters = list(good(EXTRA_MASTERS.key, named_masters, lambda url: read(masters=[url])))
    found = read(game_ids=games or context.games, masters=masters)
    off = {redact_url(url) for url in settings.get(DISABLED_MASTERS)}
    return replace(found, masters=tuple(master for master in found.masters if master.url not in off)), problems


def start_demo(servers: int) -> "DemoProcess":
    """A demo network in a process of its own; its code is loaded only here.

    Raises:
        BadInput: it cannot run here.
    """
    from browser_app.demo.demo_options import DemoOptions
    from browser_app.demo.demo_process import DemoProcess
    from browser_app.demo.loopback_sockets import DemoError

    try:
        return DemoProcess(DemoOptions(servers=servers))
    except DemoError as error:
        raise UsageError(f"--demo: {error}") from None
