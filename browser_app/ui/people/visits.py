"""The user's visits to a server in words."""

from collections.abc import Sequence
from datetime import date, datetime

from PySide6.QtCore import QDate, QLocale

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.storage.history import Join
from browser_app.ui.texts import UNKNOWN

SHOWN = 3
"""So many of the last visits stand there one by one."""


def lines_of(visits: Sequence[Join], today: date) -> list[tuple[str, str, str]]:
    """The last visits, newest first: day, time, and how long it was."""
    lines = []
    for visit in visits[:SHOWN]:
        at = datetime.fromtimestamp(visit.joined_at).astimezone()
        seconds = _seconds(visit)
        lines.append((_day(at.date(), today), f"{at:%H:%M}", UNKNOWN if seconds is None else length(seconds)))
    return lines


def summary(visits: Sequence[Join]) -> str:
    """How many they are, and how long in all; a visit whose end nobody saw counts in the number only."""
    if not visits:
        return _("None yet.")
    many = ngettext("{n} visit", "{n} visits", len(visits)).format(n=len(visits))
    seconds = [each for visit in visits if (each := _seconds(visit)) is not None]
    return _("{visits}, {time} in all.").format(visits=many, time=length(sum(seconds))) if seconds else f"{many}."


def length(seconds: float) -> str:
    """`48 min`, `2 h 05 min`."""
    hours, minutes = divmod(round(seconds / 60), 60)
    if hours:
        return _("{hours} h {minutes} min").format(hours=hours, minutes=f"{minutes:02}")
    return _("{minutes} min").format(minutes=minutes)


def _seconds(visit: Join) -> float | None:
    return None if visit.left_at is None else max(0.0, visit.left_at - visit.joined_at)


def _day(day: date, today: date) -> str:
    ago = (today - day).days
    if ago in (0, 1):
        return _("Yesterday") if ago else _("Today")
    form = "ddd d MMM" if day.year == today.year else "d MMM yyyy"
    return QLocale().toString(QDate(day.year, day.month, day.day), form)
