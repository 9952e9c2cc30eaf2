"""Declarations of the server table's columns."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QRect

from browser_app.catalogue.server_fields import SERVER_FIELDS
from browser_app.catalogue.server_value_text import UNKNOWN_VALUE, ping_text, players_text, points_text, score_text
from browser_app.language import N_, ngettext
from browser_app.language import gettext as _
from browser_app.ui.servers import server_cells
from browser_app.ui.servers.server_row import ServerRow
from browser_app.ui.servers.trend_sparkline import (
    accessible_forecast,
    accessible_trend,
    forecast_cell_text,
    paint_trend_cell,
    trend_text,
)
from browser_app.ui.widgets.tables.cell_painter import CELL_PADDING, CellPainter
from browser_app.ui.widgets.value_text import age_text, signed_text

SCORE_MEANING = N_("It says how likely a good game is for you here and now; favourites count double.")


@dataclass(frozen=True, slots=True)
class ServerColumn:
    """Declaration of a column.

    `key` is also the sort order, empty if the column does not sort.
    """

    key: str
    title: str
    width: int
    text: Callable[[ServerRow], str]
    accessible_text: Callable[[ServerRow], str]
    paint: Callable[[CellPainter, QRect, ServerRow, bool, bool], None]
    """Paints a cell; arguments: painter, box, row, is selected, is Play Now's choice."""
    align_right: bool = False
    shows_field_text: bool = False
    """Shows the text of the `ServerField` with the same key."""
    stretch: bool = False
    drop_order: int = 0
    """Columns with a number are hidden when space is short, lowest first; 0 is never hidden."""
    icon: str = ""
    """Shown in the header instead of the title."""
    default_visible: bool = True
    """Shown unless the user chose otherwise."""
    may_be_empty: bool = False
    """Hidden where no server of the list has a value."""
    sample: str = ""
    """A text that fits in every font; English, translated where it is measured."""
    extra_width: int = 0
    """Space beside the sample for graphics, px."""
    long_sample: str = ""
    """A longer sample that fits where there is space, that of the name also where other columns can give up some."""
    min_width: int = 0
    """Width down to which the column gives up space, px; 0 gives up none."""
    meaning: str = ""
    """What the value means, for the header's tooltip; empty if the title is enough."""

    @property
    def name(self) -> str:
        """Full title for menus and screen readers."""
        return _(self.title) or _("Favourite")


def _text_column(
    key: str,
    width: int,
    text: Callable[[ServerRow], str] | None = None,
    *,
    accessible_text: Callable[[ServerRow], str] | None = None,
    drop_order: int = 0,
    icon: str = "",
    default_visible: bool = True,
    may_be_empty: bool = False,
    sample: str = "",
    long_sample: str = "",
    min_width: int = 0,
    meaning: str = "",
) -> ServerColumn:
    """Declare a column that shows a `ServerField` as a text: its own one, or `text`."""
    field = SERVER_FIELDS[key]
    is_number = field.number is not None
    cell_text = text or (lambda row: row.texts[key])
    paint = server_cells.paint_number_cell if is_number else server_cells.paint_text_cell
    return ServerColumn(
        key,
        field.title,
        width,
        cell_text,
        accessible_text or (lambda row: _accessible_field(field.title, cell_text(row))),
        lambda painter, box, row, _selected, _chosen: paint(painter, box, row, cell_text(row)),
        align_right=is_number,
        shows_field_text=text is None,
        drop_order=drop_order,
        icon=icon,
        default_visible=default_visible,
        may_be_empty=may_be_empty,
        sample=sample,
        long_sample=long_sample,
        min_width=min_width,
        meaning=meaning,
    )


def _accessible_field(title: str, text: str) -> str:
    value = _("unknown") if text in ("", UNKNOWN_VALUE) else text
    return _("{column}: {value}").format(column=_(title), value=value)


def _accessible_mode(row: ServerRow) -> str:
    if row.is_mode_from_map:
        return _("Mode: {value}, judging by the map’s name").format(value=row.texts["mode"])
    return _accessible_field(SERVER_FIELDS["mode"].title, row.texts["mode"])


def _accessible_score(row: ServerRow) -> str:
    if row.is_unresponsive:
        return _("no answer")
    if row.score is None or row.rank is None:
        return _("not ranked")
    text = _("score {score}, best of {n}") if row.rank == 1 else _("score {score}, rank {place} of {n}")
    return text.format(score=score_text(row.score), place=row.rank, n=row.ranked_count)


def _accessible_ping(row: ServerRow) -> str:
    if row.ping_ms is None or row.is_unresponsive:
        return _("ping unknown")
    if row.ping_suspicious:
        return _("ping of {ms} milliseconds, implausible").format(ms=ping_text(row.ping_ms))
    text = (_("unknown"), _("poor"), _("fair"), _("good"))[server_cells.ping_dot_style(row)[0]]
    if row.ping_estimated:
        spoken = _("ping about {ms} milliseconds, {verdict}")
    elif row.ping_under_load:
        spoken = _("ping at most {ms} milliseconds, measured while this computer was busy, {verdict}")
    else:
        spoken = _("ping {ms} milliseconds, {verdict}")
    return spoken.format(ms=ping_text(row.ping_ms), verdict=text)


def _players_cell_text(row: ServerRow) -> str:
    text = players_text(row.players, row.usable_slots)
    return f"{text} +{row.bots}" if row.bots else text


def _accessible_players(row: ServerRow) -> str:
    if row.players is None:
        return _("players unknown")
    slots = _("unknown") if row.usable_slots is None else row.usable_slots
    parts = [_("players: {n} of {total}").format(n=row.players, total=slots)]
    if row.bots:
        parts.append(ngettext("{n} bot", "{n} bots", row.bots).format(n=row.bots))
    if row.is_full or row.is_closed:
        parts.append(_("full") if row.is_full else _("closed"))
    return ", ".join(parts)


def _skill_cell_text(row: ServerRow) -> str:
    if row.skill_distance is None:
        return points_text(row.skill)
    return f"{points_text(row.skill)} {signed_text(row.skill_distance)}"


def _accessible_name(row: ServerRow) -> str:
    marks = (
        (row.is_locked, _("needs a password")),
        (row.friends, ngettext("{n} friend online", "{n} friends online", row.friends).format(n=row.friends)),
    )
    return ". ".join((", ".join((row.name, *(text for applies, text in marks if applies))), *row.suspicions))


def _accessible_locked(row: ServerRow) -> str:
    if row.is_locked is None:
        return _("{column}: {value}").format(column=_("Password"), value=_("unknown"))
    return _("needs a password") if row.is_locked else _("no password")


def _last_played_text(row: ServerRow) -> str:
    return UNKNOWN_VALUE if row.last_played is None else age_text(max(0.0, time.time() - row.last_played))


SERVER_COLUMNS: tuple[ServerColumn, ...] = (
    ServerColumn(
        "favourite",
        "",
        24,
        lambda row: "★" if row.is_favourite else "",
        lambda row: _("favourite") if row.is_favourite else "",
        lambda painter, box, row, _selected, chosen: server_cells.paint_favourite_cell(
            painter, box, row, play_now_choice=chosen
        ),
    ),
    ServerColumn(
        "score",
        SERVER_FIELDS["score"].title,
        86,
        lambda row: _("no answer") if row.is_unresponsive else score_text(row.score),
        _accessible_score,
        lambda painter, box, row, _selected, _chosen: server_cells.paint_score_cell(painter, box, row),
        meaning=SCORE_MEANING,
    ),
    ServerColumn(
        "ping",
        SERVER_FIELDS["ping"].title,
        66,
        server_cells.server_ping_text,
        _accessible_ping,
        lambda painter, box, row, _selected, _chosen: server_cells.paint_ping_cell(painter, box, row),
        align_right=True,
    ),
    _text_column(
        "ping_spread",
        74,
        default_visible=False,
        drop_order=2,
        may_be_empty=True,
        meaning=N_(
            "Average distance of the last pings from their median, over up to 8 answers since Ready Room started"
        ),
    ),
    _text_column("game", 46, lambda row: row.game),
    ServerColumn(
        "name",
        SERVER_FIELDS["name"].title,
        220,
        lambda row: row.name,
        _accessible_name,
        lambda painter, box, row, selected, _chosen: server_cells.paint_name_cell(painter, box, row, selected=selected),
        stretch=True,
        sample="Friendly Stormkeep Lyon",
        long_sample="Wandering Stormkeep Amsterdam #2",
    ),
    ServerColumn(
        "players",
        SERVER_FIELDS["players"].title,
        120,
        _players_cell_text,
        _accessible_players,
        lambda painter, box, row, _selected, _chosen: server_cells.paint_players_cell(painter, box, row),
        sample=N_("full"),
        extra_width=server_cells.PLAYERS_BAR_WIDTH + CELL_PADDING + server_cells.PLAYERS_NUMBER_WIDTH + CELL_PADDING,
    ),
    _text_column("map", 96, drop_order=8, may_be_empty=True, long_sample="koth_suijin_event_final2", min_width=88),
    _text_column(
        "mode",
        92,
        accessible_text=_accessible_mode,
        drop_order=6,
        may_be_empty=True,
        long_sample="Hardcore roleplay",
        min_width=58,
    ),
    _text_column("performance", 84, default_visible=False, drop_order=3),
    ServerColumn(
        "skill",
        N_("Skill (vs. you)"),
        94,
        _skill_cell_text,
        lambda row: (
            _("skill unknown") if row.skill is None else _("skill {points}").format(points=_skill_cell_text(row))
        ),
        lambda painter, box, row, _selected, _chosen: server_cells.paint_skill_cell(painter, box, row),
        align_right=True,
        drop_order=7,
        may_be_empty=True,
    ),
    _text_column("country", 30, drop_order=5, icon="globe", may_be_empty=True),
    _text_column("region", 62, default_visible=False, drop_order=2, may_be_empty=True),
    _text_column("language", 80, default_visible=False, drop_order=2, may_be_empty=True),
    ServerColumn(
        "trend",
        SERVER_FIELDS["trend"].title,
        62,
        trend_text,
        accessible_trend,
        lambda painter, box, row, _selected, _chosen: paint_trend_cell(painter, box, row),
        drop_order=6,
    ),
    ServerColumn(
        "forecast",
        SERVER_FIELDS["forecast"].title,
        84,
        forecast_cell_text,
        accessible_forecast,
        lambda painter, box, row, _selected, _chosen: server_cells.paint_number_cell(
            painter, box, row, forecast_cell_text(row)
        ),
        align_right=True,
        default_visible=False,
        drop_order=3,
    ),
    ServerColumn(
        "locked",
        SERVER_FIELDS["locked"].title,
        28,
        lambda row: UNKNOWN_VALUE if row.is_locked is None else _("yes") if row.is_locked else _("no"),
        _accessible_locked,
        lambda painter, box, row, _selected, _chosen: (
            server_cells.paint_icon_cell(painter, box, "lock", "locked") if row.is_locked else None
        ),
        icon="lock",
        default_visible=False,
        drop_order=1,
    ),
    _text_column("last_played", 82, _last_played_text, default_visible=False, drop_order=2),
    _text_column("gain", 104, default_visible=False, drop_order=4),
)
COLUMN_KEYS = tuple(column.key for column in SERVER_COLUMNS)
TEXT_FIELDS = tuple(column.key for column in SERVER_COLUMNS if column.shows_field_text)
"""Keys of the fields whose text is shown as it is."""


def column_key_of_order(order: str) -> str:
    """Return the key of the column that shows what an order sorts by.

    The order has `-` if reversed.
    """
    key = order.removeprefix("-")
    return "skill" if key == "skill_distance" else key
