"""The controller and popup for a second rating over the first."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QLineEdit, QListView, QVBoxLayout, QWidget

from browser_app.application.own_skill.skill_state import SkillState
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.player.own_history import OwnHistory
from browser_app.player.skill_sources import SkillSampleSeries
from browser_app.ui.skill.over_time.over_time_text import sampled_series_title
from browser_app.ui.skill.over_time.rating_curve import create_rating_curve, most_played_mode
from browser_app.ui.skill.over_time.rating_plot_data import RatingOverlay
from browser_app.ui.skill.rating_format import format_points, system_title
from browser_app.ui.skill.sources.skill_source_text import shares_scale
from browser_app.ui.widgets.basic_widgets import Button, ScrollBar
from browser_app.ui.widgets.box_layouts import fill_box
from browser_app.ui.widgets.form_fields import FramedEditor
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import plain_tool_tip

POPUP_WIDTH, POPUP_HEIGHT = 280, 360
_LINE_GAP = 3
_MAX_MATCHES = 200
"""Lines shown at a time; typing finds the others."""
_NAVIGATION_KEYS = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)


class OverlayOption(NamedTuple):
    """A choice in the popup: key, title and note."""

    key: str
    title: str
    note: str = ""

    @property
    def text(self) -> str:
        """Title and note."""
        return f"{self.title}, {self.note}" if self.note else self.title


class OverlayPopup(QFrame):
    """Popup with a search field and a list; Enter or a click chooses, Escape closes.

    Signals:
        option_chosen: the `OverlayOption`.
    """

    option_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setFrameShape(QFrame.Shape.Box)
        self._options: tuple[OverlayOption, ...] = ()
        self._matches: list[OverlayOption] = []
        self.search_edit = QLineEdit()
        self.search_edit.setPlaceholderText(_("System or player"))
        self.search_edit.setAccessibleName(_("Overlay"))
        self.search_edit.textEdited.connect(self._update_matches)
        self.search_edit.installEventFilter(self)
        self._list_model = QStringListModel(self)
        self.list_view = QListView()
        self.list_view.setModel(self._list_model)
        self.list_view.setFrameShape(QFrame.Shape.NoFrame)
        self.list_view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list_view.setUniformItemSizes(True)
        self.list_view.setSpacing(_LINE_GAP)
        self.list_view.setVerticalScrollBar(ScrollBar(theme))
        self.list_view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list_view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list_view.setAccessibleName(_("Available overlays"))
        self.list_view.clicked.connect(self._choose_index)
        fill_box(QVBoxLayout(self), FramedEditor(theme, self.search_edit, 32), self.list_view, margins=(8, 8, 8, 8))
        self.setFixedSize(POPUP_WIDTH, POPUP_HEIGHT)

    def open_at(self, position: QPoint, options: Sequence[OverlayOption]) -> None:
        """Open with the corner at a screen position."""
        self.search_edit.clear()
        self.show_options(options)
        self.move(position)
        self.show()
        self.search_edit.setFocus()

    def show_options(self, options: Sequence[OverlayOption]) -> None:
        """Replace the options and keep the search text."""
        self._options = tuple(options)
        self._update_matches(self.search_edit.text())

    def _update_matches(self, text: str) -> None:
        search_words = text.casefold().split()
        passing = (each for each in self._options if all(word in each.text.casefold() for word in search_words))
        self._matches = [option for _number, option in zip(range(_MAX_MATCHES), passing, strict=False)]
        self._list_model.setStringList([option.text for option in self._matches])
        self.list_view.setCurrentIndex(self._list_model.index(0))

    def _choose_index(self, index: QModelIndex) -> None:
        if index.isValid():
            self.close()
            self.option_chosen.emit(self._matches[index.row()])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Forward navigation keys from the search field to the list."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in _NAVIGATION_KEYS:
                self.list_view.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose_index(self.list_view.currentIndex())
                return True
        return super().eventFilter(watched, event)


_SYSTEM_OPTION, _PLAYER_OPTION, _MODE_OPTION, _SAMPLED_OPTION = "system", "player", "mode", "sampled"


class RatingOverlayController(QObject):
    """Button that opens the popup, or removes the current overlay.

    Signals:
        overlay_changed: `overlay` was set or removed.
    """

    overlay_changed = Signal()

    def __init__(self, theme: Theme, skill_model: SkillModel) -> None:
        self.button = Button(theme)
        super().__init__(self.button)
        self._skill_model = skill_model
        self._skill_state: SkillState | None = None
        self._mode: str | None = None
        self._player_options: tuple[OverlayOption, ...] = ()
        self._sampled_options: tuple[OverlayOption, ...] = ()
        self._requested: OverlayOption | None = None
        self.overlay: RatingOverlay | None = None
        self.popup = OverlayPopup(theme, self.button)
        self.popup.option_chosen.connect(self.choose)
        self.button.clicked.connect(self._on_button_clicked)
        self._update_button()

    def show_data(self, skill_state: SkillState | None, mode: str | None) -> None:
        """Show another history.

        Drop the overlay of another game or system, and load any other again.
        """
        before, self._skill_state, self._mode = self._skill_state, skill_state, mode
        if (
            skill_state is None
            or before is None
            or (before.game.id, before.system) != (skill_state.game.id, skill_state.system)
        ):
            self._player_options = self._sampled_options = ()
            self._requested = self.overlay = None
        elif self._requested is not None and before.history is not skill_state.history:
            self.choose(self._requested)
        self._update_button()

    def options(self) -> list[OverlayOption]:
        """Return the options known so far.

        Systems, separately rated modes, sampled values and players.
        """
        skill_state = self._skill_state
        if skill_state is None:
            return []
        systems = [
            OverlayOption(f"{_SYSTEM_OPTION}:{name}", system_title(name))
            for name in self._skill_model.systems
            if name != skill_state.system
        ]
        counts = np.bincount(
            skill_state.history.mode[skill_state.history.mode >= 0], minlength=len(skill_state.history.modes)
        )
        modes = [
            OverlayOption(f"{_MODE_OPTION}:{name}", _("Mode {mode}").format(mode=name), _round_count_text(int(count)))
            for name, count in zip(skill_state.history.modes, counts, strict=True)
            if self._mode is not None and name != self._mode and count
        ]
        return [*systems, *modes, *self._sampled_options, *self._player_options]

    def choose(self, option: OverlayOption) -> None:
        """Load an option's curve and overlay it."""
        self._requested = option
        kind, _colon, value = option.key.partition(":")
        if kind == _SYSTEM_OPTION:
            self._skill_model.queries.request_other_history(
                partial(self._apply_history, option, own_scale=True), system=value
            )
        elif kind == _PLAYER_OPTION:
            self._skill_model.queries.request_other_history(partial(self._apply_history, option), player=value)
        elif kind == _SAMPLED_OPTION:
            self._skill_model.load_service_histories(partial(self._apply_samples, option))
        elif self._skill_state is not None:
            self._apply_history(option, self._skill_state.history, mode=value)

    def remove_overlay(self) -> None:
        """Remove the overlay."""
        self._requested = self.overlay = None
        self._update_button()
        self.overlay_changed.emit()

    def _apply_history(
        self, option: OverlayOption, history: OwnHistory, *, own_scale: bool = False, mode: str | None = None
    ) -> None:
        if option is not self._requested:
            return
        if own_scale:  # that system may rate modes separately even if the shown one does not
            mode = most_played_mode(history)
        elif mode is None:
            mode = self._mode
        curve, title = create_rating_curve(history, mode), option.title
        if not len(curve):
            title = _("{name}, no rated rounds").format(name=title)
        elif own_scale:
            title = _("{name}, right scale").format(name=title)
        self._set_overlay(RatingOverlay(option.key, title, curve, own_scale, history))

    def _apply_samples(self, option: OverlayOption, series: Sequence[SkillSampleSeries]) -> None:
        curve = next((each for each in series if _sampled_key(each) == option.key), None)
        if option is not self._requested or curve is None or self._skill_state is None:
            return
        own_scale = self._skill_state.full_history or not shares_scale(curve.source, self._skill_state.system)
        words = _("{name}, sampled, right scale") if own_scale else _("{name}, sampled")
        self._set_overlay(RatingOverlay(option.key, words.format(name=option.title), curve, own_scale))

    def _set_overlay(self, overlay: RatingOverlay) -> None:
        self.overlay = overlay
        self._update_button()
        self.overlay_changed.emit()

    def refresh_samples(self) -> None:
        """Reload an overlay of sampled values, which may have grown."""
        if self._requested is not None and self._requested.key.startswith(f"{_SAMPLED_OPTION}:"):
            self._skill_model.load_service_histories(partial(self._apply_samples, self._requested))

    def _on_button_clicked(self) -> None:
        if self._requested is not None:
            self.remove_overlay()
            return
        self.popup.open_at(self.button.mapToGlobal(self.button.rect().bottomLeft()) + QPoint(0, 2), self.options())
        self._skill_model.load_service_histories(self._add_sampled_options)
        if not self._player_options:
            self._skill_model.queries.request_players(self._add_player_options)

    def _add_sampled_options(self, series: Sequence[SkillSampleSeries]) -> None:
        several = len({curve.identity for curve in series}) > 1
        self._sampled_options = tuple(
            OverlayOption(
                _sampled_key(each),
                sampled_series_title(each),
                each.identity if several else _sample_count_text(len(each)),
            )
            for each in series
        )
        self.popup.show_options(self.options())

    def _add_player_options(self, players: Sequence[tuple[str, str, int]]) -> None:
        own_id = self._skill_state.history.player if self._skill_state is not None else ""
        options = [
            OverlayOption(f"{_PLAYER_OPTION}:{id_}", name, _round_count_text(rounds))
            for id_, name, rounds in players
            if rounds and id_ != own_id
        ]
        self._player_options = tuple(options)
        self.popup.show_options(self.options())

    def _update_button(self) -> None:
        title = self._requested.title if self._requested is not None else _("Overlay…")
        self.button.set_icon("close" if self._requested is not None else "friend")
        self.button.setText(title)
        spoken = _("Remove {name}").format(name=title) if self._requested is not None else _("Overlay another rating")
        self.button.setAccessibleName(spoken)
        self.button.setToolTip(plain_tool_tip(spoken))
        self.button.setEnabled(self._skill_state is not None)
        self.button.updateGeometry()


def _sampled_key(curve: SkillSampleSeries) -> str:
    return f"{_SAMPLED_OPTION}:{curve.source}:{curve.identity}:{curve.mode}"


def _sample_count_text(count: int) -> str:
    return ngettext("{n} sample", "{n} samples", count).format(n=format_points(count))


def _round_count_text(count: int) -> str:
    return ngettext("{n} round", "{n} rounds", count).format(n=format_points(count))
