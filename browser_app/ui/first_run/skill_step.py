"""The step that asks for the user's skill."""

from collections.abc import Collection, Sequence
from functools import reduce

from PySide6.QtCore import Signal
from PySide6.QtGui import QIntValidator, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from browser_app.games.game_profile import GameProfile
from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.ui.first_run.first_run_step import FirstRunStep
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.form_fields import FramedEditor
from browser_app.ui.widgets.page_elements import create_wrapping_label
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import join_sentences, list_text

_FIELD_WIDTH, _FIELD_HEIGHT = 90, 28
_MAX_POINTS = 9_999


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
        self._unread_scales: dict[str, str] = {}
        """Rating systems by game id."""
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

    def show_games(self, profiles: Collection[GameProfile]) -> None:
        """Ask for a number in these games; fields of others are hidden."""
        for profile in profiles:
            if profile.id not in self.fields:
                self._add_field(profile)
        shown = {profile.id for profile in profiles}
        for game in self.fields:
            for widget in (self._labels[game], self._frames[game]):
                widget.setVisible(game in shown)
        if self.isVisible():
            self._show_scales()
        self.action_button.setVisible(bool(profiles))
        self._update_button()

    def _add_field(self, profile: GameProfile) -> None:
        game = profile.id
        field = self.fields[game] = QLineEdit()
        field.setValidator(QIntValidator(0, _MAX_POINTS, field))
        field.setAccessibleName(_("Your skill in {game}").format(game=profile.name))
        field.textChanged.connect(self._update_button)
        field.returnPressed.connect(self._save)
        frame = self._frames[game] = FramedEditor(self._theme, field, _FIELD_HEIGHT)
        frame.setFixedWidth(_FIELD_WIDTH)
        label = self._labels[game] = Label(self._theme, profile.name)
        self._field_row.addWidget(label)
        self._field_row.addWidget(frame)
        self.scale_labels[game] = create_wrapping_label(self._theme)
        self.content_layout.addWidget(self.scale_labels[game])
        self._unread_scales[game] = profile.rating_system

    def showEvent(self, event: QShowEvent) -> None:
        """Read the scales, which the first paint does not wait for."""
        super().showEvent(event)
        self._show_scales()

    def _show_scales(self) -> None:
        while self._unread_scales:
            game, system = self._unread_scales.popitem()
            self.scale_labels[game].setText(_tiers_text(system))
            self.fields[game].setAccessibleDescription(self.scale_labels[game].text())
        for game, label in self.scale_labels.items():
            label.setHidden(self._frames[game].isHidden() or not label.text())

    def show_known(self, games: Sequence[str], round_places: Sequence[str]) -> None:
        """Show in which games the skill is known.

        `round_places` are sentences, each with a folder of round files.
        """
        if games:
            known = _("Your skill in {games} is known: servers with players of similar skill rank higher there.")
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


def _tiers_text(system: str) -> str:
    """Return the tiers of a rating system with their highest points.

    Empty if it has none.
    """
    from browser_app.player.ns2_tiers import SKILL_TIERS
    from browser_app.rating.system_registry import RATING_SYSTEMS

    declared = RATING_SYSTEMS.get(system)  # a profile of the user's may name an unknown one
    if declared is None or not declared.has_tiers:
        return ""
    tiers = [
        _(tier.name)
        if tier.up_to is None
        else _("{tier} up to {points}").format(tier=_(tier.name), points=integer_text(tier.up_to))
        for tier in SKILL_TIERS
    ]
    return _("Tiers in the game: {tiers}.").format(tiers=", ".join(tiers))
