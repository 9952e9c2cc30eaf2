"""One poll for a command: sources, scanner and catalogue put together and taken down again."""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.facts import Status
from browser_app.commands.context import Context
from browser_app.commands.errors import BadInput
from browser_app.commands.output import say
from browser_app.commands.progress import follow
from browser_app.commands.sources import ReadSources, read_sources
from browser_app.engine.masters import MasterState
from browser_app.engine.pacing import PACES
from browser_app.engine.poll import start_poll
from browser_app.engine.progress import Progress
from browser_app.engine.scanner import Scanner
from browser_app.engine.sources import Sources
from browser_app.engine.web_masters import NEEDS_KEY
from browser_app.games.profile import RankingConstants
from browser_app.protocols.conversation import Want
from browser_app.storage.declared import COUNTRY
from browser_app.storage.session import Session
from browser_app.timings import mark


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
        self.catalogue.own_country = session.settings.get(COUNTRY).upper()
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


def own_skill(args: argparse.Namespace, context: Context, session: Session) -> Mapping[str, float]:
    """The user's skill by game: as given for all games, else as it is in the settings."""
    points: float | None = getattr(args, "skill", None)
    return session.own_skill() if points is None else dict.fromkeys(context.games, points)


def _preset(args: argparse.Namespace, context: Context) -> RankingConstants | None:
    return context.presets.get(getattr(args, "preset", None) or "")
