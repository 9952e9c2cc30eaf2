"""In how many rounds of every game the user is, and which skill the server list goes by."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.skill.calculations import Calculations
from browser_app.bridge.skill.count_job import Count, Counted
from browser_app.bridge.skill.list_points import ListPoints
from browser_app.bridge.skill.preferences import Preferences
from browser_app.bridge.skill.subject import Source

if TYPE_CHECKING:
    from browser_app.bridge.skill.opening import Opened


class Counting(QObject):
    """Counts one game after another; what the chosen one's ratings tell anyway is not asked for.

    Signals:
        counted: one more game is known.
        points_changed: the skill by game is another one.
    """

    counted = Signal()
    points_changed = Signal()

    def __init__(
        self, preferences: Preferences, list_points: ListPoints, calculations: Calculations, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._preferences, self._list_points, self._calculations = preferences, list_points, calculations
        self._points = list_points.all()

    def begin(self, opened: "Opened") -> None:
        """Count what is not known of these rounds."""
        for source in opened.sources:
            if not self._preferences.is_counted(source) and not self._tells_itself(source, opened):
                job = Count(source, self._preferences.points_model(source.game))
                self._calculations.ask(job, partial(self._counted, opened, source))
                return

    def _counted(self, opened: "Opened", source: Source, found: Counted) -> None:
        self._take(source, found)
        self.counted.emit()
        self.begin(opened)

    def take(self, opened: "Opened", found: Counted) -> None:
        """What the ratings of the chosen game tell."""
        if self._tells_itself(opened.source, opened):
            self._take(opened.source, found)

    def look(self) -> None:
        """What was typed in, or what the game itself says, may have changed."""
        points = self._list_points.all()
        if points != self._points:
            self._points = points
            self.points_changed.emit()

    def _take(self, source: Source, found: Counted) -> None:
        self._preferences.set_mine(source, found.mine)
        if self._preferences.points_model(source.game) is not None:
            self._preferences.set_own_points(source.game, found.points)
            self.look()

    def _tells_itself(self, source: Source, opened: "Opened") -> bool:
        points = self._preferences.points_model(opened.game)
        return source.game == opened.game and (points is None or points.system == opened.model.system)
