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


_COLORS = {
    "window": ("#ECEDE9", "#161918", "#000000"),
    "surface": ("#FAFAF7", "#1C2020", "#000000"),
    "raised": ("#FFFFFF", "#232828", "#000000"),
    "hover": ("#EEF1ED", "#262D2C", "#262626"),
    "selected": ("#D5E6E3", "#1D3E3C", "#00413D"),
    "text1": ("#191D1C", "#E9ECEA", "#FFFFFF"),
    "text2": ("#454D4B", "#B9C1BE", "#FFFFFF"),
    "text3": ("#59615F", "#A1ABA8", "#D8D8D8"),
    "hairline": ("#D3D6D1", "#333A39", "#8C8C8C"),
    "rowline": ("#EEEFEB", "#252A2A", "#4A4A4A"),
    "border": ("#767F7C", "#7E8885", "#FFFFFF"),
    "accent": ("#0A6664", "#4BC0B6", "#5CF2E4"),
    "on_accent": ("#FFFFFF", "#04211F", "#000000"),
    "accent_line": ("#4E9391", "#2B857E", "#000000"),
    "ping_good": ("#22669C", "#7FB6EA", "#9AD2FF"),
    "ping_fair": ("#A87400", "#E0AE4A", "#FFD45A"),
    "ping_bad": ("#9A2510", "#F28A6B", "#FF9E80"),
    "ping_unknown": ("#6B7472", "#88918F", "#D8D8D8"),
    "full": ("#8A4A12", "#E39A60", "#FFB27A"),
    "locked": ("#59615F", "#A1ABA8", "#FFFFFF"),
    "favourite": ("#855A00", "#E5B945", "#FFD84A"),
    "friend": ("#76389B", "#CF9FEC", "#E6BCFF"),
    "warning": ("#8A4F00", "#E8A84C", "#FFC15A"),
    "win": ("#22669C", "#7FB6EA", "#9AD2FF"),
    "loss": ("#9A2510", "#F28A6B", "#FF9E80"),
    "draw": ("#6B7472", "#A1ABA8", "#D8D8D8"),
    "score_low": ("#678683", "#668A86", "#7FB3AE"),
    "score_mid": ("#35756F", "#4E9F98", "#6FD3CA"),
    "score_high": ("#0A6664", "#4BC0B6", "#5CF2E4"),
    "plot1": ("#0A6664", "#4BC0B6", "#5CF2E4"),
    "plot2": ("#9A3B00", "#E5692B", "#E8893A"),
    "plot3": ("#2B3590", "#AEBBFF", "#9AA2FF"),
    "plot4": ("#A08A00", "#EBDB85", "#FFF27A"),
    "plot5": ("#C04FA0", "#DB5FC6", "#FF5FB0"),
}
"""Colours by role: light, dark, high contrast."""

LIGHT, DARK, HIGH_CONTRAST = (
    Palette(**{role: colors[place] for role, colors in _COLORS.items()}) for place in range(3)
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
