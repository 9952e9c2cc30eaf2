"""Controller of the first run: what its steps show and change."""

import os
import sys
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from browser_app.application.round_imports.round_files import ROUND_FILE_WRITERS, suggested_folders
from browser_app.language import gettext as _
from browser_app.storage.setting_declarations import OWN_SKILL, PLAYED_GAMES
from browser_app.ui.first_run.first_run_panel import FirstRunPanel
from browser_app.ui.first_run.first_run_step import FavouritesStep, SteamKeyStep
from browser_app.ui.first_run.games_step import GamesStep
from browser_app.ui.first_run.skill_step import SkillStep
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import abbreviated_path
from browser_app.ui.window_services import WindowServices

_DONE_KEY = "welcomed"
"""UI state key: the first run is over."""


class FirstRunController(QObject):
    """Fills the steps and applies what the user chooses in them."""

    def __init__(self, theme: Theme, services: WindowServices) -> None:
        super().__init__()
        self._services, self._games = services, services.games
        self.games_step = GamesStep(theme, services.games)
        self.favourites_step = FavouritesStep(theme)
        self.key_step = SteamKeyStep(theme)
        self.skill_step = SkillStep(theme)
        self.panel = FirstRunPanel(theme, (self.games_step, self.favourites_step, self.key_step, self.skill_step))
        self.panel.hide()
        self.panel.closed.connect(self._end)
        self.games_step.games_chosen.connect(self._set_played_games)
        self.skill_step.skill_entered.connect(self._set_skill)
        services.server_list.rescored.connect(self._show_installed_games)
        self._skilled_games: Sequence[str] = ()
        self._system = sys.platform, Path.home(), os.environ
        self._found_folders: Sequence[Path] = ()
        self._update_skill_step()

    def show_if_first(self) -> bool:
        """Show the steps if they were never closed; return whether they are shown."""
        is_first = self._services.storage.ui_state.get(_DONE_KEY) is None
        if is_first:
            self.open()
        return is_first

    def open(self) -> None:
        """Show the steps from the first one."""
        self._show_installed_games()
        if chosen := self._services.settings.get(PLAYED_GAMES):
            self.games_step.show_choice(chosen)
        self._services.background.run(partial(suggested_folders, *self._system), self._show_round_folders)
        self.panel.restart()

    def show_own_skill(self, games: Sequence[str]) -> None:
        """Show the names of the games in which the user's skill is known."""
        self._skilled_games = games
        self._update_skill_step()

    def _end(self) -> None:
        self.panel.hide()
        self._services.storage.ui_state.set(_DONE_KEY, True)

    def _show_installed_games(self) -> None:
        installed = self._services.server_list.catalogue.installed_games
        chosen = self._services.settings.get(PLAYED_GAMES)
        self.games_step.show_installed(installed, chosen)

    def _set_played_games(self, games: Sequence[str]) -> None:
        settings = self._services.settings
        without_profile = [game for game in settings.get(PLAYED_GAMES) if game not in self._games]
        settings.set(PLAYED_GAMES, (*games, *without_profile))
        self._update_skill_step()
        self.games_step.finished.emit()

    def _set_skill(self, game: str, points: float) -> None:
        known = self._services.settings.get(OWN_SKILL)
        self._services.settings.set(OWN_SKILL, {**known, game: points})

    def _update_skill_step(self) -> None:
        chosen = self._services.settings.get(PLAYED_GAMES)
        played = chosen or tuple(self._games)
        profiles = [self._games[game] for game in played if game in self._games]
        self.skill_step.show_games([profile for profile in profiles if profile.reports_skill])
        self.skill_step.show_known(self._skilled_games, list(self._round_places(chosen)))

    def _round_places(self, chosen: Collection[str]) -> Iterator[str]:
        """Yield where round files of the chosen games are.

        While no game is chosen, those that need no server of the user's.
        """
        for writer in ROUND_FILE_WRITERS:
            if writer.game in chosen or not (chosen or writer.is_server):
                folders = writer.folders(*self._system)
                folder = next((each for each in folders if each in self._found_folders), folders[0])
                yield _(writer.text).format(folder=abbreviated_path(folder))

    def _show_round_folders(self, found: Sequence[Path]) -> None:
        self._found_folders = found
        self._update_skill_step()
