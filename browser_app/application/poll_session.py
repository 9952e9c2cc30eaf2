"""Polling sessions of the command line and queries of the window."""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from browser_app.application.app_context import AppContext
from browser_app.application.source_selection import SelectedSources, select_sources
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryStatus, QueryTarget
from browser_app.commands.output.terminal_output import print_note, wait_for_poll
from browser_app.engine.masters.lan_discovery import make_lan_master
from browser_app.engine.masters.master_poll import MasterState
from browser_app.engine.masters.master_types import LanMaster
from browser_app.engine.masters.query_sources import QuerySources
from browser_app.engine.masters.web_masters import NEEDS_STEAM_KEY_TEXT
from browser_app.engine.query.query_timing import PACES, Pace
from browser_app.engine.query.scan import Scan, ScanProgress
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import ServerPoll, start_poll
from browser_app.exit_status import UsageError
from browser_app.games.game_profile import RankingConstants
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.query_session import QueryParts
from browser_app.startup_timing import mark_startup
from browser_app.storage.setting_declarations import OWN_COUNTRY, SCAN_PACE
from browser_app.storage.user_session import UserSession

_LOOPBACK_BROADCAST = "127.255.255.255"


class QueryService:
    """Asks by one scanner. `selected` may change between two polls."""

    def __init__(
        self, session: UserSession, selected: SelectedSources, scanner: Scanner, games: GameRegistry, *, demo: bool
    ) -> None:
        self.selected = selected
        self._session, self._scanner, self._games, self._demo = session, scanner, games, demo

    def pace(self) -> Pace:
        """The user's."""
        return PACES[self._session.settings.get(SCAN_PACE)]

    def start_poll(self, known: Sequence[QueryTarget]) -> ServerPoll:
        """Ask all sources, and the servers that are known already."""
        return start_poll(self._scanner, self.selected.sources, pace=self.pace(), steam_key=self.steam_key, known=known)

    def query_server(self, target: QueryTarget) -> Scan:
        """Ask one server everything, at once."""
        scan = self._scanner.scan([target], pace=PACES["normal"], parts=QueryParts.ALL, urgent=True)
        scan.seal()
        return scan

    def lan_source(self) -> LanMaster:
        """The local network; with the demo network only this machine, where all of that is."""
        master = make_lan_master(self._games.values())
        return replace(master, broadcasts=(_LOOPBACK_BROADCAST,)) if self._demo else master

    def steam_key(self) -> str | None:
        """The demo network's key or the user's; may block."""
        return (self.selected.steam_key or self._session.secrets.steam_key)()


@dataclass(frozen=True)
class PollResult:
    """What a poll brought; the catalogue is scored."""

    catalogue: Catalogue
    masters: Sequence[MasterState]
    progress: ScanProgress

    @property
    def has_answers(self) -> bool:
        """A master gave a list, or a server said something. A file's servers must speak for themselves."""
        said_something = np.isin(self.catalogue.status, (QueryStatus.OK, QueryStatus.MALFORMED))
        listed = any(m.ok and not (m.url.startswith("file:") and m.servers) for m in self.masters)
        return listed or bool(said_something.any())


def no_answer_text(masters: Sequence[MasterState]) -> str:
    """What to try when there is exit status 3."""
    errors = [master.error or "" for master in masters]
    if errors and all(NEEDS_STEAM_KEY_TEXT in error for error in errors):
        return (
            "ready-room: Valve gives this list only with a free Web API key (https://steamcommunity.com/dev/apikey):"
            " set READY_ROOM_STEAM_KEY, or name servers with --server"
        )
    return "ready-room: no master or server answered; check the network, the address and the firewall, or try --demo"


def print_master_errors(masters: Sequence[MasterState]) -> None:
    """What went wrong with each master, a line each."""
    for master in masters:
        if master.error:
            print_note(f"{master.url.removesuffix(':')}: {master.error}")


class PollSession:
    """Polls the sources of a command line into one catalogue, as often as wanted."""

    def __init__(
        self,
        context: AppContext,
        session: UserSession,
        sources: SelectedSources,
        scanner: Scanner,
        args: argparse.Namespace,
    ) -> None:
        self.scanner = scanner
        self.catalogue = Catalogue(context.games)
        self.catalogue.own_country = session.settings.get(OWN_COUNTRY).upper()
        self.catalogue.set_user_lists(session.user_lists(time.time()))
        self.pace = PACES[getattr(args, "timing", "normal")]
        self.own_skill = own_skill_by_game(args, context, session)
        self.preset = _preset(args, context)
        self.sources = sources.sources
        self.steam_key = sources.steam_key or session.secrets.steam_key

    def poll(self, parts: QueryParts = QueryParts.INFO, sources: QuerySources | None = None) -> PollResult:
        """Ask all sources once, or others than those of the command line.

        Raises:
            BadInput: the pace is for servers on this machine, and not all are.
        """
        sources = sources or self.sources
        try:
            poll = start_poll(self.scanner, sources, pace=self.pace, parts=parts, steam_key=self.steam_key)
        except ValueError as error:
            raise UsageError(f"--{error}") from None  # "pace unlimited: …"
        answers = poll.scan.results

        def drain() -> None:
            if answers and not len(self.catalogue):
                mark_startup("first_answer")
            self.catalogue.merge([answers.popleft() for _ in range(len(answers))])

        wait_for_poll(poll, drain)
        if poll.refusal_reason:
            raise UsageError(f"--{poll.refusal_reason}")
        mark_startup("scan_done")
        self.rescore()
        return PollResult(self.catalogue, poll.master_states, poll.progress)

    def rescore(self) -> None:
        """Score everything anew."""
        self.catalogue.rescore(self.own_skill, self.preset)


@contextmanager
def open_poll_session(args: argparse.Namespace, context: AppContext, session: UserSession) -> Iterator[PollSession]:
    """Everything that polling needs, as long as it is needed.

    Raises:
        BadInput: a source or a setting is wrong.
    """
    if session.settings.problems:
        raise UsageError("\nready-room: ".join(session.settings.problems))
    for notice in session.problems:
        print_note(f"ready-room: {notice}")
    with select_sources(args, context, session) as sources, Scanner(context.games) as scanner:
        if sources.problems:
            raise UsageError("\nready-room: ".join(sources.problems))
        yield PollSession(context, session, sources, scanner, args)


def own_skill_by_game(args: argparse.Namespace, context: AppContext, session: UserSession) -> Mapping[str, float]:
    """The user's skill by game: as given for all games, else as it is in the settings."""
    points: float | None = getattr(args, "skill", None)
    return session.own_skill() if points is None else dict.fromkeys(context.games, points)


def _preset(args: argparse.Namespace, context: AppContext) -> RankingConstants | None:
    return context.presets.get(getattr(args, "preset", None) or "")
