"""How moments are written beside plots, in the user's own time."""

import time
from collections.abc import Iterator

from browser_app.language import gettext as _
from browser_app.language import later

DAY_S = 86400
_DAYS = (later("Mon"), later("Tue"), later("Wed"), later("Thu"), later("Fri"), later("Sat"), later("Sun"))
_MONTHS = (
    later("Jan"), later("Feb"), later("Mar"), later("Apr"), later("May"), later("Jun"),
    later("Jul"), later("Aug"), later("Sep"), later("Oct"), later("Nov"), later("Dec"),
)  # fmt: skip


def weekday(place: int) -> str:
    """`Mon` for 0 … `Sun` for 6."""
    return _(_DAYS[place])


def clock_time(moment: float) -> str:
    """`14:05`."""
    local = time.localtime(moment)
    return f"{local.tm_hour}:{local.tm_min:02}"


def day_text(moment: float) -> str:
    """`Thu`."""
    return weekday(time.localtime(moment).tm_wday)


def date_text(moment: float) -> str:
    """`5 Nov`."""
    local = time.localtime(moment)
    return _("{day} {month}").format(day=local.tm_mday, month=month_name(local.tm_mon))


def date_of(moment: float) -> str:
    """`7 Aug`, or `7 Aug 2024` where it is not this year."""
    if is_this_year(moment):
        return date_text(moment)
    return _("{date} {year}").format(date=date_text(moment), year=time.localtime(moment).tm_year)


def is_this_year(moment: float) -> bool:
    """By the local calendar."""
    return time.localtime(moment).tm_year == time.localtime().tm_year


def month_name(number: int) -> str:
    """`Nov` for 11."""
    return _(_MONTHS[number - 1])


def midnights(first: float, last: float, every_h: int = 24) -> Iterator[float]:
    """The local midnights, and with fewer hours the round hours between, in a span of time."""
    local = time.localtime(first)
    year, month, day = local[:3]
    hour = local.tm_hour // every_h * every_h
    while True:
        moment = time.mktime((year, month, day, hour, 0, 0, 0, 0, -1))  # days and hours may run over
        if moment > last:
            return
        if moment >= first:
            yield moment
        hour += every_h
