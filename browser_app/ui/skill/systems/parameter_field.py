"""One parameter: its title, an editor for its value, and what it is by default."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from browser_app.language import gettext as _
from browser_app.rating.errors import ParameterError
from browser_app.rating.parameters import Parameter, Value
from browser_app.ui.boxed import Boxed
from browser_app.ui.controls import ElidedText
from browser_app.ui.menu_button import MenuButton
from browser_app.ui.skill.systems.parameter_titles import parameter_title, value_text, value_words, wanted_words
from browser_app.ui.theme import Theme

_WIDTH, _HEIGHT = 92, 26


class ParameterField(QObject):
    """The parts of a row; whoever lays them out owns them.

    Signals:
        edited: the value is another one, or cannot be read.
    """

    edited = Signal()

    def __init__(self, theme: Theme, parameter: Parameter) -> None:
        super().__init__()
        self.parameter = parameter
        title = parameter_title(parameter)
        self.title = ElidedText(theme, title, role="text2")
        default = _("default {value}").format(value=value_words(parameter.default))
        self.note = ElidedText(theme, default, role="text2", size=12)
        self.note.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
        self._line: QLineEdit | None = None
        self._menu: MenuButton | None = None
        self.editor: QWidget = self._make_menu(theme, title) if parameter.words else self._make_line(theme, title)
        tip = _("In files and on the command line: {name}").format(name=parameter.name)
        self.title.setToolTip(tip)
        self.editor.setToolTip(tip)
        self._shown: Value = parameter.default

    @property
    def widths(self) -> tuple[int, int, int]:
        """Room for the words of title, editor and note."""
        parts = (self.title, self.editor, self.note)
        title, editor, note = (min(each.sizeHint().width(), each.maximumWidth()) for each in parts)
        return title, editor, note

    def _make_line(self, theme: Theme, title: str) -> QWidget:
        self._line = QLineEdit()
        self._line.setAccessibleName(title)
        self._line.setPlaceholderText(_("off"))
        self._line.setAlignment(Qt.AlignmentFlag.AlignTrailing)
        self._line.textEdited.connect(lambda _text: self.edited.emit())
        box = Boxed(theme, self._line, _HEIGHT)
        box.setFixedWidth(_WIDTH)
        return box

    def _make_menu(self, theme: Theme, title: str) -> QWidget:
        menu = MenuButton(theme, title)
        menu.chosen.connect(self._choose_word)
        self._menu = menu
        return menu

    def _choose_word(self, word: str) -> None:
        if self._menu is not None:
            self._offer(self._menu, word)
            self.edited.emit()

    def _offer(self, menu: MenuButton, word: str) -> None:
        menu.show_choices([(each, value_words(each)) for each in self.parameter.words], word)

    def show_value(self, value: Value) -> None:
        """Put a value into the editor."""
        self._shown = value
        if self._menu is not None:
            self._offer(self._menu, str(value))
        elif self._line is not None:
            self._line.setText(value_text(value))

    @property
    def value(self) -> Value:
        """The value in the editor; one that was not touched keeps all its digits.

        Raises:
            ParameterError: the parameter cannot have it.
        """
        if self._menu is not None:
            return self.parameter.checked(self._menu.value)
        text = self._line.text().strip() if self._line is not None else ""
        if text == value_text(self._shown):
            return self._shown
        if self.parameter.numbers == 0:
            text = text.replace(",", ".")  # the decimal comma of many languages
        return self.parameter.checked(text or None)

    @property
    def problem(self) -> str:
        """What is wrong with it, empty where nothing is."""
        try:
            _value = self.value
        except ParameterError:
            name, wanted = parameter_title(self.parameter), wanted_words(self.parameter)
            return _("{name}: {wanted} is wanted.").format(name=name, wanted=wanted)
        return ""
