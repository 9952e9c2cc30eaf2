"""The ratings of the chosen game: calculated, made surer where that takes long, and kept for the next start."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.skill.calculations import Calculations
from browser_app.bridge.skill.preferences import SERVERS_SYSTEM
from browser_app.bridge.skill.rating_jobs import Doubt, GetReady, Made, Rate
from browser_app.bridge.turns import Turns
from browser_app.storage.database import Database
from browser_app.storage.ratings_cache import RatingsCache

if TYPE_CHECKING:
    from browser_app.bridge.skill.kept_ratings import KeptRatings
    from browser_app.bridge.skill.opening import Opened
    from browser_app.player.full_doubt import FullDoubt
    from browser_app.player.own_history import OwnHistory


class Ratings(QObject):
    """Asks for them and hands them on; what became of a state that is no longer wanted was cancelled.

    Signals:
        made: `KeptRatings` with their `OwnHistory`; a second time when it was worked out how sure they are.
        unsolved: how sure they are could not be worked out.
    """

    made = Signal(object, object)
    unsolved = Signal()

    def __init__(self, database: Database, turns: Turns, calculations: Calculations, parent: QObject) -> None:
        super().__init__(parent)
        self._database, self._turns, self._calculations = database, turns, calculations

    @property
    def solving(self) -> bool:
        """Whether it is being worked out how sure they are."""
        return self._calculations.is_busy(Doubt.what)

    def make(self, opened: "Opened") -> None:
        """Have the rounds rated."""
        if not self._calculations.is_busy(Rate.what):
            job = Rate(opened.source, opened.model, opened.state)
            self._calculations.ask(job, partial(self._made, opened))

    def take(self, opened: "Opened", kept: "KeptRatings", history: "OwnHistory") -> None:
        """These are of the present state: let what is asked next be ready, and have what they lack worked out."""
        self._calculations.ask(GetReady(opened.source, opened.model), lambda _nothing: None)
        self._solve(opened, kept, history)

    def _made(self, opened: "Opened", made: Made) -> None:
        self._solve(opened, made.kept, made.history)
        self.made.emit(made.kept, made.history)
        self._keep(opened, lambda: made.content)

    def _solve(self, opened: "Opened", kept: "KeptRatings", history: "OwnHistory") -> None:
        """Only ns2 has an estimate where another way of rating can tell the sd."""
        estimated = opened.model.system == SERVERS_SYSTEM and kept.now.sd_from == "gradients"
        if estimated and not self.solving:
            job = Doubt(opened.source, opened.model)
            self._calculations.ask(job, partial(self._solved, opened, kept, history))

    def _solved(self, opened: "Opened", kept: "KeptRatings", history: "OwnHistory", doubt: "FullDoubt | None") -> None:
        if doubt is None:
            self.unsolved.emit()
            return
        from browser_app.player.full_doubt import with_doubt
        from browser_app.player.standing import with_full_doubt

        history = with_doubt(history, doubt)
        kept = replace(kept, now=with_full_doubt(kept.now, opened.model.made(), history, doubt.commander))
        self.made.emit(kept, history)
        self._keep(opened, lambda: replace(kept, history=history.to_bytes()).to_bytes())

    def _keep(self, opened: "Opened", content: Callable[[], bytes]) -> None:
        """Packed and written beside the window."""
        from browser_app.bridge.skill.kept_ratings import key_of

        key = key_of(opened.game, opened.model.system)

        def work() -> None:
            RatingsCache(self._database).put(key, content())

        self._turns.run(work)
