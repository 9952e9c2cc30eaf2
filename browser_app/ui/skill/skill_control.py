"""My skill joined: the view with its dialogs and with what it is calculated from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.background import Background
from browser_app.bridge.live_list import LiveList
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.skill.room import SkillRoom
from browser_app.games.profile import GameProfile
from browser_app.storage.identities import Identities
from browser_app.storage.kept import Kept
from browser_app.ui.skill.identity_control import IdentityControl, Seen
from browser_app.ui.skill.services import SkillServices
from browser_app.ui.skill.skill_view import SkillView
from browser_app.ui.skill.sources_control import SourcesControl
from browser_app.ui.theme import Theme


@dataclass(frozen=True)
class SkillParts:
    """What My skill is made of below the window."""

    room: SkillRoom
    live: LiveList
    games: Mapping[str, GameProfile]
    identities: Identities
    settings: LiveSettings
    background: Background
    kept: Kept


class SkillControl(QObject):
    """Owns the view, its dialogs, and what is known of the servers' games.

    Signals:
        told: news for the status line.
        list_wanted: id of a game whose servers are to be shown by their distance to the user's skill.
        known_changed: `known` may differ; what it is now.
    """

    told = Signal(str)
    list_wanted = Signal(str)
    known_changed = Signal(bool)

    def __init__(self, theme: Theme, parts: SkillParts) -> None:
        super().__init__()
        self._room = room = parts.room
        titles = {game: profile.name for game, profile in parts.games.items()}
        self.who = IdentityControl(
            theme, parts.identities, room.sources, parts.background, titles, parts.kept, self._ask_seen
        )
        self.origins = SourcesControl(
            theme, parts.settings, room.sources, room.folders, room.states, parts.background, titles, parts.kept
        )
        services = SkillServices(
            panel=room.panel,
            live=parts.live,
            games=parts.games,
            kept=parts.kept,
            identities=room.identities,
            sources=room.states,
            open_who=self.who.open,
            open_sources=self.origins.open,
            open_folders=self.origins.open_folders,
            open_log=self.origins.open_log,
        )
        self.view = SkillView(theme, services)
        self.outlooks = services.outlooks
        self.view.told.connect(self.told)
        self.view.list_wanted.connect(self.list_wanted)
        parts.live.running_changed.connect(lambda running: None if running else room.panel.open())
        room.panel.points_changed.connect(lambda: self.known_changed.emit(self.known))
        self.who.changed.connect(room.panel.refresh)
        self.who.changed.connect(self.view.show_identities)
        for changed in (room.sources.changed, room.folders.changed):
            changed.connect(self.view.show_sources)
        self.origins.import_wanted.connect(self.view.choose_files)
        self.origins.who_wanted.connect(self.view.open_who)

    @property
    def known(self) -> bool:
        """The list goes by the user's skill in some game."""
        return bool(self._room.panel.points_for_list())

    def _ask_seen(self, game: str, then: Callable[[Seen], object]) -> None:
        """Who is in a record: known of the game that is shown."""
        if game == self._room.panel.game:
            self._room.panel.players(then)
