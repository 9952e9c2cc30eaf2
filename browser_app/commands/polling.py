"""One poll for a command: sources, demo network, scanner and catalogue put together and taken down again."""

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.facts import Status
from browser_app.commands.context import Context
from browser_app.commands.errors import BadInput
from browser_app.commands.output import say
from browser_app.commands.progress import follow
from browser_app.engine.masters import MasterState
from browser_app.engine.pacing import PACES
from browser_app.engine.poll import start_poll
from browser_app.engine.progress import Progress
from browser_app.engine.scanner import Scanner
from browser_app.engine.sources import Sources, parse_sources, without_keys
from browser_app.engine.web_masters import NEEDS_KEY
from browser_app.games.profile import RankingConstants
from browser_app.player.given import GivenPlayer
from browser_app.protocols.conversation import Want
from browser_app.storage.declared import EXTRA_MASTERS, GAMES, MASTERS_OFF
from browser_app.storage.samples import Past
from browser_app.storage.session import Session
from browser_app.storage.settings import Settings
from browser_app.timings import mark

if TYPE_CHECKING:
    from browser_app.demo.process import DemoProcess


@dataclass(frozen=True)
class Polled:
    """What a poll brought; the catalogue is scored."""

    catalogue: Catalogue
    masters: Sequence[MasterState]
    progress: Progress

    @property
    def anybody_answered(self) -> bool:
        """A master gave a list, or a server said something. A file's servers must speak for themselves."""
        said_something = np.isin(self.catalogue.status, (Status.OK, Status.MALFORMED))
        listed = any(m.ok and not (m.url.startswith("file:") and m.servers) for m in self.masters)
        return listed or bool(said_something.any())


def nobody_answered(masters: Sequence[MasterState]) -> str:
    """What to try when there is exit status 3."""
    errors = [master.error or "" for master in masters]
    if errors and all(NEEDS_KEY in error for error in errors):
        return (
            "ready-room: Valve gives this list only with a free Web API key (https://steamcommunity.com/dev/apikey):"
            " set READY_ROOM_STEAM_KEY, or name servers with --server"
        )
    return "ready-room: no master or server answered; check the network, the address and the firewall, or try --demo"


def tell_errors(masters: Sequence[MasterState]) -> None:
    """What went wrong with each master, a line each."""
    for master in masters:
        if master.error:
            say(f"{master.url.removesuffix(':')}: {master.error}")


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


class Asker:
    """Polls the sources of a command line into one catalogue, as often as wanted."""

    def __init__(
        self,
        context: Context,
        session: Session,
        sources: ReadSources,
        scanner: Scanner,
        args: argparse.Namespace,
    ) -> None:
        self.scanner = scanner
        self.catalogue = Catalogue(context.games)
        self.catalogue.set_lists(session.lists(time.time()))
        self.pace = PACES[getattr(args, "pace", "normal")]
        self.own_skill = own_skill(args, context, session)
        self.preset = _preset(args, context)
        self.sources = sources.sources
        self.steam_key = sources.steam_key or session.secrets.steam_key

    def poll(self, want: Want = Want.INFO, sources: Sources | None = None) -> Polled:
        """Ask all sources once, or others than those of the command line.

        Raises:
            BadInput: the pace is for servers on this machine, and not all are.
        """
        sources = sources or self.sources
        try:
            poll = start_poll(self.scanner, sources, pace=self.pace, want=want, steam_key=self.steam_key)
        except ValueError as error:
            raise BadInput(f"--{error}") from None  # "pace unlimited: …"
        answers = poll.scan.answers

        def drain() -> None:
            if answers and not len(self.catalogue):
                mark("first_answer")
            self.catalogue.merge([answers.popleft() for _ in range(len(answers))])

        follow(poll, drain)
        if poll.refused:
            raise BadInput(f"--{poll.refused}")
        mark("scan_done")
        self.rescore()
        return Polled(self.catalogue, poll.masters, poll.progress)

    def rescore(self) -> None:
        """Score everything anew."""
        self.catalogue.rescore(self.own_skill, self.preset)


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


@contextmanager
def asker(args: argparse.Namespace, context: Context, session: Session) -> Iterator[Asker]:
    """Everything that polling needs, as long as it is needed.

    Raises:
        BadInput: a source or a setting is wrong.
    """
    if session.settings.problems:
        raise BadInput("\nready-room: ".join(session.settings.problems))
    for notice in session.problems:
        say(f"ready-room: {notice}")
    with read_sources(args, context, session) as sources, Scanner(context.games) as scanner:
        if sources.problems:
            raise BadInput("\nready-room: ".join(sources.problems))
        yield Asker(context, session, sources, scanner, args)


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


def own_skill(args: argparse.Namespace, context: Context, session: Session) -> Mapping[str, float]:
    """The user's skill by game: as given for all games, else as it is in the settings."""
    points: float | None = getattr(args, "skill", None)
    return session.own_skill() if points is None else dict.fromkeys(context.games, points)


def _preset(args: argparse.Namespace, context: Context) -> RankingConstants | None:
    return context.presets.get(getattr(args, "preset", None) or "")
