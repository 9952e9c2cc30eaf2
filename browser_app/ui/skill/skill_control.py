"""My skill joined: the view with its dialogs and with what it is calculated from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.background import Background
from browser_app.bridge.live_list import LiveList
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.skill.room import SkillRoom
from browser_app.games.profile import GameProfile
from browser_app.storage.identities import Identities
from browser_app.storage.kept import Kept
from browser_app.ui.skill.ahead import LoadedAhead
from browser_app.ui.skill.fair.expected_change import ExpectedChange
from browser_app.ui.skill.services import SkillServices
from browser_app.ui.theme import Theme

if TYPE_CHECKING:
    from browser_app.ui.skill.fair.expected_control import ExpectedControl
    from browser_app.ui.skill.identity_control import IdentityControl, Seen
    from browser_app.ui.skill.skill_view import SkillView
    from browser_app.ui.skill.sources_control import SourcesControl


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

    Each is made, and its code loaded, when it is first wanted: the window paints before that.

    Signals:
        told: news for the status line.
        list_wanted: id of a game whose servers are to be shown by their distance to the user's skill.
        known_changed: `known` may differ; what it is now.
    """

    told = Signal(str)
    list_wanted = Signal(str)
    known_changed = Signal(bool)

    def __init__(self, theme: Theme, parts: SkillParts, expected: ExpectedChange) -> None:
        """`expected`: shows what a game on the selected server would change."""
        super().__init__()
        self._theme, self._parts, self._room, self._expected = theme, parts, parts.room, expected
        self._panel = panel = parts.room.panel
        self._titles = {game: profile.name for game, profile in parts.games.items()}
        self._server = -1
        self._inspecting: ExpectedControl | None = None
        self._problems: list[str] = []
        self._ahead = LoadedAhead()
        parts.live.running_changed.connect(lambda running: None if running else panel.open())
        panel.points_changed.connect(lambda: self.known_changed.emit(self.known))
        panel.changed.connect(lambda: self._inspect() if panel.game else None)
        panel.told.connect(self.told)
        panel.failed.connect(self._keep_problem)

    @cached_property
    def _services(self) -> SkillServices:
        parts = self._parts
        return SkillServices(
            panel=self._panel,
            live=parts.live,
            games=parts.games,
            kept=parts.kept,
            identities=self._room.identities,
            sources=self._room.states,
            open_who=self.who.open,
            open_sources=self.origins.open,
            open_folders=self.origins.open_folders,
            open_log=self.origins.open_log,
        )

    @cached_property
    def view(self) -> "SkillView":
        """The view; what went wrong before there was one stands in it."""
        from browser_app.ui.skill.column_map_control import ColumnMapControl
        from browser_app.ui.skill.skill_view import SkillView

        self._inspect()
        view = SkillView(self._theme, self._services)
        ColumnMapControl(self._theme, self._panel, self._parts.kept, view).left.connect(view.problems.add)
        self._panel.changed.connect(self._load_ahead)
        self._load_ahead()
        self._panel.told.disconnect(self.told)
        self._panel.failed.disconnect(self._keep_problem)
        for words in self._problems:
            view.problems.add(words)
        view.told.connect(self.told)
        view.list_wanted.connect(self.list_wanted)
        for changed in (self._room.sources.changed, self._room.folders.changed):
            changed.connect(view.show_sources)
        self._room.folders.changed.connect(lambda: view.waiting.show_tables(self._room.folders.waiting))
        self.who.changed.connect(view.show_identities)
        self.origins.import_wanted.connect(view.choose_files)
        self.origins.tables_wanted.connect(self._panel.import_paths)
        self.origins.who_wanted.connect(view.open_who)
        return view

    @cached_property
    def who(self) -> "IdentityControl":
        """Asks who the user is."""
        from browser_app.ui.skill.identity_control import IdentityControl

        parts = self._parts
        who = IdentityControl(
            self._theme,
            parts.identities,
            self._room.sources,
            parts.background,
            self._titles,
            parts.kept,
            self._ask_seen,
        )
        who.changed.connect(self._panel.refresh)
        return who

    @cached_property
    def origins(self) -> "SourcesControl":
        """Asks what the skill is to come from."""
        from browser_app.ui.skill.sources_control import SourcesControl

        parts, room = self._parts, self._room
        return SourcesControl(
            self._theme,
            parts.settings,
            room.sources,
            room.folders,
            room.imports,
            room.states,
            parts.background,
            self._titles,
            parts.kept,
        )

    @property
    def known(self) -> bool:
        """The list goes by the user's skill in some game."""
        return bool(self._panel.points_for_list())

    def select(self, server: int) -> None:
        """Turn to a server of the list, -1 for none."""
        self._server = server
        if self._inspecting is not None:
            self._services.outlooks.select(server)

    def close(self) -> None:
        """Work nothing out any more."""
        self._ahead.close()
        if self._inspecting is not None:
            self._inspecting.close()

    def _load_ahead(self) -> None:
        """The view was opened and has something to show: its pages will be wanted."""
        if self._panel.shown is not None:
            self._ahead.begin()

    def _inspect(self) -> None:
        """From now on tell what a game on the selected server would change."""
        if self._inspecting is None:
            from browser_app.ui.skill.fair.expected_control import ExpectedControl

            outlooks = self._services.outlooks
            self._inspecting = ExpectedControl(self._expected, self._parts.live, outlooks)
            outlooks.select(self._server)

    def _keep_problem(self, words: str) -> None:
        self._problems.append(words)
        self.told.emit(words)

    def _ask_seen(self, game: str, then: "Callable[[Seen], object]") -> None:
        """Who is in a record: known of the game that is shown."""
        if game == self._panel.game:
            self._panel.players(then)
