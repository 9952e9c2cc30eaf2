"""The inspector's players: teams, then bots, then spectators apart, adding up to the row in the table."""

from collections.abc import Sequence
from itertools import groupby

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from browser_app.catalogue.facts import Facts, PlayerRow
from browser_app.language import gettext as _
from browser_app.language import later, ngettext
from browser_app.ui.texts import UNKNOWN, clock
from browser_app.ui.theme import Theme

LINE, MARGIN = 24, 14
_TEAMS = {1: later("Red"), 2: later("Blue"), 3: later("Yellow"), 4: later("Pink")}


def groups_of(players: Sequence[PlayerRow], *, team_names: bool) -> list[tuple[str, list[PlayerRow]]]:
    """Players by team (best score first), then bots, then spectators; each group with its title."""

    def place(player: PlayerRow) -> tuple[int, int]:
        if player.spectator:
            return 2, 0
        return (1, 0) if player.bot else (0, player.team or 0)

    def title(key: tuple[int, int]) -> str:
        if key[0]:
            return _("Bots") if key[0] == 1 else _("Spectators")
        if not key[1]:
            return _("Playing")
        return _(_TEAMS[key[1]]) if team_names and key[1] in _TEAMS else _("Team {n}").format(n=key[1])

    ranked = sorted(players, key=lambda player: (*place(player), -(player.score or 0.0), player.name.casefold()))
    return [(title(key), list(group)) for key, group in groupby(ranked, key=place)]


def summary(players: Sequence[PlayerRow]) -> str:
    """A group in words: `5 players, 92 points` of a team; bots and spectators do not count as players."""
    if players[0].bot or players[0].spectator:
        return _("{n}, not counted").format(n=len(players))
    many = ngettext("{n} player", "{n} players", len(players)).format(n=len(players))
    if not players[0].team:
        return many
    points = f"{sum(player.score or 0.0 for player in players):.0f}"
    return _("{players}, {points} points").format(players=many, points=points)


class PlayersPage(QWidget):
    """A painted list; it is as high as it has lines."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._groups: list[tuple[str, list[PlayerRow]]] = []
        self._headline = ""
        self._has_times = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(_("Players"))
        theme.changed.connect(self.update)

    def show_players(self, facts: Facts | None, *, asking: bool, team_names: bool) -> None:
        """Show who is on.

        `asking`: the answer is on its way. `team_names`: team numbers are DarkPlaces' colours.
        """
        players = facts.player_list if facts else None
        self._groups = [] if players is None else groups_of(players, team_names=team_names)
        self._has_times = any(player.duration_s is not None for player in players or ())
        self._headline = _headline(facts, asking=asking)
        self.setAccessibleDescription(". ".join(self.lines()))
        self.setMinimumHeight(self.sizeHint().height())
        self.update()

    def lines(self) -> list[str]:
        """Its content as text."""
        lines = [self._headline]
        for title, players in self._groups:
            lines.append(f"{title}, {summary(players)}")
            lines.extend(f"{player.name} {_number(player.score)} {_time(player)}".strip() for player in players)
        return lines

    def sizeHint(self) -> QSize:
        """Room for all lines."""
        return QSize(280, 2 * LINE + 8 + sum(LINE * (1 + len(players)) + 4 for _, players in self._groups))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw headline, titles and players."""
        painter = QPainter(self)
        self._write(painter, self._line(4), self._headline, "text2", 12)
        if not self._groups:
            return
        head = self._line(LINE)
        last = _("Here for") if self._has_times else _("Ping")
        self._columns(painter, head, _("Name"), _("Score"), last, "text2", 12)
        painter.fillRect(0, head.bottom(), self.width(), 1, self._theme.palette.color("hairline"))
        top = 2 * LINE + 4
        for title, players in self._groups:
            self._write(painter, self._line(top), title, "text2", 12, QFont.Weight.DemiBold)
            self._write(painter, self._line(top), summary(players), "text2", 12, right=True)
            for index, player in enumerate(players, 1):
                last = _time(player) if self._has_times else _number(player.ping_ms)
                self._columns(
                    painter, self._line(top + index * LINE), player.name, _number(player.score), last, "text1", 13
                )
            top += LINE * (1 + len(players)) + 4

    def _line(self, top: int) -> QRect:
        return QRect(MARGIN, top, self.width() - 2 * MARGIN, LINE)

    def _columns(self, painter: QPainter, line: QRect, name: str, score: str, last: str, role: str, size: int) -> None:
        self._write(painter, line.adjusted(0, 0, -120, 0), name, role, size)
        self._write(painter, line.adjusted(0, 0, -66, 0), score, role, size, right=True)
        self._write(painter, line, last, "text2", size, right=True)

    def _write(
        self,
        painter: QPainter,
        box: QRect,
        text: str,
        role: str,
        size: int,
        weight: QFont.Weight = QFont.Weight.Normal,
        *,
        right: bool = False,
    ) -> None:
        painter.setFont(self._theme.font(size, weight))
        painter.setPen(self._theme.palette.color(role))
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | side), shown)


def _headline(facts: Facts | None, *, asking: bool) -> str:
    if facts is None:
        return _("Asking…") if asking else _("No answer yet.")
    if facts.player_list is None:
        return _("Asking who is on…") if asking else _("This server does not publish names.")
    parts = [_("{n} playing").format(n=UNKNOWN if facts.players is None else facts.players)]
    if facts.bots:
        parts.append(ngettext("{n} bot", "{n} bots", facts.bots).format(n=facts.bots))
    if facts.spectators:
        parts.append(ngettext("{n} spectator", "{n} spectators", facts.spectators).format(n=facts.spectators))
    slots = None if facts.max_players is None else facts.max_players - (facts.reserved or 0)
    if slots is None or facts.players is None:
        return f"{', '.join(parts)}."
    free = max(0, slots - facts.players)
    slots_free = ngettext("{n} slot free.", "{n} slots free.", free).format(n=free)
    return f"{', '.join(parts)}. {slots_free}"


def _number(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.0f}"


def _time(player: PlayerRow) -> str:
    return UNKNOWN if player.duration_s is None else clock(player.duration_s)
