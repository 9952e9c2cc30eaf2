"""The step that asks for the user's skill."""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtGui import QIntValidator, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from browser_app.language import gettext as _
from browser_app.ui.first_run.first_run_step import FirstRunStep
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.form_fields import FramedEditor
from browser_app.ui.widgets.page_elements import create_wrapping_label
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import join_sentences, list_text, thousands_text

_FIELD_WIDTH, _FIELD_HEIGHT = 90, 28
_MAX_POINTS = 9_999


class SkillGame(NamedTuple):
    """A game in which the skill counts."""

    name: str
    read_scale: Callable[[], str] | None = None
    """Returns what numbers mean there, None if that is unknown; it loads the rating systems."""


class SkillStep(FirstRunStep):
    """A number for each game whose servers report the skill of their players.

    Signals:
        skill_entered: game id and points.
        record_requested: the user wants to import rounds in My Skill.
    """

    skill_entered = Signal(str, float)
    record_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "gauge", _("How good are you?"), _("Save"))
        self._theme = theme
        self.fields: dict[str, QLineEdit] = {}
        """By game id."""
        self._frames: dict[str, FramedEditor] = {}
        self._labels: dict[str, Label] = {}
        self.scale_labels: dict[str, Label] = {}
        self._scales_to_read: dict[str, Callable[[], str]] = {}
        self._field_row = QHBoxLayout()
        self.record_button = Button(theme, _("Use my rounds…"))
        self.record_button.clicked.connect(self.record_requested)
        self.button_row.insertWidget(1, self.record_button)
        self.content_layout.addLayout(fill_box(QHBoxLayout(), self._field_row, Stretch()))
        self.action_button.clicked.connect(self._save)
        self.next_button.setText(_("Done"))

    def focus_widgets(self) -> Sequence[QWidget]:
        """Return the controls in tab order."""
        return (*self._frames.values(), self.action_button, self.record_button, self.next_button)

    def show_games(self, games: Mapping[str, SkillGame]) -> None:
        """Ask for a number in these games, by id; fields of others are hidden."""
        for game, each in games.items():
            if game not in self.fields:
                self._add_field(game, each)
        if self.isVisible():
            self._read_scales()
        for game in self.fields:
            for widget in (self._labels[game], self._frames[game]):
                widget.setVisible(game in games)
            self.scale_labels[game].setVisible(game in games and games[game].read_scale is not None)
        self.action_button.setVisible(bool(games))
        self._update_button()

    def _add_field(self, game: str, shown: SkillGame) -> None:
        field = self.fields[game] = QLineEdit()
        field.setValidator(QIntValidator(0, _MAX_POINTS, field))
        field.setAccessibleName(_("Your skill in {game}").format(game=shown.name))
        field.textChanged.connect(self._update_button)
        field.returnPressed.connect(self._save)
        frame = self._frames[game] = FramedEditor(self._theme, field, _FIELD_HEIGHT)
        frame.setFixedWidth(_FIELD_WIDTH)
        label = self._labels[game] = Label(self._theme, shown.name)
        self._field_row.addWidget(label)
        self._field_row.addWidget(frame)
        self.scale_labels[game] = create_wrapping_label(self._theme)
        self.content_layout.addWidget(self.scale_labels[game])
        if shown.read_scale is not None:
            self._scales_to_read[game] = shown.read_scale

    def showEvent(self, event: QShowEvent) -> None:
        """Read the scales, which the first paint does not wait for."""
        super().showEvent(event)
        self._read_scales()

    def _read_scales(self) -> None:
        while self._scales_to_read:
            game, read_scale = self._scales_to_read.popitem()
            self.scale_labels[game].setText(read_scale())
            self.fields[game].setAccessibleDescription(self.scale_labels[game].text())

    def show_known(self, games: Sequence[str], round_places: Sequence[str]) -> None:
        """Show in which games the skill is known.

        `round_places` are sentences, each with a folder of round files.
        """
        if games:
            known = _("Known in {games}: servers with players of similar skill rank higher there.")
            text = known.format(games=list_text(games))
        elif self._shown_fields():
            text = _("A number is enough: servers with players of similar skill then rank higher.")
        else:
            text = _("Servers of these games do not report skill. My Skill rates you by your own rounds.")
        self.reason_label.setText(reduce(join_sentences, round_places, text))

    def _update_button(self) -> None:
        self.action_button.setEnabled(any(field.hasAcceptableInput() for _game, field in self._shown_fields()))

    def _shown_fields(self) -> Sequence[tuple[str, QLineEdit]]:
        return [(game, field) for game, field in self.fields.items() if not self._frames[game].isHidden()]

    def _save(self) -> None:
        for game, field in self._shown_fields():
            if field.hasAcceptableInput():
                self.skill_entered.emit(game, float(field.text()))
        self.finished.emit()


def ns2_scale_text() -> str:
    """Return the tiers of Natural Selection 2 with their highest points."""
    from browser_app.player.ns2_tiers import SKILL_TIERS

    tiers = [
        _(tier.name)
        if tier.up_to is None
        else _("{tier} up to {points}").format(tier=_(tier.name), points=thousands_text(round(tier.up_to)))
        for tier in SKILL_TIERS
    ]
    return _("Tiers in the game: {tiers}").format(tiers=", ".join(tiers))
