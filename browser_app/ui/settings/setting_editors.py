"""Editors of settings, one for each kind of value."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from PySide6.QtCore import QLocale, QSignalBlocker, Qt
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QHeaderView,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from browser_app.language import gettext as _
from browser_app.number_text import decimal_text, localised_number
from browser_app.storage.setting_types import Setting, SettingKind
from browser_app.storage.user_lists.saved_filter_store import SAVED_LIST_PREFIX
from browser_app.ui.widgets.form_fields import DelayedCall, indent_number, leave_wheel_to_page

_GAMES_HEIGHT, _GAME_ROW_HEIGHT = 236, 26
_VALUE_WIDTH = 110
_GAME_ID_ROLE = Qt.ItemDataRole.UserRole

ApplyValue = Callable[[Any], None]
ShowValue = Callable[[Any], object]


class EditorNames(NamedTuple):
    """What editors name besides a setting's own choices."""

    games: Mapping[str, str]
    """Names by game ID."""
    saved_filters: Collection[str] = ()


def _create_games_list(games: Mapping[str, str], apply_value: ApplyValue) -> tuple[QListWidget, ShowValue]:
    """Return a list of all games with check boxes.

    Unknown IDs in the setting are kept.
    """
    box = leave_wheel_to_page(QListWidget())
    box.setFixedHeight(_GAMES_HEIGHT)
    for game, name in sorted(games.items(), key=lambda each: each[1].casefold()):
        item = QListWidgetItem(name)
        item.setData(_GAME_ID_ROLE, game)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Unchecked)
        box.addItem(item)  # complete, as a screen reader hears of each change after this
    others: list[str] = []

    def show(value: tuple[str, ...]) -> None:
        others[:] = [game for game in value if game not in games]
        for index in range(box.count()):
            on = box.item(index).data(_GAME_ID_ROLE) in value
            box.item(index).setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)

    def changed() -> None:
        items = (box.item(index) for index in range(box.count()))
        on = [item.data(_GAME_ID_ROLE) for item in items if item.checkState() == Qt.CheckState.Checked]
        apply_value((*on, *others))

    box.itemChanged.connect(lambda _item: changed())
    return box, show


class _ValueCell(QTableWidgetItem):
    """A cell to type a value in; screen readers say that it is empty."""

    def data(self, role: int) -> Any:
        """Return the data of a role."""
        if role == Qt.ItemDataRole.AccessibleTextRole and not self.text():
            return _("not set")
        return super().data(role)


def _create_games_table(
    setting: Setting[Any], names: EditorNames, apply_value: ApplyValue
) -> tuple[QTableWidget, ShowValue]:
    """Return a table with a cell per game.

    An empty cell is no value, and one without a number is ignored.
    """
    games = names.games
    order = sorted(games, key=lambda game: games[game].casefold())
    table = _create_table(len(order))
    cells: dict[str, _ValueCell] = {}
    with QSignalBlocker(table.model()):  # screen readers would hear of each cell
        for row, game in enumerate(order):
            name = QTableWidgetItem(games[game])
            name.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            table.setItem(row, 0, name)
            cells[game] = _ValueCell("")
            table.setItem(row, 1, cells[game])
    others: dict[str, Any] = {}

    def show(value: Mapping[str, Any]) -> None:
        others.clear()
        others.update((game, each) for game, each in value.items() if game not in games)
        for game, cell in cells.items():
            each = value.get(game, "")
            cell.setText(decimal_text(each) if isinstance(each, float) else str(each))

    def changed() -> None:
        texts = {game: cell.text().strip() for game, cell in cells.items()}
        parse = _parse_number if setting.kind is SettingKind.NUMBERS_BY_NAME else str
        entered = {game: parse(text) for game, text in texts.items() if text}
        apply_value({**others, **{game: each for game, each in entered.items() if each is not None}})

    table.itemChanged.connect(lambda _item: changed())
    return table, show


def _create_table(rows: int) -> QTableWidget:
    table = leave_wheel_to_page(QTableWidget(rows, 2))
    table.setHorizontalHeaderLabels([_("Game"), _("Value")])
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
    table.verticalHeader().hide()
    table.setTabKeyNavigation(False)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.AllEditTriggers)
    table.setWordWrap(False)
    table.verticalHeader().setDefaultSectionSize(_GAME_ROW_HEIGHT)
    table.setFixedHeight(_GAMES_HEIGHT)
    table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    table.horizontalHeader().resizeSection(1, _VALUE_WIDTH)
    return table


def _parse_number(text: str) -> float | None:
    try:
        return float(text.replace(",", ".").replace("\u2212", "-"))
    except ValueError:
        return None


_APPLY_DELAY_MS = 400
"""Delay after the last key before an edit is applied."""
_TEXT_LINES = 3
_SHORT_TEXT_LENGTH = 12
"""Characters of a choice that are always visible."""


class SettingEditor(NamedTuple):
    """A field and a function that shows a value in it, which is not taken for an edit."""

    widget: QWidget
    show_value: Callable[[Any], None]


def create_editor(setting: Setting[Any], names: EditorNames, apply_value: ApplyValue) -> SettingEditor:
    """Return the editor of a setting.

    `apply_value` is called with each value that the user enters, valid or not.
    """
    widget, show = EDITOR_FACTORIES[setting.kind](setting, names, apply_value)
    widget.setAccessibleName(_(setting.label))
    widget.setAccessibleDescription(_(setting.description))

    def show_value(value: Any) -> None:
        with QSignalBlocker(widget):
            show(value)

    return SettingEditor(widget, show_value)


def _create_switch(setting: Setting[Any], names: EditorNames, apply_value: ApplyValue) -> tuple[QWidget, ShowValue]:  # noqa: ARG001 (one signature for all editors)
    box = QCheckBox()

    def show(value: bool) -> None:
        box.setChecked(value)
        box.setText(_("On") if value else _("Off"))

    box.toggled.connect(show)
    box.toggled.connect(apply_value)
    return box, show


def _create_choice_box(setting: Setting[Any], names: EditorNames, apply_value: ApplyValue) -> tuple[QWidget, ShowValue]:  # noqa: ARG001 (one signature for all editors)
    box = _create_combo_box()
    for value, label in zip(setting.choices, setting.choice_labels, strict=True):
        box.addItem(_(label), value)
    box.currentIndexChanged.connect(lambda index: apply_value(setting.choices[index]))
    return box, lambda value: box.setCurrentIndex(setting.choices.index(value))


def _create_combo_box() -> QComboBox:
    box = QComboBox()
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(_SHORT_TEXT_LENGTH)
    return leave_wheel_to_page(box)


def _create_scope_box(setting: Setting[Any], names: EditorNames, apply_value: ApplyValue) -> tuple[QWidget, ShowValue]:  # noqa: ARG001 (one signature for all editors)
    """Return a choice of the list on screen and the saved filters.

    Another current value is a choice, too.
    """
    box = _create_combo_box()

    def show(value: str) -> None:
        box.clear()
        box.addItem(_("The list on screen"), "")
        for name in names.saved_filters:
            box.addItem(name, SAVED_LIST_PREFIX + name)
        if box.findData(value) < 0:
            box.addItem(value.removeprefix(SAVED_LIST_PREFIX), value)
        box.setCurrentIndex(box.findData(value))

    box.currentIndexChanged.connect(lambda index: apply_value(box.itemData(index)))
    return box, show


class _NumberField(QDoubleSpinBox):
    """Field with the language's decimal separator.

    It accepts a point and a comma in every language.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setLocale(QLocale.c())
        indent_number(self)

    def textFromValue(self, value: float) -> str:  # noqa: N802 (Qt's name)
        """Return the number as the language writes it."""
        return localised_number(super().textFromValue(value))

    def valueFromText(self, text: str) -> float:  # noqa: N802 (Qt's name)
        """Return the number."""
        return super().valueFromText(text.replace(",", "."))

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Check the text; it is shown as the language writes it."""
        state, checked, position = super().validate(text.replace(",", "."), position)
        return state, localised_number(checked), position


def _create_number_field(
    setting: Setting[Any],
    names: EditorNames,  # noqa: ARG001 (one signature for all editors)
    apply_value: ApplyValue,
) -> tuple[QWidget, ShowValue]:
    box = _NumberField()
    small = setting.high <= 20
    box.setDecimals(1 if small else 0)
    box.setSingleStep(0.1 if small else 5)
    box.setRange(setting.low, setting.high)
    box.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
    box.valueChanged.connect(lambda value: apply_value(round(value, 3)))
    leave_wheel_to_page(box)

    def show(value: float) -> None:
        if value != box.value():  # setting it would rewrite what is being typed
            box.setValue(value)

    return box, show


def _create_text_field(setting: Setting[Any], names: EditorNames, apply_value: ApplyValue) -> tuple[QWidget, ShowValue]:  # noqa: ARG001 (one signature for all editors)
    field = QLineEdit()
    delayed = DelayedCall(field, _APPLY_DELAY_MS, lambda: apply_value(field.text().strip()))
    field.textEdited.connect(delayed.start)
    field.editingFinished.connect(delayed.flush)
    return field, field.setText


def _create_lines_field(
    setting: Setting[Any], names: EditorNames, apply_value: ApplyValue
) -> tuple[QWidget, ShowValue]:
    if setting.uses_game_ids:
        return _create_games_list(names.games, apply_value)
    field = leave_wheel_to_page(QPlainTextEdit())
    field.setTabChangesFocus(True)
    field.setFixedHeight(field.fontMetrics().lineSpacing() * _TEXT_LINES + 16)
    delayed = DelayedCall(
        field,
        _APPLY_DELAY_MS,
        lambda: apply_value(tuple(filter(None, map(str.strip, field.toPlainText().splitlines())))),
    )
    field.textChanged.connect(delayed.start)
    return field, lambda value: field.setPlainText("\n".join(value))


EDITOR_FACTORIES: Mapping[SettingKind, Callable[[Setting[Any], EditorNames, ApplyValue], tuple[QWidget, ShowValue]]] = {
    SettingKind.SWITCH: _create_switch,
    SettingKind.CHOICE: _create_choice_box,
    SettingKind.NUMBER: _create_number_field,
    SettingKind.TEXT: _create_text_field,
    SettingKind.SERVER_SCOPE: _create_scope_box,
    SettingKind.TEXTS: _create_lines_field,
    SettingKind.NUMBERS_BY_NAME: _create_games_table,
    SettingKind.TEXTS_BY_NAME: _create_games_table,
}


def apply_pending_edits(widget: QWidget) -> None:
    """Apply all pending edits of the fields of a widget."""
    for delayed in widget.findChildren(DelayedCall):
        delayed.flush()
