"""Dialog about the program: version, network use and licences."""

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFont, QIcon
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from browser_app import __version__
from browser_app.bridge.live_settings import LiveSettings
from browser_app.language import gettext as _
from browser_app.paths import resource_folder
from browser_app.storage.setting_declarations import QUERY_STEAM_SKILL, QUERY_XONSTAT_SKILL, UPDATE_CHECK_URL
from browser_app.storage.ui_state import UiState
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box, set_margins
from browser_app.ui.widgets.dialogs import SavedSizeDialog, create_button_row
from browser_app.ui.widgets.page_elements import create_scroll_area
from browser_app.ui.widgets.theme import Theme

THIRD_PARTY_PACKAGES: Mapping[str, tuple[str, str]] = {
    "PySide6-Essentials": ("Qt, PySide6, Shiboken", "LGPL-3.0"),
    "numpy": ("NumPy", "BSD-3-Clause"),
    "pyqtgraph": ("PyQtGraph", "MIT"),
    "msgspec": ("msgspec", "BSD-3-Clause"),
    "requests": ("Requests", "Apache-2.0"),
    "keyring": ("keyring", "MIT"),
    "jeepney": ("jeepney", "MIT"),
    "dnspython": ("dnspython", "ISC"),
    "iptocc": ("iptocc", "MIT OR Apache-2.0"),
    "platformdirs": ("platformdirs", "MIT"),
    "rich": ("Rich", "MIT"),
    "tomli-w": ("tomli-w", "MIT"),
}
"""Name and licence by package name."""
_LICENCES_FILE = "THIRD_PARTY.txt"
_FLATPAK_LICENCES = Path("/app/share/licenses")


class AboutRow(NamedTuple):
    """A row of two columns."""

    label: str
    text: str


def network_use_rows(settings: LiveSettings) -> list[AboutRow]:
    """Return which servers are contacted and what they are sent.

    What is switched off is included.
    """

    def if_on(on: object, words: str) -> str:
        return words if on else _("nothing (turned off)")

    return [
        AboutRow(_("Master servers"), _("the game whose servers you list; Valve’s list also gets your Web API key")),
        AboutRow(_("Game servers"), _("queries for status, players and rules, never your identity")),
        AboutRow("Steam", if_on(settings.get(QUERY_STEAM_SKILL), _("your Steam ID and Web API key, once an hour"))),
        AboutRow(
            "stats.xonotic.org",
            if_on(settings.get(QUERY_XONSTAT_SKILL), _("your public key’s fingerprint, once an hour")),
        ),
        AboutRow(
            _("New versions"), if_on(settings.get(UPDATE_CHECK_URL), _("one request a day to the page you entered"))
        ),
        AboutRow(_("Anyone else"), _("nothing")),
    ]


def third_party_rows() -> list[AboutRow]:
    """Return third-party components with version and licence."""
    python = AboutRow(f"Python {platform.python_version()}", "PSF-2.0")
    return [
        python,
        *(
            AboutRow(f"{title} {_version(name)}".strip(), licence)
            for name, (title, licence) in THIRD_PARTY_PACKAGES.items()
        ),
    ]


def licences_file() -> Path | None:
    """Return the file with all licences.

    Packages for systems without Python contain it: beside the program, on macOS in the app's resources. A Flatpak has
    it where the system looks for licences.
    """
    folder = Path(sys.executable).parent
    folders = (folder, folder.parent / "Resources", _FLATPAK_LICENCES / os.environ.get("FLATPAK_ID", ""))
    files = (each / _LICENCES_FILE for each in folders)
    return next((file for file in files if file.is_file()), None)


def _version(name: str) -> str:
    """Return a package's version; empty if it is unknown or not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


_ICON_PX, _FIRST_COLUMN_WIDTH = 48, 184


class AboutDialog(SavedSizeDialog):
    """The dialog; Enter and Esc close it."""

    def __init__(self, theme: Theme, parent: QWidget, settings: LiveSettings, ui_state: UiState) -> None:
        super().__init__(theme, parent, ui_state, "about", _("About Ready Room"), QSize(560, 600))
        self.rows: list[AboutRow] = []
        self.close_button = Button(theme, _("Close"))
        self.close_button.clicked.connect(self.accept)
        page = QWidget()
        column = QVBoxLayout(page)
        set_margins(column, 0, 0, 12, 0)
        column.setSpacing(8)
        column.addWidget(self._create_title(_("What is sent, and to whom")))
        column.addLayout(self._create_table(network_use_rows(settings)))
        column.addSpacing(8)
        column.addWidget(self._create_title(_("Built with")))
        column.addLayout(self._create_table(third_party_rows()))
        column.addStretch(1)
        area = create_scroll_area(theme, page)
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        area.setAccessibleName(self.windowTitle())
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 16, 16, 16)
        outer.setSpacing(16)
        outer.addLayout(self._create_header())
        outer.addWidget(area, 1)
        outer.addLayout(self._create_buttons())
        self.close_button.setFocus()

    def _create_header(self) -> QHBoxLayout:
        icon = QLabel()
        icon.setPixmap(
            QIcon(str(resource_folder() / "ready-room.svg")).pixmap(QSize(_ICON_PX, _ICON_PX), self.devicePixelRatioF())
        )
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(Label(self._theme, "Ready Room", size=20, weight=QFont.Weight.DemiBold))
        own = _("Version {version}, MIT licence").format(version=__version__)
        words.addWidget(Label(self._theme, own, role="text2"))
        return fill_box(QHBoxLayout(), icon, Stretch(words), spacing=12)

    def _create_title(self, words: str) -> Label:
        return Label(self._theme, words, size=15, weight=QFont.Weight.DemiBold)

    def _create_table(self, lines: Sequence[AboutRow]) -> QGridLayout:
        self.rows += lines
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, _FIRST_COLUMN_WIDTH)
        grid.setColumnStretch(1, 1)
        for row, line in enumerate(lines):
            grid.addWidget(Label(self._theme, line.label), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(Label(self._theme, line.text, role="text2", wraps=True), row, 1)
        return grid

    def _create_buttons(self) -> QHBoxLayout:
        file, right = licences_file(), (self.close_button,)
        if file is None:
            return create_button_row((), right)
        licences = Button(self._theme, _("All licences"))
        licences.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(file))))
        return create_button_row((licences,), right)
