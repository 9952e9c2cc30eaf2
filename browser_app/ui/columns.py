"""The table's columns: one declaration each (title, width, text, speech, drawing). Order keys are the catalogue's."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QRect

from browser_app.ui import cells
from browser_app.ui.cells import CellPainter
from browser_app.ui.row import Row
from browser_app.ui.texts import UNKNOWN, ordinal, ping_text, players_text, points_text, score_text, signed


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
    first_to_go: bool = False
    """Hidden where room is short."""
    icon: str = ""
    """Stands in the header in place of the title."""


def _plain(
    key: str, title: str, width: int, text: Callable[[Row], str], *, first_to_go: bool = False, icon: str = ""
) -> Column:
    return Column(
        key,
        title,
        width,
        text,
        lambda row: f"{title} {text(row) or 'unknown'}",
        lambda painter, box, row, _selected, _chosen: cells.paint_text(painter, box, row, text(row)),
        first_to_go=first_to_go,
        icon=icon,
    )


def _spoken_score(row: Row) -> str:
    if row.silent:
        return "no answer"
    if row.score is None or row.place is None:
        return "not ranked"
    place = "best" if row.place == 1 else ordinal(row.place)
    return f"score {score_text(row.score)}, {place} of {row.ranked}"


def _spoken_ping(row: Row) -> str:
    if row.ping_ms is None or row.silent:
        return "ping unknown"
    words = ("unknown", "slow", "fair", "good")[cells.ping_dots(row)[0]]
    return f"ping {'about ' if row.ping_estimated else ''}{row.ping_ms:.0f} milliseconds, {words}"


def _players(row: Row) -> str:
    text = players_text(row.players, row.usable_slots)
    return f"{text} +{row.bots}" if row.bots else text


def _spoken_players(row: Row) -> str:
    if row.players is None:
        return "players unknown"
    slots = "an unknown number of" if row.usable_slots is None else row.usable_slots
    bots = f", {row.bots} bots" if row.bots else ""
    return f"{row.players} of {slots} playing{bots}{', full' if row.full else ''}"


def _skill(row: Row) -> str:
    if row.skill_distance is None:
        return points_text(row.skill)
    return f"{points_text(row.skill)} {signed(row.skill_distance)}"


COLUMNS: tuple[Column, ...] = (
    Column(
        "favourite",
        "",
        26,
        lambda row: "★" if row.favourite else "",
        lambda row: "favourite" if row.favourite else "",
        lambda painter, box, row, _selected, chosen: cells.paint_lead(painter, box, row, chosen=chosen),
    ),
    Column(
        "score",
        "Score",
        76,
        lambda row: "no answer" if row.silent else score_text(row.score),
        _spoken_score,
        lambda painter, box, row, _selected, _chosen: cells.paint_score(painter, box, row),
    ),
    Column(
        "ping",
        "Ping",
        66,
        lambda row: UNKNOWN if row.silent else ping_text(row.ping_ms, row.ping_estimated),
        _spoken_ping,
        lambda painter, box, row, _selected, _chosen: cells.paint_ping(painter, box, row),
        right=True,
    ),
    _plain("game", "Game", 46, lambda row: row.game),
    Column(
        "name",
        "Name",
        220,
        lambda row: row.name,
        lambda row: f"{row.name}{', needs a password' if row.locked else ''}",
        lambda painter, box, row, selected, _chosen: cells.paint_name(painter, box, row, selected=selected),
        stretch=True,
    ),
    Column(
        "players",
        "Players",
        124,
        _players,
        _spoken_players,
        lambda painter, box, row, _selected, _chosen: cells.paint_players(painter, box, row),
    ),
    _plain("map", "Map", 96, lambda row: row.map),
    _plain("mode", "Mode", 46, lambda row: row.mode, first_to_go=True),
    Column(
        "skill",
        "Skill, to you",
        88,
        _skill,
        lambda row: "skill unknown" if row.skill is None else f"skill {_skill(row)}",
        lambda painter, box, row, _selected, _chosen: cells.paint_skill(painter, box, row),
        right=True,
    ),
    _plain("country", "Country", 30, lambda row: row.country or "", first_to_go=True, icon="globe"),
)
