"""The look in force: palette, fonts, icons. One object, handed to every widget; `changed` tells them to repaint."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont, QIcon
from PySide6.QtWidgets import QApplication

from browser_app.ui import icons
from browser_app.ui.palette import PALETTES, Palette, qt_palette

BASE_PX = 13
"""Design size of plain text, in pixels at 96 dpi; all sizes are relative to it and follow the system's UI font."""


class Theme(QObject):
    """The palette in force.

    `name` is what the user chose: `system`, `light`, `dark` or `contrast`; "system" follows the desktop live, also in
    its wish for high contrast where Qt tells it.
    """

    changed = Signal()

    def __init__(self, app: QApplication, name: str = "system") -> None:
        super().__init__(app)
        self._app = app
        self._name = name
        app.setStyle("Fusion")
        self._base = app.font()
        self._base.setFeature(QFont.Tag("tnum"), 1)
        app.setFont(self._base)
        hints = app.styleHints()
        self._scheme, self._high_contrast = hints.colorScheme(), False
        hints.colorSchemeChanged.connect(self._system_changed)
        if hasattr(hints, "accessibility"):  # from Qt 6.10
            wish = hints.accessibility()
            self._high_contrast = wish.contrastPreference() == Qt.ContrastPreference.HighContrast
            wish.contrastPreferenceChanged.connect(self._contrast_changed)
        self.palette: Palette = PALETTES[self._resolved()]
        app.setPalette(qt_palette(self.palette))

    @property
    def name(self) -> str:
        """The user's choice."""
        return self._name

    def choose(self, name: str) -> None:
        """Switch to `name`, effective at once."""
        self._name = name
        self._apply()

    def font(self, size: int = BASE_PX, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """The UI font at a design size in pixels, with tabular figures."""
        font = QFont(self._base)
        if self._base.pointSizeF() > 0:
            font.setPointSizeF(self._base.pointSizeF() * size / BASE_PX)
        else:
            font.setPixelSize(round(self._base.pixelSize() * size / BASE_PX))
        font.setWeight(weight)
        return font

    def icon(self, name: str, role: str = "text2", filled: bool = False) -> QIcon:
        """An icon in a role's colour."""
        return icons.icon(name, getattr(self.palette, role), filled)

    def _resolved(self) -> str:
        if self._name != "system":
            return self._name
        if self._high_contrast:
            return "contrast"
        return "dark" if self._scheme == Qt.ColorScheme.Dark else "light"

    def _system_changed(self, scheme: Qt.ColorScheme) -> None:
        self._scheme = scheme
        if self._name == "system":
            self._apply()

    def _contrast_changed(self, preference: Qt.ContrastPreference) -> None:
        self._high_contrast = preference == Qt.ContrastPreference.HighContrast
        if self._name == "system":
            self._apply()

    def _apply(self) -> None:
        self.palette = PALETTES[self._resolved()]
        self._app.setPalette(qt_palette(self.palette))
        self.changed.emit()
