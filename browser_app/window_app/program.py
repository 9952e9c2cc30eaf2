"""The window program: a window and the parts behind it, from the opening to the end."""

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QApplication

from browser_app.bridge.settings_effects import Effects, SettingsEffects, own_country
from browser_app.bridge.sleep_watch import SleepWatch
from browser_app.bridge.storage_watch import StorageWatch
from browser_app.bridge.update_check import UpdateCheck
from browser_app.commands.context import Context
from browser_app.commands.sources import sources_of_settings
from browser_app.engine.sources import Sources
from browser_app.language import gettext as _
from browser_app.paths import resources, user_paths
from browser_app.storage.declared import (
    COUNTRY,
    FORECAST_COUNTS,
    GAMES,
    HISTORY_MB,
    LANGUAGE,
    OWN_VERSIONS,
    PLAY_FILTER,
    PRESET,
    SCAN_AT_START,
    THEME,
)
from browser_app.storage.settings import Settings
from browser_app.ui.spoken_language import speak
from browser_app.ui.texts import age_text
from browser_app.ui.theme import Theme
from browser_app.ui.window import MainWindow
from browser_app.ui.window_stand import WindowStand, take_up
from browser_app.window_app.parts import Parts
from browser_app.window_app.renewal import Renewal
from browser_app.window_app.services import services_of


class WindowProgram(Parts):
    """The window and everything behind it."""

    def __init__(self, args: argparse.Namespace, context: Context, app: QApplication, theme: str | None = None) -> None:
        """Put the parts together; nothing is asked yet.

        Raises:
            BadInput: a source is wrong.
        """
        # First of all, since what is wrong with the settings is told in the language that they name.
        speak(app, resources() / "languages", Settings(user_paths().settings).get(LANGUAGE))
        super().__init__(args, context)
        self._profile_problem = context.profile_problem
        try:
            self._join_settings(context)
            self.theme = Theme(app, theme or self.session.settings.get(THEME))
            self._make_window()
        except BaseException:
            self.ends.close()
            raise

    def _make_window(self) -> None:
        self.window = MainWindow(self.theme, services_of(self))
        self.renewal = Renewal(self.settings, self.window, self._is_busy)
        self._watch = self.ended(StorageWatch(self.session.database))
        self._watch.changed.connect(self._tell_storage)
        self.sleep = self.ended(SleepWatch())
        self.sleep.woke.connect(self._wake)
        self.updates = self.ended(UpdateCheck(self.settings, self.session.kept, self.background))
        self.updates.changed.connect(self._show_lasting)
        self.updates.failed.connect(
            lambda why: self.window.status.tell(
                _("Whether there is a newer version is not known: {why}").format(why=why)
            )
        )
        self.ends.callback(self.window.close)
        self.ends.callback(self.known.close)

    def _is_busy(self) -> bool:
        """A server is being chosen or joined, or rounds are being taken in."""
        return self.window.joining.uses_bar or self.bridge.running or self.skill.imports.running

    def _join_settings(self, context: Context) -> None:
        def rate() -> None:
            self.scoring.renew()
            self.catalogue.forecast_counts = self.settings.get(FORECAST_COUNTS)
            self.live.rescore()

        def place() -> None:
            self.catalogue.own_country = own_country(self.settings)
            self.live.rescore()

        effects: Effects = {
            PRESET.key: rate,
            FORECAST_COUNTS.key: rate,
            HISTORY_MB.key: self.sampling.do_chores,
            COUNTRY.key: place,
            # What Play Now would choose is shown, and worked out after each scoring.
            PLAY_FILTER.key: self.live.rescore,
            OWN_VERSIONS.key: self.live.rescore,
            GAMES.key: self.live.rescore,
        }
        self.skill.panel.points_changed.connect(rate)
        self.catalogue.own_country = own_country(self.settings)
        of_settings = self.asking.sources.of_settings
        read = partial(sources_of_settings, context, self.session.settings) if of_settings else None
        self._effects = SettingsEffects(self.settings, self.background, effects, read)
        self._effects.sources_read.connect(self._take_sources)

    def _take_sources(self, sources: Sources, problems: Sequence[str]) -> None:
        before = set(self.asking.sources.sources.masters)
        self.asking.sources = replace(self.asking.sources, sources=sources, problems=problems)
        self.window.servers.show_games(self.shown_games.now())
        self._show_lasting()
        if set(sources.masters) - before:
            self.live.stop()  # what is asked now does not know of the new ones
            self.window.asking.refresh_soon()

    def problems(self) -> list[str]:
        """What the user should be told about settings and lists, one line each."""
        return [*filter(None, [self._profile_problem]), *self.session.problems, *self.asking.sources.problems]

    def open(self, stand: WindowStand | None = None) -> None:
        """Show the window, bring the remembered rows back, and ask everybody; with a stand, go on there."""
        self.own_lists.add_favourites()
        self.known.failed.connect(
            lambda why: self.window.status.show_message(
                _("The list from last time cannot be read: {why}").format(why=why)
            )
        )
        self.window.servers.show_games(self.shown_games.now())
        self.known.bring_back()
        self.sampling.start()
        self.skill.start()
        self.window.servers.panels.welcome()
        if self.window.servers.panels.welcoming and not self.demo:  # a demo asks nobody outside this machine
            self.window.exchange.look(self.window.servers.first_run.show_found)
        self.window.show()
        if stand is not None:
            self.known.brought_back.connect(lambda: take_up(self.window, stand))
        if self.session.settings.get(SCAN_AT_START):
            self.live.refresh()
        self._show_lasting()
        if not self.demo:
            self.updates.start()

    def open_again(self, urls: Sequence[str], activation_token: str) -> None:
        """Another start was to open these: the window comes to the front and shows them."""
        if activation_token:
            os.environ["XDG_ACTIVATION_TOKEN"] = activation_token  # Qt hands it to the compositor
        self.window.come_to_front()
        self.window.links.open(urls)

    def _wake(self, slept_s: float) -> None:
        """The list stays as it was, and is asked anew, unless a game runs or the user asks by hand only."""
        self.live.stop()  # what was on its way is lost
        words = _("The computer slept for {time}: the list is from before that, and asked anew")
        if self.live.paused or not self.settings.get(SCAN_AT_START):
            words = _("The computer slept for {time}: the list is from before that")
        else:
            self.window.asking.refresh_soon()
        self.window.status.tell(words.format(time=age_text(slept_s)))

    def _tell_storage(self, problem: str) -> None:
        if problem:
            self.window.status.show_message(problem, warning=True)
        else:
            self._show_lasting()
            self.window.status.tell(_("Saving works again"))

    def _show_lasting(self) -> None:
        problems = self.problems()
        told = [*problems, *filter(None, [self.updates.news])]
        self.window.status.show_message(" · ".join(told), warning=bool(problems))
