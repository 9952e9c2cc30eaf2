"""Colour palettes: semantic roles in light, dark and high contrast.

Text roles keep a WCAG contrast of at least 4.5 against every background they appear on, graphics at least 3 (computed
by a test). Colour is never the only carrier of a meaning.
"""

from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette


@dataclass(frozen=True, slots=True)
class Palette:
    """A full set of colours as `#RRGGBB`."""

    window: str
    surface: str
    raised: str
    hover: str
    selected: str
    text1: str
    text2: str
    text3: str
    hairline: str
    rowline: str
    border: str
    accent: str
    on_accent: str
    accent_line: str
    ping_good: str
    ping_fair: str
    ping_bad: str
    ping_unknown: str
    full: str
    locked: str
    favourite: str
    friend: str
    warning: str
    win: str
    loss: str
    draw: str
    score_low: str
    score_mid: str
    score_high: str
    plot1: str
    plot2: str
    plot3: str
    plot4: str
    plot5: str

    def color(self, role: str) -> QColor:
        """Return the colour of a role, which is a field's name."""
        return QColor(getattr(self, role))


LIGHT = Palette(
    window="#ECEDE9",
    surface="#FAFAF7",
    raised="#FFFFFF",
    hover="#EEF1ED",
    selected="#D5E6E3",
    text1="#191D1C",
    text2="#454D4B",
    text3="#59615F",
    hairline="#D3D6D1",
    rowline="#EEEFEB",
    border="#767F7C",
    accent="#0A6664",
    on_accent="#FFFFFF",
    accent_line="#4E9391",
    ping_good="#22669C",
    ping_fair="#A87400",
    ping_bad="#9A2510",
    ping_unknown="#6B7472",
    full="#8A4A12",
    locked="#59615F",
    favourite="#855A00",
    friend="#76389B",
    warning="#8A4F00",
    win="#22669C",
    loss="#9A2510",
    draw="#6B7472",
    score_low="#678683",
    score_mid="#35756F",
    score_high="#0A6664",
    plot1="#0A6664",
    plot2="#9A3B00",
    plot3="#2B3590",
    plot4="#A08A00",
    plot5="#C04FA0",
)
DARK = Palette(
    window="#161918",
    surface="#1C2020",
    raised="#232828",
    hover="#262D2C",
    selected="#1D3E3C",
    text1="#E9ECEA",
    text2="#B9C1BE",
    text3="#A1ABA8",
    hairline="#333A39",
    rowline="#252A2A",
    border="#7E8885",
    accent="#4BC0B6",
    on_accent="#04211F",
    accent_line="#2B857E",
    ping_good="#7FB6EA",
    ping_fair="#E0AE4A",
    ping_bad="#F28A6B",
    ping_unknown="#88918F",
    full="#E39A60",
    locked="#A1ABA8",
    favourite="#E5B945",
    friend="#CF9FEC",
    warning="#E8A84C",
    win="#7FB6EA",
    loss="#F28A6B",
    draw="#A1ABA8",
    score_low="#668A86",
    score_mid="#4E9F98",
    score_high="#4BC0B6",
    plot1="#4BC0B6",
    plot2="#E5692B",
    plot3="#AEBBFF",
    plot4="#EBDB85",
    plot5="#DB5FC6",
)
HIGH_CONTRAST = Palette(
    window="#000000",
    surface="#000000",
    raised="#000000",
    hover="#262626",
    selected="#00413D",
    text1="#FFFFFF",
    text2="#FFFFFF",
    text3="#D8D8D8",
    hairline="#8C8C8C",
    rowline="#4A4A4A",
    border="#FFFFFF",
    accent="#5CF2E4",
    on_accent="#000000",
    accent_line="#000000",
    ping_good="#9AD2FF",
    ping_fair="#FFD45A",
    ping_bad="#FF9E80",
    ping_unknown="#D8D8D8",
    full="#FFB27A",
    locked="#FFFFFF",
    favourite="#FFD84A",
    friend="#E6BCFF",
    warning="#FFC15A",
    win="#9AD2FF",
    loss="#FF9E80",
    draw="#D8D8D8",
    score_low="#7FB3AE",
    score_mid="#6FD3CA",
    score_high="#5CF2E4",
    plot1="#5CF2E4",
    plot2="#E8893A",
    plot3="#9AA2FF",
    plot4="#FFF27A",
    plot5="#FF5FB0",
)

PALETTES = {"light": LIGHT, "dark": DARK, "contrast": HIGH_CONTRAST}


def to_qt_palette(colors: Palette) -> QPalette:
    """Return the palette for Qt's own widgets.

    The selection does not invert the text, so colours inside a row stay valid.
    """
    palette = QPalette()
    role = QPalette.ColorRole
    for roles, value in (
        ((role.Window,), colors.window),
        ((role.Base, role.AlternateBase), colors.surface),
        ((role.Button, role.ToolTipBase), colors.raised),
        ((role.Text, role.WindowText, role.ButtonText, role.HighlightedText, role.ToolTipText), colors.text1),
        ((role.PlaceholderText,), colors.text3),
        ((role.Highlight,), colors.selected),
        ((role.Accent, role.Link), colors.accent),
        ((role.Mid, role.Dark), colors.border),
        ((role.Midlight, role.Light), colors.hairline),
    ):
        for one in roles:
            palette.setColor(one, QColor(value))
    for one in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, one, QColor(colors.text3))
    return palette
