"""The theme: current palette and fonts, and the style sheet of input fields."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont, QIcon
from PySide6.QtWidgets import QApplication

from browser_app.paths import resource_folder
from browser_app.ui.widgets import icons
from browser_app.ui.widgets.palette import PALETTES, Palette, to_qt_palette

_FIELD_STYLE_SHEET = """
QLineEdit, QPlainTextEdit, QComboBox, QAbstractSpinBox {{ background: {raised}; border: 1px solid {border};
    border-radius: 4px; padding: 3px 6px; }}
QComboBox, QAbstractSpinBox {{ min-height: 20px; padding: 2px 6px; }}
QComboBox {{ combobox-popup: 0; }}
QLineEdit:focus, QPlainTextEdit:focus {{ border: 2px solid {accent}; padding: 2px 5px; }}
QComboBox:focus, QAbstractSpinBox:focus {{ border: 2px solid {accent}; padding: 1px 5px; }}
QComboBox:disabled, QAbstractSpinBox:disabled {{ color: {text3}; border-color: {hairline}; }}
QComboBox::drop-down {{ border: none; width: 20px; }}
QComboBox::down-arrow {{ image: url("{controls}/down-{ink}.svg"); width: 14px; height: 14px; }}
QComboBox QAbstractItemView[frameShape="0"] {{ border: 1px solid {border}; border-radius: 0; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ border: none; width: 18px; }}
QAbstractSpinBox::up-arrow {{ image: url("{controls}/up-{ink}.svg"); width: 12px; height: 12px; }}
QAbstractSpinBox::down-arrow {{ image: url("{controls}/down-{ink}.svg"); width: 12px; height: 12px; }}
QAbstractSpinBox QLineEdit, QAbstractItemView QLineEdit {{ border: none; padding: 0; min-height: 0; }}

QAbstractItemView::indicator, QCheckBox::indicator {{ border: 1px solid {border}; border-radius: 2px;
    width: 14px; height: 14px; background: {raised}; }}
QAbstractItemView::indicator:checked, QCheckBox::indicator:checked {{ background: {accent}; border-color: {accent};
    image: url("{controls}/check-{on_accent_ink}.svg"); }}
QCheckBox::indicator:disabled {{ border-color: {text3}; background: {window}; }}
QCheckBox {{ spacing: 8px; min-height: 22px; }}
QCheckBox::indicator:focus {{ border: 2px solid {accent}; width: 12px; height: 12px; }}
QCheckBox::indicator:checked:focus {{ background: {raised}; image: url("{controls}/check-{ink}.svg"); }}

QAbstractItemView {{ background: {surface}; border: 1px solid {hairline}; selection-background-color: {selected};
    selection-color: {text1}; gridline-color: {hairline}; outline: 0; }}
QAbstractItemView[frameShape="0"] {{ border: 1px solid transparent; }}
QAbstractItemView:focus, QAbstractItemView[frameShape="0"]:focus {{ border: 1px solid {accent}; }}
QTreeView::item, QListView::item {{ min-height: 24px; border: none; padding: 0 3px; }}
QTableWidget::item {{ padding: 0 3px; }}
QAbstractItemView::item:selected {{ background: {selected}; color: {text1}; }}
QHeaderView {{ background: {surface}; border: none; }}
QHeaderView::section {{ background: {surface}; color: {text2}; border: none; border-bottom: 1px solid {hairline};
    padding: 4px 6px; font-weight: normal; }}

QCalendarWidget QToolButton::menu-indicator {{ image: url("{controls}/down-{ink}.svg"); width: 12px; height: 12px;
    subcontrol-origin: padding; subcontrol-position: center right; }}
QCalendarWidget QToolButton#qt_calendar_monthbutton {{ padding-right: 14px; }}

QScrollBar:vertical {{ background: transparent; width: 10px; }}
QScrollBar::handle:vertical {{ background: {border}; border-radius: 3px; margin: 1px 2px; min-height: 24px; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; }}
QScrollBar::handle:horizontal {{ background: {border}; border-radius: 3px; margin: 2px 1px; min-width: 24px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: none; }}
"""


def field_style_sheet(palette: Palette) -> str:
    """Return the style sheet in a palette's colours.

    Ticks and arrows are image files in two colours, since a style sheet cannot tint images.
    """
    return _FIELD_STYLE_SHEET.format(
        **{role: getattr(palette, role) for role in palette.__slots__},
        controls=(resource_folder() / "controls").as_posix(),
        ink=_picture_color(palette.text1),
        on_accent_ink=_picture_color(palette.on_accent),
    )


def _picture_color(color: str) -> str:
    """Return which image set, `light` or `dark`, is closer to a colour.

    The colour is nearly white or nearly black.
    """
    return "light" if int(color[1:3], 16) > 127 else "dark"


BASE_FONT_PX = 13
"""Size of plain text in px at 96 dpi; all sizes are relative to it and follow the system's UI font."""


class Theme(QObject):
    """The current palette and fonts.

    `name` is the user's choice: `system`, `light`, `dark` or `contrast`. `system` follows the desktop's colour scheme
    live and, from Qt 6.10 on, its contrast preference.
    """

    changed = Signal()

    def __init__(self, app: QApplication, name: str = "system") -> None:
        super().__init__(app)
        self._app = app
        self.name = name
        """The user's choice."""
        app.setStyle("Fusion")
        self._base = app.font()
        self._base.setFeature(QFont.Tag("tnum"), 1)
        app.setFont(self._base)
        hints = app.styleHints()
        self._scheme, self._high_contrast = hints.colorScheme(), False
        hints.colorSchemeChanged.connect(self._on_color_scheme_changed)
        if hasattr(hints, "accessibility"):  # new in Qt 6.10
            accessibility = hints.accessibility()
            self._high_contrast = accessibility.contrastPreference() == Qt.ContrastPreference.HighContrast
            accessibility.contrastPreferenceChanged.connect(self._on_contrast_changed)
        self.palette: Palette = PALETTES[self._resolved_name()]
        app.setPalette(to_qt_palette(self.palette))

    def set_theme(self, name: str) -> None:
        """Switch to another theme at once."""
        self.name = name
        self._apply_palette()

    def font(self, size: int = BASE_FONT_PX, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """Return the UI font at a design size in px, with tabular figures."""
        font = QFont(self._base)
        if self._base.pointSizeF() > 0:
            font.setPointSizeF(self._base.pointSizeF() * size / BASE_FONT_PX)
        else:
            font.setPixelSize(round(self._base.pixelSize() * size / BASE_FONT_PX))
        font.setWeight(weight)
        return font

    def create_icon(self, name: str, role: str = "text2", filled: bool = False) -> QIcon:
        """Return an icon in the colour of a role."""
        return icons.create_icon(name, getattr(self.palette, role), filled)

    def _resolved_name(self) -> str:
        if self.name != "system":
            return self.name
        if self._high_contrast:
            return "contrast"
        return "dark" if self._scheme == Qt.ColorScheme.Dark else "light"

    def _on_color_scheme_changed(self, scheme: Qt.ColorScheme) -> None:
        self._scheme = scheme
        if self.name == "system":
            self._apply_palette()

    def _on_contrast_changed(self, preference: Qt.ContrastPreference) -> None:
        self._high_contrast = preference == Qt.ContrastPreference.HighContrast
        if self.name == "system":
            self._apply_palette()

    def _apply_palette(self) -> None:
        self.palette = PALETTES[self._resolved_name()]
        self._app.setPalette(to_qt_palette(self.palette))
        self.changed.emit()
