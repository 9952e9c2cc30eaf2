"""How values are written: numbers, units, unknown. One place, so that cells, tooltips and speech agree."""

from PySide6.QtGui import Qt

from browser_app.language import gettext as _

MINUS = "\u2212"
THIN_SPACE = "\u2009"
UNKNOWN = "–"


def ping_text(ping_ms: float | None, estimated: bool = False) -> str:
    """`47`, `~118` when estimated, `–` without an answer; below one millisecond it says so."""
    if ping_ms is None:
        return UNKNOWN
    return ("~" if estimated else "") + ("<1" if ping_ms < 1 else f"{ping_ms:.0f}")


def players_text(players: int | None, slots: int | None) -> str:
    """`8/20`; what is unknown is a dash."""
    return f"{UNKNOWN if players is None else players}/{UNKNOWN if slots is None else slots}"


def score_text(score: float | None) -> str:
    """Two decimals, or nothing for a server that is not ranked."""
    return "" if score is None else f"{score:.2f}"


def points_text(points: float | None) -> str:
    """Skill in whole points."""
    return UNKNOWN if points is None else f"{points:.0f}"


def signed(value: float) -> str:
    """`+80`, `−420`, with a real minus sign."""
    return f"{MINUS if value < 0 else '+'}{abs(value):.0f}"


def thousands(value: int) -> str:
    """`12 400` with thin spaces."""
    return f"{value:,}".replace(",", THIN_SPACE)


def ordinal(place: int) -> str:
    """`1st`, `2nd`, `13th`."""
    if place % 100 not in (11, 12, 13) and place % 10 in (1, 2, 3):
        return (_("{n}st"), _("{n}nd"), _("{n}rd"))[place % 10 - 1].format(n=place)
    return _("{n}th").format(n=place)


def percent(share: float, decimals: int = 0) -> str:
    """`79 %` of a share in 0…1."""
    return f"{share * 100:.{decimals}f} %"


def age_text(seconds: float) -> str:
    """`3 d`, `9 h`, `5 min`, or that it is less than a minute."""
    for length, words in ((86400.0, _("{n} d")), (3600.0, _("{n} h")), (60.0, _("{n} min"))):
        if seconds >= length:
            return words.format(n=f"{seconds / length:.0f}")
    return _("less than a minute")


def tool_tip(text: str) -> str:
    """Text for a tooltip, where Qt would take a server's `<b>` for markup: such text is escaped."""
    return Qt.convertFromPlainText(text) if Qt.mightBeRichText(text) else text


def clock(seconds: float) -> str:
    """`1:03:22` or `42:10`."""
    minutes, second = divmod(int(max(0.0, seconds)), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
