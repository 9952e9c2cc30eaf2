"""Text formats of numbers, durations and dates."""

import time
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import Qt

from browser_app.language import N_
from browser_app.language import gettext as _

DAY_S = 86400
_WEEKDAYS = (N_("Mon"), N_("Tue"), N_("Wed"), N_("Thu"), N_("Fri"), N_("Sat"), N_("Sun"))
_MONTHS = (
    N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun"),
    N_("Jul"), N_("Aug"), N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec"),
)  # fmt: skip


def weekday_name(index: int) -> str:
    """`Mon` for 0 … `Sun` for 6."""
    return _(_WEEKDAYS[index])


def clock_time_text(moment: float) -> str:
    """`14:05`."""
    local = time.localtime(moment)
    return f"{local.tm_hour}:{local.tm_min:02}"


def weekday_text(moment: float) -> str:
    """`Thu`."""
    return weekday_name(time.localtime(moment).tm_wday)


def day_and_month_text(moment: float) -> str:
    """`5 Nov`."""
    local = time.localtime(moment)
    return _("{day} {month}").format(day=local.tm_mday, month=month_name(local.tm_mon))


def date_with_year_text(moment: float) -> str:
    """`7 Aug`, or `7 Aug 2024` where it is not this year."""
    if is_this_year(moment):
        return day_and_month_text(moment)
    return _("{date} {year}").format(date=day_and_month_text(moment), year=time.localtime(moment).tm_year)


def is_this_year(moment: float) -> bool:
    """By the local calendar."""
    return time.localtime(moment).tm_year == time.localtime().tm_year


def month_name(number: int) -> str:
    """`Nov` for 11."""
    return _(_MONTHS[number - 1])


MINUS = "\u2212"
THIN_SPACE = "\u2009"
UNKNOWN_VALUE = "–"


def ping_text(ping_ms: float | None, estimated: bool = False) -> str:
    """`47`, `~118` when estimated, `–` without an answer; below one millisecond it says so."""
    if ping_ms is None:
        return UNKNOWN_VALUE
    return ("~" if estimated else "") + ("<1" if ping_ms < 1 else f"{ping_ms:.0f}")


def players_text(players: int | None, slots: int | None) -> str:
    """`8/20`; what is unknown is a dash."""
    return f"{UNKNOWN_VALUE if players is None else players}/{UNKNOWN_VALUE if slots is None else slots}"


def score_text(score: float | None) -> str:
    """Two decimals, or nothing for a server that is not ranked."""
    return "" if score is None else f"{score:.2f}"


def points_text(points: float | None) -> str:
    """Skill in whole points."""
    return UNKNOWN_VALUE if points is None else f"{points:.0f}"


def signed_text(value: float) -> str:
    """`+80`, `−420`, with a real minus sign."""
    return f"{MINUS if value < 0 else '+'}{abs(value):.0f}"


def thousands_text(value: int) -> str:
    """`12 400` with thin spaces."""
    return f"{value:,}".replace(",", THIN_SPACE)


def list_text(items: Sequence[str]) -> str:
    """Return `A`, `A and B`, or `A, B and C`."""
    if len(items) < 2:
        return "".join(items)
    return _("{first} and {last}").format(first=", ".join(items[:-1]), last=items[-1])


def percent_text(fraction: float, decimals: int = 0) -> str:
    """`79 %` of a share in 0…1."""
    return f"{fraction * 100:.{decimals}f} %"


def age_text(seconds: float) -> str:
    """`3 d`, `9 h`, `5 min`, or that it is less than a minute."""
    for length, words in ((86400.0, _("{n} d")), (3600.0, _("{n} h")), (60.0, _("{n} min"))):
        if seconds >= length:
            return words.format(n=f"{seconds / length:.0f}")
    return _("less than a minute")


def plain_tool_tip(text: str) -> str:
    """Text for a tooltip, where Qt would take a server's `<b>` for markup: such text is escaped."""
    return Qt.convertFromPlainText(text) if Qt.mightBeRichText(text) else text


def duration_text(seconds: float) -> str:
    """`1:03:22` or `42:10`."""
    minutes, second = divmod(int(max(0.0, seconds)), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def abbreviated_path(path: Path) -> str:
    """With `~` for the user's folder."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(path)
