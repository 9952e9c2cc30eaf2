"""Text formats of numbers, durations and dates."""

import math
import time
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import Qt

from browser_app.catalogue.server_value_text import ping_text, spread_text
from browser_app.language import N_, ngettext
from browser_app.language import gettext as _
from browser_app.number_text import MINUS, UNIT_SEPARATOR, decimal_text, integer_text

DAY_S = 86400
_WEEKDAYS = (N_("Mon"), N_("Tue"), N_("Wed"), N_("Thu"), N_("Fri"), N_("Sat"), N_("Sun"))
_MONTHS = (
    N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun"),
    N_("Jul"), N_("Aug"), N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec"),
)  # fmt: skip


def weekday_name(index: int) -> str:
    """Return `Mon` for 0 to `Sun` for 6."""
    return _(_WEEKDAYS[index])


def clock_time_text(moment: float) -> str:
    """Return the local time, such as `14:05`."""
    local = time.localtime(moment)
    return f"{local.tm_hour}:{local.tm_min:02}"


def weekday_text(moment: float) -> str:
    """Return the local weekday, such as `Thu`."""
    return weekday_name(time.localtime(moment).tm_wday)


def day_and_month_text(moment: float) -> str:
    """Return the local date, such as `5 Nov`."""
    local = time.localtime(moment)
    return _("{day} {month}").format(day=local.tm_mday, month=month_name(local.tm_mon))


def date_with_year_text(moment: float) -> str:
    """Return `7 Aug`, or `7 Aug 2024` in another year."""
    if is_this_year(moment):
        return day_and_month_text(moment)
    return _("{date} {year}").format(date=day_and_month_text(moment), year=time.localtime(moment).tm_year)


def is_this_year(moment: float) -> bool:
    """Return whether a time is in the current year of the local calendar."""
    return time.localtime(moment).tm_year == time.localtime().tm_year


def month_name(number: int) -> str:
    """Return `Jan` for 1 to `Dec` for 12."""
    return _(_MONTHS[number - 1])


def hour_range_text(first: int, last: int) -> str:
    """Return the time from one hour of the day, 0 to 23, to another, 1 to 24."""
    return _("{first}:00–{last}:00").format(first=first, last=last)


def ping_spread_text(median_ms: float, spread_ms: float, count: int) -> str:
    """Return `Median 34 ms, ±3.2 over 8 answers`; empty if the spread is unknown."""
    if math.isnan(spread_ms):
        return ""
    text = ngettext("Median {ms} ms, {spread} over {n} answer", "Median {ms} ms, {spread} over {n} answers", count)
    return text.format(ms=ping_text(median_ms), spread=spread_text(spread_ms), n=count)


def signed_text(value: float) -> str:
    """Return `+80` or `−420`, with U+2212 as the minus sign."""
    return f"{MINUS if value < 0 else '+'}{integer_text(abs(value))}"


def list_text(items: Sequence[str]) -> str:
    """Return `A`, `A and B`, or `A, B and C`."""
    if len(items) < 2:
        return "".join(items)
    return _("{first} and {last}").format(first=", ".join(items[:-1]), last=items[-1])


def join_sentences(first: str, second: str) -> str:
    """Return two whole sentences as one text; either may be empty."""
    return _("{first} {second}").format(first=first, second=second) if first and second else first or second


def capitalise(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def percent_text(fraction: float, decimals: int = 0) -> str:
    """Return `79 %` for a fraction from 0 to 1, on one line."""
    return UNIT_SEPARATOR.join((decimal_text(fraction * 100, decimals), "%"))


def chance_text(chance: float, decimals: int = 0) -> str:
    """Return `79 %`, but `> 99 %` and `< 1 %` where rounding would claim certainty."""
    percent, least = round(100 * chance, decimals), 10.0 ** -(decimals + 2)
    if percent >= 100:
        return UNIT_SEPARATOR.join((">", percent_text(1 - least, decimals)))
    return UNIT_SEPARATOR.join(("<", percent_text(least, decimals))) if percent <= 0 else percent_text(chance, decimals)


_YEAR_S = 365.25 * 86400.0


def age_text(seconds: float) -> str:
    """Return `4 y`, `3 d`, `9 h` or `5 min`, or a text for less than a minute.

    Ages up to two years are in days.
    """
    if seconds >= 2 * _YEAR_S:
        return _("{n} y").format(n=f"{seconds / _YEAR_S:.0f}")
    for length, text in ((86400.0, _("{n} d")), (3600.0, _("{n} h")), (60.0, _("{n} min"))):
        if seconds >= length:
            return text.format(n=f"{seconds / length:.0f}")
    return _("less than a minute")


def short_age_text(seconds: float) -> str:
    """Return `12 s` for less than a minute, else `age_text`."""
    return _("{n} s").format(n=int(seconds)) if seconds < 60 else age_text(seconds)


def list_age_text(seconds: float) -> str:
    """Return how old the list is that a server's values come from."""
    return _("From its list, {age} ago").format(age=short_age_text(seconds))


def plain_tool_tip(text: str) -> str:
    """Return a tooltip text that Qt shows as plain text, even if it contains markup."""
    return Qt.convertFromPlainText(text) if Qt.mightBeRichText(text) else text


def duration_text(seconds: float) -> str:
    """Return `1:03:22` or `42:10`."""
    minutes, second = divmod(int(max(0.0, seconds)), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def hours_text(seconds: float) -> str:
    """Return `48 min` or `2 h 05 min`."""
    hours, minutes = divmod(round(seconds / 60), 60)
    if hours:
        return _("{hours} h {minutes} min").format(hours=hours, minutes=f"{minutes:02}")
    return _("{minutes} min").format(minutes=minutes)


def abbreviated_path(path: Path) -> str:
    """Return a path with `~` for the user's home folder."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(path)
