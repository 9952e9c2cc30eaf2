"""The parts of My skill below the window, in the order in which they need one another."""

import time
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Qt, Signal

from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.skill.folder_watch import FolderWatch
from browser_app.bridge.skill.given_player import introduce, recall, take_in
from browser_app.bridge.skill.imports import Imports
from browser_app.bridge.skill.panel import SkillPanel
from browser_app.bridge.skill.sources import SkillSources
from browser_app.bridge.skill.web_sources import REAL, Bases
from browser_app.bridge.turns import Turns
from browser_app.engine.secret_store import SteamKey
from browser_app.games.profile import GameProfile
from browser_app.player.given import GivenPlayer
from browser_app.player.identities import Identity, identities_of
from browser_app.player.sources import SourceKind, SourceState
from browser_app.storage.declared import MY_SKILL
from browser_app.storage.session import Session


class SkillRoom(QObject):
    """Owns rounds coming in, services asked and ratings calculated. Nothing is asked or read before `start`.

    Signals:
        ready: the record was looked at, and holds what it is to hold from the start.
    """

    ready = Signal()
    _taken_in = Signal()

    def __init__(
        self,
        session: Session,
        settings: LiveSettings,
        games: Mapping[str, GameProfile],
        typed: Callable[[], Mapping[str, float]],
        steam_key: SteamKey,
        given: GivenPlayer | None = None,
    ) -> None:
        """`typed`: the user's skill as it was given, by game; `steam_key` may block.

        `given`: who stands in the user's place; then nobody outside is asked.
        """
        super().__init__()
        self._session, self._given = session, given
        self._whole = given is None
        self._turns = Turns("given player")
        if given is not None:
            introduce(given, session.identities, session.kept, games)
        bases = REAL if given is None else Bases(given.services, given.services, invited=True)
        self.imports = Imports(session.rounds, session.column_maps)
        self.folders = FolderWatch(session.watched_folders, self.imports)
        self.sources = SkillSources(
            settings, session.identities, session.skill_samples, session.asked, steam_key, bases
        )
        self.panel = SkillPanel(
            session.database, session.kept, games, self.imports, self.identities, typed, self._games_own
        )
        self._taken_in.connect(self._look, Qt.ConnectionType.QueuedConnection)
        for looked in (self.panel.changed, self.panel.failed):
            looked.connect(self._looked)
        self.sources.changed.connect(self.panel.look_at_points)
        settings.changed.connect(lambda key: self.panel.look_at_points() if key == MY_SKILL.key else None)

    def start(self) -> None:
        """Bring back what was said before, look into the watched folders, and ask whom the user wants to be asked."""
        self.sources.start(self._recall if self._given is not None else None)
        self.folders.start()
        if self._given is not None:
            self._turns.run(self._take_in)

    def _recall(self) -> None:
        if self._given is not None:
            recall(self._given, self._session.skill_samples, time.time())

    def _take_in(self) -> None:
        if self._given is not None:
            take_in(self._given, self._session.rounds, time.time())
            self._taken_in.emit()

    def _look(self) -> None:
        self._whole = True
        self.panel.refresh()

    def _looked(self) -> None:
        if self._whole:
            self.ready.emit()

    def identities(self) -> tuple[Identity, ...]:
        """Who the user is, in all games."""
        return identities_of(self._session.identities)

    def states(self, game: str) -> tuple[SourceState, ...]:
        """How the sources of a game stand, its record first."""
        known = next((each for each in self.panel.games if each.id == game), None)
        shown = self.panel.shown
        record = SourceState(
            SourceKind.RECORD,
            game,
            on=True,
            read_at=shown.rated_at if shown is not None else None,
            rounds=known.rounds if known is not None else None,
            mine=known.mine if known is not None else None,
            folders=len(self.folders.folders),
        )
        return (record, *self.sources.states(game))

    def close(self) -> None:
        """End all of it; nothing is told any more."""
        self._taken_in.disconnect(self._look)
        self._turns.close()
        self.panel.close()
        self.folders.close()
        self.sources.close()
        self.imports.close()

    def _games_own(self, game: str) -> float | None:
        said = [state.points for state in self.sources.states(game) if state.kind is SourceKind.STEAM and state.on]
        return next((points for points in said if points is not None), None)
