"""The fields in which settings are edited: one function a kind of setting, one row in `EDITORS`."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QTimer
from PySide6.QtWidgets import QAbstractSpinBox, QCheckBox, QComboBox, QDoubleSpinBox, QLineEdit, QPlainTextEdit, QWidget

from browser_app.language import gettext as _
from browser_app.storage.setting import Kind, Setting
from browser_app.ui.dialogs.settings_games import edit_game_table, edit_games

_PAUSE_MS = 400
"""So long after the last key what was written holds."""
_LINES = 3
_SHORT = 12
"""Characters of a choice that are seen however little room there is."""


class Editor(NamedTuple):
    """A field, and how to have it show a value."""

    widget: QWidget
    show: Callable[[Any], None]


Put = Callable[[Any], None]
Games = Mapping[str, str]
"""Names by id."""


class _NoWheel(QObject):
    """A wheel over a field scrolls the page; only the field that has the focus takes it."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def make_editor(setting: Setting[Any], games: Games, put: Put) -> Editor:
    """The field for a setting; `put` is called with each value that the user gives it, whether it fits or not."""
    editor = EDITORS[setting.kind](setting, games, put)
    editor.widget.setAccessibleName(_(setting.label))
    editor.widget.setAccessibleDescription(_(setting.help))
    return editor


def _switch(setting: Setting[Any], games: Games, put: Put) -> Editor:  # noqa: ARG001 (as all of them)
    box = QCheckBox(_("On"))
    box.toggled.connect(put)
    return Editor(box, _quietly(box, box.setChecked))


def _choice(setting: Setting[Any], games: Games, put: Put) -> Editor:  # noqa: ARG001 (as all of them)
    box = QComboBox()
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(_SHORT)
    for value, words in zip(setting.choices, setting.words, strict=True):
        box.addItem(_(words), value)
    box.currentIndexChanged.connect(lambda place: put(setting.choices[place]))
    box.installEventFilter(_NoWheel(box))
    return Editor(box, _quietly(box, lambda value: box.setCurrentIndex(setting.choices.index(value))))


def _number(setting: Setting[Any], games: Games, put: Put) -> Editor:  # noqa: ARG001 (as all of them)
    box = QDoubleSpinBox()
    small = setting.high <= 20
    box.setDecimals(1 if small else 0)
    box.setSingleStep(0.1 if small else 5)
    box.setRange(setting.low, setting.high)
    box.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
    box.valueChanged.connect(lambda value: put(round(value, 3)))
    box.installEventFilter(_NoWheel(box))
    return Editor(box, _quietly(box, box.setValue))


def _text(setting: Setting[Any], games: Games, put: Put) -> Editor:  # noqa: ARG001 (as all of them)
    field = QLineEdit()
    rest = _Rest(field, lambda: put(field.text().strip()))
    field.textEdited.connect(rest.start)
    field.editingFinished.connect(rest.at_once)
    return Editor(field, _quietly(field, field.setText))


def _texts(setting: Setting[Any], games: Games, put: Put) -> Editor:
    if setting.of_games:
        widget, show = edit_games(games, put)
        return Editor(widget, _quietly(widget, show))
    field = QPlainTextEdit()
    field.setTabChangesFocus(True)
    field.setFixedHeight(field.fontMetrics().lineSpacing() * _LINES + 16)
    rest = _Rest(field, lambda: put(tuple(filter(None, map(str.strip, field.toPlainText().splitlines())))))
    field.textChanged.connect(rest.start)
    return Editor(field, _quietly(field, lambda value: field.setPlainText("\n".join(value))))


def _numbers(setting: Setting[Any], games: Games, put: Put) -> Editor:  # noqa: ARG001 (as all of them)
    table, show = edit_game_table(games, put, number=True)
    return Editor(table, _quietly(table, show))


def _names(setting: Setting[Any], games: Games, put: Put) -> Editor:  # noqa: ARG001 (as all of them)
    table, show = edit_game_table(games, put, number=False)
    return Editor(table, _quietly(table, show))


EDITORS: Mapping[Kind, Callable[[Setting[Any], Games, Put], Editor]] = {
    Kind.SWITCH: _switch,
    Kind.CHOICE: _choice,
    Kind.NUMBER: _number,
    Kind.TEXT: _text,
    Kind.TEXTS: _texts,
    Kind.NUMBERS_BY_NAME: _numbers,
    Kind.TEXTS_BY_NAME: _names,
}


class _Rest(QTimer):
    """Waits until the user rests; what is waiting is done when the field goes."""

    def __init__(self, field: QWidget, work: Callable[[], None]) -> None:
        super().__init__(field, singleShot=True, interval=_PAUSE_MS)
        self.timeout.connect(work)
        self._work = work

    def at_once(self) -> None:
        """No need to wait any more."""
        if self.isActive():
            self.stop()
            self._work()


def _quietly(widget: QWidget, show: Callable[[Any], object]) -> Callable[[Any], None]:
    """`show`, which nobody takes for the user's hand."""

    def shown(value: Any) -> None:
        with QSignalBlocker(widget):
            show(value)

    return shown


def settle(widget: QWidget) -> None:
    """Have everything that was written in the fields of `widget` hold now."""
    for rest in widget.findChildren(_Rest):
        rest.at_once()
