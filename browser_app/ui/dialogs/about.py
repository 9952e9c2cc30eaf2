"""About the program: its version and licence, what it sends to whom, and what others made that it works with."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFont, QIcon
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from browser_app import __version__
from browser_app.bridge.live_settings import LiveSettings
from browser_app.language import gettext as _
from browser_app.paths import resources
from browser_app.storage.kept import Kept
from browser_app.ui.about_words import Line, made_with, sent, whole_text
from browser_app.ui.controls import Button, Surface, Text
from browser_app.ui.dialogs.dialog import SizedDialog, button_row
from browser_app.ui.scroll_bar import ScrollBar
from browser_app.ui.theme import Theme

_ICON, _FIRST_COLUMN = 48, 184


class AboutDialog(SizedDialog):
    """Enter and Esc close it."""

    def __init__(self, theme: Theme, parent: QWidget, settings: LiveSettings, kept: Kept) -> None:
        super().__init__(theme, parent, kept, "about", _("About Ready Room"), QSize(560, 600))
        self.lines: list[Line] = []
        self.close_button = Button(theme, _("Close"))
        self.close_button.clicked.connect(self.accept)
        page = Surface(theme, "raised")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 12, 0)
        column.setSpacing(8)
        column.addWidget(self._title(_("What is sent, and to whom")))
        column.addLayout(self._table(sent(settings)))
        column.addSpacing(8)
        column.addWidget(self._title(_("Made with")))
        column.addLayout(self._table(made_with()))
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setVerticalScrollBar(ScrollBar(theme, "raised"))
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(page)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 16, 16, 16)
        outer.setSpacing(16)
        outer.addLayout(self._head())
        outer.addWidget(area, 1)
        outer.addLayout(self._buttons())
        self.close_button.setFocus()

    def _head(self) -> QHBoxLayout:
        icon = QLabel()
        icon.setPixmap(QIcon(str(resources() / "ready-room.svg")).pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF()))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(Text(self._theme, "Ready Room", size=20, weight=QFont.Weight.DemiBold))
        own = _("Version {version}, under the MIT licence").format(version=__version__)
        words.addWidget(Text(self._theme, own, role="text2"))
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(icon)
        head.addLayout(words, 1)
        return head

    def _title(self, words: str) -> Text:
        return Text(self._theme, words, size=15, weight=QFont.Weight.DemiBold)

    def _table(self, lines: Sequence[Line]) -> QGridLayout:
        self.lines += lines
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, _FIRST_COLUMN)
        grid.setColumnStretch(1, 1)
        for row, line in enumerate(lines):
            words = Text(self._theme, line.words, role="text2")
            words.setWordWrap(True)
            grid.addWidget(Text(self._theme, line.what), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(words, row, 1)
        return grid

    def _buttons(self) -> QHBoxLayout:
        file, right = whole_text(), (self.close_button,)
        if file is None:
            return button_row((), right)
        licences = Button(self._theme, _("All licences"))
        licences.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(file))))
        return button_row((licences,), right)
