"""The leaderboard's search, mode, day, players and minimum number of rounds."""

import datetime as dt

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.player.leaderboard import RecordLeaderboards
from browser_app.player.skill_summary import MIN_RANKED_ROUNDS
from browser_app.ui.filters.filter_field import FilterField
from browser_app.ui.skill.leaderboard.day_dialog import DayDialog, day_text
from browser_app.ui.skill.leaderboard.leaderboard_rows import LeaderboardFilter
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.buttons import MenuButton
from browser_app.ui.widgets.theme import Theme

MIN_ROUNDS_CHOICES = (1, 5, MIN_RANKED_ROUNDS, 25, 50, 100)
LATEST, OTHER_DAY = "", "other day"
_EVERYBODY, FRIENDS_ONLY = "all", "friends"
_SEARCH_WIDTH = 180


class LeaderboardControls(QWidget):
    """Controls in a row, or in two where space is short.

    Signals:
        changed: another mode or filter was chosen.
        day_changed: `day` differs.

    Attributes:
        day: the ranks are to be those of its start (UTC), as `ready-room rate --ranks` prints them; None: of now.
    """

    changed = Signal()
    day_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.day: dt.date | None = None
        self._first_day = self._last_day = dt.datetime.now(dt.UTC).date()
        self.search_field = FilterField(theme, _("Find a player"))
        self.search_field.setFixedWidth(_SEARCH_WIDTH)
        self.mode_menu, self.day_menu = MenuButton(theme, _("Mode")), MenuButton(theme, _("As of"))
        self.players_menu, self.rounds_menu = MenuButton(theme, _("Players")), MenuButton(theme, _("Minimum rounds"))
        menus = (self.mode_menu, self.day_menu, self.players_menu, self.rounds_menu)
        self._menus = QWidget()
        fill_box(QHBoxLayout(self._menus), *menus, Stretch())
        self._layout = fill_box(QBoxLayout(QBoxLayout.Direction.LeftToRight, self), self.search_field, self._menus)
        everybody = ((_EVERYBODY, _("All players")), (FRIENDS_ONLY, _("You and friends")))
        self.players_menu.show_choices(everybody, _EVERYBODY)
        self.rounds_menu.show_choices(
            [(str(each), _rounds_title(each)) for each in MIN_ROUNDS_CHOICES], str(MIN_RANKED_ROUNDS)
        )
        self.mode_menu.hide()
        self._show_day()
        self.search_field.filter_edited.connect(self.changed)
        self.day_menu.value_chosen.connect(self._on_day_chosen)
        for menu in (self.mode_menu, self.players_menu, self.rounds_menu):
            menu.value_chosen.connect(lambda value, menu=menu: self._choose(menu, value))

    @property
    def mode(self) -> str:
        """The chosen mode, "" for all."""
        return self.mode_menu.current_value

    @property
    def player_filter(self) -> LeaderboardFilter:
        """The chosen filter."""
        return LeaderboardFilter(
            int(self.rounds_menu.current_value),
            self.search_field.text(),
            friends_only=self.players_menu.current_value == FRIENDS_ONLY,
        )

    def event(self, event: QEvent) -> bool:
        """Put the menus below the search field where space is short."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            beside = self.search_field.width() + self._layout.spacing() + self._menus.sizeHint().width() <= self.width()
            self._layout.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        """Return the size with the menus below the search field.

        The page can thus become narrow.
        """
        return QSize(self._menus.minimumSizeHint().width(), self._layout.minimumSize().height())

    def show_boards(self, found: RecordLeaderboards, preferred_mode: str) -> None:
        """Offer the modes of these boards and the days of their record.

        A chosen mode stays if it is among them; else the preferred or the first one is chosen.
        """
        modes = [board.mode for board in found.boards]
        self._first_day, last_day = (_utc_day(each) for each in (found.first_start, found.last_start))
        self._last_day = last_day + dt.timedelta(days=1)  # at whose start all rounds of the last day count
        wanted = (*([self.mode] if self.mode_menu.choices else ()), preferred_mode, *modes, "")
        mode = next((each for each in wanted if each in modes), "")
        self.mode_menu.show_choices([(each, each or _("All modes")) for each in modes], mode)
        self.mode_menu.setVisible(len(modes) > 1)
        self._show_day()

    def set_day(self, day: dt.date | None) -> None:
        """Choose a day, None for the latest ranks."""
        changed, self.day = day != self.day, day
        self._show_day()
        if changed:
            self.day_changed.emit()

    def _choose(self, menu: MenuButton, value: str) -> None:
        menu.show_choices(menu.choices, value)
        self.changed.emit()

    def _show_day(self) -> None:
        """Offer round distances from today within the record, and any other day."""
        today = dt.datetime.now(dt.UTC).date()
        titles = {7: _("A week ago"), 30: _("30 days ago"), 90: _("90 days ago"), 365: _("A year ago")}
        choices = [(LATEST, _("Latest"))]
        for days, title in titles.items():
            if (day := today - dt.timedelta(days=days)) > self._first_day:
                choices.append((day.isoformat(), title))
        if self.day is not None and self.day.isoformat() not in dict(choices):
            choices.append((self.day.isoformat(), day_text(self.day)))
        choices.append((OTHER_DAY, _("Choose a day…")))
        self.day_menu.show_choices(choices, LATEST if self.day is None else self.day.isoformat())

    def _on_day_chosen(self, value: str) -> None:
        if value == OTHER_DAY:
            dialog = DayDialog(self._theme, self, self._first_day, self._last_day, self.day or self._last_day)
            dialog.day_chosen.connect(self.set_day)
            dialog.open()
        else:
            self.set_day(dt.date.fromisoformat(value) if value else None)


def day_start(day: dt.date) -> float:
    """Return the start of a day (UTC) as Unix time, s."""
    return dt.datetime.combine(day, dt.time(), dt.UTC).timestamp()


def _utc_day(moment: float) -> dt.date:
    return dt.datetime.fromtimestamp(moment, dt.UTC).date()


def _rounds_title(least: int) -> str:
    return _("{n} rounds or more").format(n=least) if least > 1 else _("No minimum")
