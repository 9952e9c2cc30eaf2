"""The table's columns: one declaration each (title, width, text, speech, drawing). Order keys are the catalogue's."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QRect

from browser_app.language import gettext as _
from browser_app.language import later, ngettext
from browser_app.ui import cells
from browser_app.ui.cells import CellPainter
from browser_app.ui.row import Row
from browser_app.ui.sparkline import likely_text, paint_trend, spoken_likely, spoken_trend, trend_text
from browser_app.ui.texts import UNKNOWN, age_text, ordinal, ping_text, players_text, points_text, score_text, signed


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `key` is the order it sorts by (empty: it does not sort)."""

    key: str
    title: str
    width: int
    text: Callable[[Row], str]
    spoken: Callable[[Row], str]
    paint: Callable[[CellPainter, QRect, Row, bool, bool], None]
    """Painter, box, row, selected, chosen by Play Now."""
    right: bool = False
    stretch: bool = False
    goes: int = 0
    """Where room is short columns with a number go, the lowest first; those without one stay."""
    icon: str = ""
    """Stands in the header in place of the title."""
    chosen: bool = True
    """Shown unless the user decides otherwise."""
    sample: str = ""
    """A text that is to have room in every font; English, translated where it is measured."""
    drawn: int = 0
    """Room beside the sample for what is drawn, px."""
    wished: str = ""
    """A longer sample, that has room where other columns can give it."""
    least: int = 0
    """So narrow it may become for that, px; 0: it gives nothing."""

    @property
    def name(self) -> str:
        """What it is called where there is room: in menus, and spoken."""
        return _(self.title) or _("Favourite")


def _plain(
    key: str,
    title: str,
    width: int,
    text: Callable[[Row], str],
    *,
    goes: int = 0,
    icon: str = "",
    right: bool = False,
    chosen: bool = True,
    sample: str = "",
    least: int = 0,
) -> Column:
    paint = cells.paint_number if right else cells.paint_text
    return Column(
        key,
        title,
        width,
        text,
        lambda row: _("{column} {value}").format(column=_(title), value=_value(text(row))),
        lambda painter, box, row, _selected, _chosen: paint(painter, box, row, text(row)),
        right=right,
        goes=goes,
        icon=icon,
        chosen=chosen,
        sample=sample,
        least=least,
    )


def _value(text: str) -> str:
    return _("unknown") if text in ("", UNKNOWN) else text


def _spoken_score(row: Row) -> str:
    if row.silent:
        return _("no answer")
    if row.score is None or row.place is None:
        return _("not ranked")
    place = _("best") if row.place == 1 else ordinal(row.place)
    return _("score {score}, {place} of {n}").format(score=score_text(row.score), place=place, n=row.ranked)


def _spoken_ping(row: Row) -> str:
    if row.ping_ms is None or row.silent:
        return _("ping unknown")
    if row.ping_doubted:
        return _("ping of {ms} milliseconds, not believable").format(ms=ping_text(row.ping_ms))
    words = (_("unknown"), _("slow"), _("fair"), _("good"))[cells.ping_dots(row)[0]]
    if row.ping_estimated:
        spoken = _("ping about {ms} milliseconds, {verdict}")
    elif row.ping_loaded:
        spoken = _("ping at most {ms} milliseconds, measured while this machine was busy, {verdict}")
    else:
        spoken = _("ping {ms} milliseconds, {verdict}")
    return spoken.format(ms=ping_text(row.ping_ms), verdict=words)


def _players(row: Row) -> str:
    text = players_text(row.players, row.usable_slots)
    return f"{text} +{row.bots}" if row.bots else text


def _spoken_players(row: Row) -> str:
    if row.players is None:
        return _("players unknown")
    slots = _("an unknown number of") if row.usable_slots is None else row.usable_slots
    parts = [_("{n} of {total} playing").format(n=row.players, total=slots)]
    if row.bots:
        parts.append(ngettext("{n} bot", "{n} bots", row.bots).format(n=row.bots))
    return ", ".join([*parts, _("full")] if row.full else parts)


def _skill(row: Row) -> str:
    if row.skill_distance is None:
        return points_text(row.skill)
    return f"{points_text(row.skill)} {signed(row.skill_distance)}"


def _spoken_name(row: Row) -> str:
    marks = (
        (row.locked, _("needs a password")),
        (row.friends, ngettext("{n} friend is there", "{n} friends are there", row.friends).format(n=row.friends)),
    )
    return ". ".join((", ".join((row.name, *(words for so, words in marks if so))), *row.doubts))


def _spoken_locked(row: Row) -> str:
    if row.locked is None:
        return _("{column} {value}").format(column=_("Password"), value=_("unknown"))
    return _("needs a password") if row.locked else _("no password")


def _gain(row: Row) -> str:
    return UNKNOWN if row.gain is None or row.silent else f"+{row.gain:.2f}"


def _last_played(row: Row) -> str:
    return UNKNOWN if row.last_played is None else age_text(max(0.0, time.time() - row.last_played))


COLUMNS: tuple[Column, ...] = (
    Column(
        "favourite",
        "",
        24,
        lambda row: "★" if row.favourite else "",
        lambda row: _("favourite") if row.favourite else "",
        lambda painter, box, row, _selected, chosen: cells.paint_lead(painter, box, row, chosen=chosen),
    ),
    Column(
        "score",
        later("Score"),
        80,
        lambda row: _("no answer") if row.silent else score_text(row.score),
        _spoken_score,
        lambda painter, box, row, _selected, _chosen: cells.paint_score(painter, box, row),
    ),
    Column(
        "ping",
        later("Ping"),
        66,
        cells.row_ping_text,
        _spoken_ping,
        lambda painter, box, row, _selected, _chosen: cells.paint_ping(painter, box, row),
        right=True,
    ),
    _plain("game", later("Game"), 46, lambda row: row.game),
    Column(
        "name",
        later("Name"),
        220,
        lambda row: row.name,
        _spoken_name,
        lambda painter, box, row, selected, _chosen: cells.paint_name(painter, box, row, selected=selected),
        stretch=True,
        sample="Friendly Stormkeep Lyon",
        wished="Wandering Stormkeep Amsterdam #2",
    ),
    Column(
        "players",
        later("Players"),
        120,
        _players,
        _spoken_players,
        lambda painter, box, row, _selected, _chosen: cells.paint_players(painter, box, row),
        sample=later("full"),
        drawn=cells.PLAYERS_BAR + cells.PADDING + cells.PLAYERS_NUMBER + cells.PADDING,
    ),
    _plain("map", later("Map"), 96, lambda row: row.map, goes=8, least=76),
    _plain("mode", later("Mode"), 44, lambda row: row.mode, goes=6, sample="combat"),
    _plain(
        "performance",
        later("Performance"),
        84,
        lambda row: points_text(row.performance),
        right=True,
        chosen=False,
        goes=3,
    ),
    Column(
        "skill",
        later("Skill, to you"),
        84,
        _skill,
        lambda row: _("skill unknown") if row.skill is None else _("skill {points}").format(points=_skill(row)),
        lambda painter, box, row, _selected, _chosen: cells.paint_skill(painter, box, row),
        right=True,
        goes=7,
    ),
    _plain("country", later("Country"), 30, lambda row: row.country or "", goes=5, icon="globe"),
    Column(
        "trend",
        later("6 hours"),
        62,
        trend_text,
        spoken_trend,
        lambda painter, box, row, _selected, _chosen: paint_trend(painter, box, row),
        goes=6,
    ),
    Column(
        "forecast",
        later("In 30 min"),
        84,
        likely_text,
        spoken_likely,
        lambda painter, box, row, _selected, _chosen: cells.paint_number(painter, box, row, likely_text(row)),
        right=True,
        chosen=False,
        goes=3,
    ),
    Column(
        "locked",
        later("Password"),
        28,
        lambda row: UNKNOWN if row.locked is None else _("yes") if row.locked else _("no"),
        _spoken_locked,
        lambda painter, box, row, _selected, _chosen: (
            cells.paint_icon(painter, box, "lock", "locked") if row.locked else None
        ),
        icon="lock",
        chosen=False,
        goes=1,
    ),
    _plain("last_played", later("Last played"), 82, _last_played, chosen=False, goes=2, right=True),
    _plain("gain", later("Where I matter"), 104, _gain, chosen=False, goes=4, right=True),
)


def column_of(order: str) -> str:
    """Key of the column that shows what an order (with `-` when turned round) sorts by."""
    key = order.removeprefix("-")
    return "skill" if key == "skill_distance" else key
