"""Whom the window asks, and how: all sources, one server, the local network."""

from collections.abc import Sequence
from dataclasses import replace

from browser_app.catalogue.facts import Target
from browser_app.commands.sources import ReadSources
from browser_app.engine.lan import lan_master
from browser_app.engine.master_source import LanMaster
from browser_app.engine.pacing import PACES, Pace
from browser_app.engine.poll import Poll, start_poll
from browser_app.engine.scan import Scan
from browser_app.engine.scanner import Scanner
from browser_app.games.games import Games
from browser_app.protocols.conversation import Want
from browser_app.storage.declared import PACE
from browser_app.storage.session import Session

_HOME_BROADCAST = "127.255.255.255"


class Asking:
    """Asks by one scanner. `sources` may change between two polls."""

    def __init__(self, session: Session, sources: ReadSources, scanner: Scanner, games: Games, *, demo: bool) -> None:
        self.sources = sources
        self._session, self._scanner, self._games, self._demo = session, scanner, games, demo

    def pace(self) -> Pace:
        """The user's."""
        return PACES[self._session.settings.get(PACE)]

    def poll(self, known: Sequence[Target]) -> Poll:
        """Ask all sources, and the servers that are known already."""
        return start_poll(self._scanner, self.sources.sources, pace=self.pace(), steam_key=self.steam_key, known=known)

    def ask(self, target: Target) -> Scan:
        """Ask one server everything, at once."""
        scan = self._scanner.scan([target], pace=PACES["normal"], want=Want.ALL, urgent=True)
        scan.seal()
        return scan

    def lan_source(self) -> LanMaster:
        """The local network; with the demo network only this machine, where all of that is."""
        master = lan_master(self._games.values())
        return replace(master, broadcasts=(_HOME_BROADCAST,)) if self._demo else master

    def steam_key(self) -> str | None:
        """The demo network's key or the user's; may block."""
        return (self.sources.steam_key or self._session.secrets.steam_key)()
