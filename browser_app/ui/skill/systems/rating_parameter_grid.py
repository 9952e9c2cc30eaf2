"""The grid of parameter fields of a rating system."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from browser_app.language import gettext as _
from browser_app.rating.rating_errors import ParameterError
from browser_app.rating.rating_parameters import Parameter, ParameterValue
from browser_app.ui.skill.systems.rating_parameter_text import (
    allowed_values_text,
    format_parameter_value,
    parameter_edit_text,
    parameter_title,
    parse_parameter_text,
)
from browser_app.ui.widgets.basic_widgets import ElidedLabel
from browser_app.ui.widgets.box_layouts import create_grid
from browser_app.ui.widgets.buttons import MenuButton
from browser_app.ui.widgets.form_fields import FramedEditor
from browser_app.ui.widgets.page_elements import clear_layout
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import plain_tool_tip

_EDITOR_WIDTH, _EDITOR_HEIGHT = 92, 26


class RatingParameterField(QObject):
    """Title, editor and note of one parameter.

    The layout that takes them becomes their owner.

    Signals:
        value_edited: the text of the editor changed.
    """

    value_edited = Signal()

    def __init__(self, theme: Theme, parameter: Parameter) -> None:
        super().__init__()
        self.parameter = parameter
        title = parameter_title(parameter)
        self.title_label = ElidedLabel(theme, title, role="text2")
        default = _("default {value}").format(value=format_parameter_value(parameter.default))
        self.note_label = ElidedLabel(theme, default, role="text2", size=12)
        self.note_label.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
        self._line_edit: QLineEdit | None = None
        self._menu: MenuButton | None = None
        self.editor: QWidget = (
            self._create_menu(theme, title) if parameter.choices else self._create_line_edit(theme, title)
        )
        name = _("In files and on the command line: {name}").format(name=parameter.name)
        tip = plain_tool_tip(f"{_(parameter.meaning)}\n{name}")
        self.title_label.setToolTip(tip)
        self.editor.setToolTip(tip)
        self._shown_value: ParameterValue = parameter.default

    @property
    def parts(self) -> tuple[QWidget, QWidget, QWidget]:
        """Title, editor and note."""
        return self.title_label, self.editor, self.note_label

    @property
    def part_widths(self) -> tuple[int, int, int]:
        """Widths needed by title, editor and note."""
        title, editor, note = (min(each.sizeHint().width(), each.maximumWidth()) for each in self.parts)
        return title, editor, note

    def _create_line_edit(self, theme: Theme, title: str) -> QWidget:
        self._line_edit = QLineEdit()
        self._line_edit.setAccessibleName(title)
        self._line_edit.setPlaceholderText(_("off"))
        self._line_edit.setAlignment(Qt.AlignmentFlag.AlignTrailing)
        self._line_edit.textEdited.connect(lambda _text: self.value_edited.emit())
        box = FramedEditor(theme, self._line_edit, _EDITOR_HEIGHT)
        box.setFixedWidth(_EDITOR_WIDTH)
        return box

    def _create_menu(self, theme: Theme, title: str) -> QWidget:
        menu = MenuButton(theme, title)
        menu.value_chosen.connect(self._choose_option)
        self._menu = menu
        return menu

    def _choose_option(self, option: str) -> None:
        if self._menu is not None:
            self._fill_menu(self._menu, option)
            self.value_edited.emit()

    def _fill_menu(self, menu: MenuButton, current: str) -> None:
        menu.show_choices([(each, format_parameter_value(each)) for each in self.parameter.choices], current)

    def set_value(self, value: ParameterValue) -> None:
        """Set the value in the editor."""
        self._shown_value = value
        if self._menu is not None:
            self._fill_menu(self._menu, str(value))
        elif self._line_edit is not None:
            self._line_edit.setText(parameter_edit_text(value))

    @property
    def value(self) -> ParameterValue:
        """The value in the editor; an unedited one keeps its full precision.

        Raises:
            ParameterError: the parameter cannot have it.
        """
        if self._menu is not None:
            return self.parameter.validate(self._menu.current_value)
        text = self._line_edit.text().strip() if self._line_edit is not None else ""
        if text == parameter_edit_text(self._shown_value):
            return self._shown_value
        return self.parameter.validate(parse_parameter_text(text, self.parameter) or None)

    @property
    def problem(self) -> str:
        """What is wrong with the value, empty if nothing is."""
        try:
            _value = self.value
        except ParameterError:
            name, allowed = parameter_title(self.parameter), allowed_values_text(self.parameter)
            return _("{name}: enter {wanted}.").format(name=name, wanted=allowed)
        return ""


_COLUMNS, _PARTS_PER_FIELD = 2, 4
"""Fields side by side, and the grid columns of each: title, editor, note, space."""
_SPACES_PX = 58
"""Total space between the parts of a row."""
_COMMON_COUNT = 8
"""Number of parameters shown at first; systems declare the most important first."""


class RatingParameterGrid(QWidget):
    """Grid of fields.

    Options that are off by default are shown only with all parameters.

    Signals:
        value_edited: the text of an editor changed.
    """

    value_edited = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.fields: list[RatingParameterField] = []
        self.shows_all = False
        self._column_count = _COLUMNS
        self._grid = create_grid(self, spacing=(8, 2))

    def show_parameters(self, declared: Sequence[Parameter]) -> None:
        """Create a field for each parameter, without a value."""
        for field in self.fields:
            field.deleteLater()
        clear_layout(self._grid)
        self.fields = [RatingParameterField(self._theme, each) for each in declared]
        for field in self.fields:
            field.value_edited.connect(self.value_edited)
        self.show_all(False)

    def show_all(self, shown: bool) -> None:
        """Show all parameters, or only the most important ones."""
        self.shows_all = shown
        self._arrange()
        self._choose_columns()

    @property
    def has_more(self) -> bool:
        """Whether there are parameters that are hidden at first."""
        return len(self._common_fields()) < len(self.fields)

    def _common_fields(self) -> list[RatingParameterField]:
        return [field for field in self.fields if field.parameter.default is not None][:_COMMON_COUNT]

    def _ordered_fields(self) -> list[RatingParameterField]:
        common = self._common_fields()
        return [*common, *(field for field in self.fields if field not in common)]

    def _arrange(self) -> None:
        for index, field in enumerate(self._ordered_fields()):
            line, column = divmod(index, self._column_count)
            for part, widget in enumerate(field.parts):
                self._grid.addWidget(widget, line, column * _PARTS_PER_FIELD + part)
        beside = self._column_count > 1
        for column in range(_COLUMNS):
            self._grid.setColumnStretch(column * _PARTS_PER_FIELD + 2, int(beside))
        self._grid.setColumnMinimumWidth(_PARTS_PER_FIELD - 1, 16 if beside else 0)
        self._grid.setColumnStretch(_PARTS_PER_FIELD - 1, int(not beside))
        self._update_visibility()

    def _update_visibility(self) -> None:
        """Show the fields that belong there.

        This may resize the grid and thus rearrange it.
        """
        common = self._common_fields()
        for field in self._ordered_fields():
            for widget in field.parts:
                widget.setVisible(self.shows_all or field in common)

    def _choose_columns(self) -> None:
        shown = [field.part_widths for field in (self._ordered_fields() if self.shows_all else self._common_fields())]
        beside = [shown[column::_COLUMNS] for column in range(_COLUMNS)]
        needed = sum(max(part) for widths in beside for part in zip(*widths, strict=True))
        columns = _COLUMNS if self.width() >= needed + _SPACES_PX else 1
        if columns != self._column_count:
            self._column_count = columns
            self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put fields side by side if there is enough space."""
        super().resizeEvent(event)
        self._choose_columns()
