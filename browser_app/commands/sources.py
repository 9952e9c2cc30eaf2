"""The sources of a command line: those that it names, its demo network, or those of the settings."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from browser_app.commands.context import Context
from browser_app.commands.errors import BadInput
from browser_app.engine.sources import Sources, parse_sources, without_keys
from browser_app.player.given import GivenPlayer
from browser_app.storage.declared import EXTRA_MASTERS, GAMES, MASTERS_OFF
from browser_app.storage.samples import Past
from browser_app.storage.session import Session
from browser_app.storage.settings import Settings

if TYPE_CHECKING:
    from browser_app.demo.process import DemoProcess


@dataclass(frozen=True)
class ReadSources:
    """The sources of a command line, with the demo network that it may have asked for running."""

    sources: Sources
    steam_key: Callable[[], str | None] | None
    """The demo network's own key; None where the user's holds."""
    past: Past | None = None
    """What the demo network's servers are to have been through, up to a time."""
    player: GivenPlayer | None = None
    """Who plays on the demo network, in the user's place."""
    of_settings: bool = False
    """The command line names none, so that those of the settings hold."""
    problems: Sequence[str] = ()
    """What is wrong with those of the settings and was left out."""


@contextmanager
def read_sources(args: argparse.Namespace, context: Context, session: Session) -> Iterator[ReadSources]:
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
            demo_key, past, player = demo.sources.steam_key, demo.past, demo.player
        if not (args.game or masters or servers or args.lan):
            sources, problems = sources_of_settings(context, session.settings)
            yield ReadSources(sources, None, of_settings=True, problems=problems)
            return
        try:
            sources = parse_sources(context.games, game_ids=args.game, masters=masters, servers=servers, lan=args.lan)
        except ValueError as error:
            raise BadInput(str(error)) from None
        yield ReadSources(sources, None if demo_key is None else lambda: demo_key, past, player)


def sources_of_settings(context: Context, settings: Settings) -> tuple[Sources, list[str]]:
    """What the settings name, and what is wrong with parts of it, which are left out. May read lists in files."""
    read, problems = partial(parse_sources, context.games), list[str]()

    def good(key: str, names: Iterable[str], part: Callable[[str], object]) -> Iterator[str]:
        for name in names:
            try:
                part(name)
                yield name
            except ValueError as error:
                problems.append(settings.refused(key, str(error)))

    named_games, named_masters = settings.get(GAMES), settings.get(EXTRA_MASTERS)
    games = list(good(GAMES.key, named_games, lambda game: read(game_ids=[game])))
    masters = list(good(EXTRA_MASTERS.key, named_masters, lambda url: read(masters=[url])))
    found = read(game_ids=games or context.games, masters=masters)
    off = {without_keys(url) for url in settings.get(MASTERS_OFF)}
    return replace(found, masters=tuple(master for master in found.masters if master.url not in off)), problems


def start_demo(servers: int) -> "DemoProcess":
    """A demo network in a process of its own; its code is loaded only here.

    Raises:
        BadInput: it cannot run here.
    """
    from browser_app.demo.options import DemoOptions
    from browser_app.demo.process import DemoProcess
    from browser_app.demo.sockets import DemoError

    try:
        return DemoProcess(DemoOptions(servers=servers))
    except DemoError as error:
        raise BadInput(f"--demo: {error}") from None
