"""Dialog with the manual."""

from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QTextBlock, QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QTextBrowser, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.paths import resource_folder
from browser_app.storage.ui_state import UiState
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.dialogs import SavedSizeDialog, create_button_row
from browser_app.ui.widgets.theme import Theme

_SEARCH_HEIGHT, _TEXT_MARGIN = 32, 12
_SECTIONS_MIN_WIDTH = 600
"""In a narrower dialog the list of sections is hidden."""


class ManualDialog(SavedSizeDialog):
    """The manual with a list of its sections and a search; Esc closes it."""

    def __init__(self, theme: Theme, parent: QWidget, ui_state: UiState) -> None:
        super().__init__(theme, parent, ui_state, "manual", _("Manual"), QSize(860, 640))
        self.search_field = QLineEdit()
        self.search_field.setPlaceholderText(_("Search the manual"))
        self.search_field.setAccessibleName(_("Search the manual"))
        self.search_field.setClearButtonEnabled(True)
        self.search_field.setMinimumHeight(_SEARCH_HEIGHT)
        self.section_list = QListWidget()
        self.section_list.setAccessibleName(_("Sections"))
        self.section_list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.section_list.setFrameShape(QListWidget.Shape.NoFrame)
        self.browser = QTextBrowser()
        self.browser.setAccessibleName(_("Manual"))
        self.browser.setOpenLinks(False)
        self.browser.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.browser.setTabChangesFocus(True)
        self.browser.document().setDefaultFont(theme.font())
        self.browser.setMarkdown((resource_folder() / "manual" / "manual.md").read_text(encoding="utf-8"))
        self.browser.document().setDocumentMargin(_TEXT_MARGIN)
        self._sections = [block for block in self._blocks() if block.blockFormat().headingLevel() == 2]
        self._wrap_code()
        self.section_list.addItems([block.text() for block in self._sections])
        self.section_list.setParent(self)  # has its style, so that the width fits
        self.section_list.setFixedWidth(self.section_list.sizeHintForColumn(0) + _TEXT_MARGIN)
        self.not_found_label = Label(theme, _("Not found"), role="warning")
        self.not_found_label.setVisible(False)
        self.close_button = Button(theme, _("Close"))
        self._build_layout()
        self.section_list.currentRowChanged.connect(self._show_section)
        self.search_field.textChanged.connect(self._search_while_typing)
        self.search_field.returnPressed.connect(self.find_next)
        self.close_button.clicked.connect(self.accept)
        self.search_field.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the list of sections where space is short."""
        super().resizeEvent(event)
        self.section_list.setVisible(self.width() >= _SECTIONS_MIN_WIDTH)

    def _build_layout(self) -> None:
        texts = fill_box(QHBoxLayout(), self.section_list, Stretch(self.browser), spacing=12)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(self.search_field)
        column.addLayout(texts, 1)
        column.addLayout(create_button_row((self.not_found_label,), (self.close_button,)))

    def find_next(self) -> None:
        """Select the next place of the searched text, after the last one the first again."""
        text = self.search_field.text().strip()
        if not text:
            self.not_found_label.setVisible(False)
            return
        found = self.browser.find(text)
        if not found:
            before = self.browser.textCursor()
            self.browser.moveCursor(QTextCursor.MoveOperation.Start)
            found = self.browser.find(text)
            if not found:
                self.browser.setTextCursor(before)
        self.not_found_label.setVisible(not found)

    def _search_while_typing(self) -> None:
        """Search from the start of the selection, so that it grows with the text."""
        cursor = self.browser.textCursor()
        cursor.setPosition(cursor.selectionStart())
        self.browser.setTextCursor(cursor)
        self.find_next()

    def _blocks(self) -> Iterator[QTextBlock]:
        block = self.browser.document().begin()
        while block.isValid():
            yield block
            block = block.next()

    def _wrap_code(self) -> None:
        """Wrap lines of code, which would be wider than the dialog."""
        wrapped = QTextBlockFormat()
        wrapped.setNonBreakableLines(False)
        for block in self._blocks():
            if block.blockFormat().nonBreakableLines():
                QTextCursor(block).mergeBlockFormat(wrapped)

    def _show_section(self, row: int) -> None:
        if row < 0:
            return
        block = self._sections[row]
        self.browser.setTextCursor(QTextCursor(block))
        top = self.browser.document().documentLayout().blockBoundingRect(block).top()
        self.browser.verticalScrollBar().setValue(round(top))
