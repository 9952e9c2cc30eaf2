"""The style sheet of Qt's own fields, lists and bars: Fusion draws their outlines too faintly on dark grounds."""

from browser_app.paths import resources
from browser_app.ui.palette import Palette

_SHEET = """
QLineEdit, QPlainTextEdit, QComboBox, QAbstractSpinBox {{ background: {raised}; border: 1px solid {border};
    border-radius: 4px; padding: 3px 6px; }}
QComboBox, QAbstractSpinBox {{ min-height: 20px; padding: 2px 6px; }}
QLineEdit:focus, QPlainTextEdit:focus {{ border: 2px solid {accent}; padding: 2px 5px; }}
QComboBox:focus, QAbstractSpinBox:focus {{ border: 2px solid {accent}; padding: 1px 5px; }}
QComboBox:disabled, QAbstractSpinBox:disabled {{ color: {text3}; border-color: {hairline}; }}
QComboBox::drop-down {{ border: none; width: 20px; }}
QComboBox::down-arrow {{ image: url("{controls}/down-{ink}.svg"); width: 14px; height: 14px; }}
QComboBox QAbstractItemView {{ border: 1px solid {border}; border-radius: 0; }}
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

QRadioButton {{ spacing: 8px; min-height: 22px; }}
QRadioButton::indicator {{ border: 1px solid {border}; border-radius: 8px; width: 14px; height: 14px;
    background: {raised}; }}
QRadioButton::indicator:checked {{ border: 5px solid {accent}; width: 6px; height: 6px; background: {on_accent}; }}
QRadioButton:focus {{ color: {accent}; }}

QAbstractItemView {{ background: {surface}; border: 1px solid {hairline}; selection-background-color: {selected};
    selection-color: {text1}; gridline-color: {hairline}; outline: 0; }}
QAbstractItemView[frameShape="0"] {{ border: none; }}
QTreeView::item, QListView::item {{ min-height: 24px; border: none; padding: 0 3px; }}
QAbstractItemView::item:selected {{ background: {selected}; color: {text1}; }}
QHeaderView {{ background: {surface}; border: none; }}
QHeaderView::section {{ background: {surface}; color: {text2}; border: none; border-bottom: 1px solid {hairline};
    padding: 4px 6px; font-weight: normal; }}

QScrollBar:vertical {{ background: transparent; width: 10px; }}
QScrollBar::handle:vertical {{ background: {border}; border-radius: 3px; margin: 1px 2px; min-height: 24px; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; }}
QScrollBar::handle:horizontal {{ background: {border}; border-radius: 3px; margin: 2px 1px; min-width: 24px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: none; }}
"""


def field_style(palette: Palette) -> str:
    """The sheet in a palette's colours. Ticks and arrows are pictures, since a style sheet can tint none."""
    return _SHEET.format(
        **{role: getattr(palette, role) for role in palette.__slots__},
        controls=(resources() / "controls").as_posix(),
        ink=_ink(palette.text1),
        on_accent_ink=_ink(palette.on_accent),
    )


def _ink(color: str) -> str:
    """Which of the pictures is nearest to a colour that is nearly black or nearly white."""
    return "light" if int(color[1:3], 16) > 127 else "dark"
