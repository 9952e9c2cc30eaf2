"""Jobs about rating systems: how well each predicts the rounds, and with which parameters it would do better.

What they calculate with is loaded where they run, so that the window, which only names them, starts without it.
"""

import pickle
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from browser_app.bridge.skill.job import Job
from browser_app.bridge.skill.subject import JobError, Model
from browser_app.language import later

if TYPE_CHECKING:
    # F401: ruff does not see names in the brackets of a class's bases.
    from browser_app.bridge.skill.desk import Desk
    from browser_app.player.comparison import Comparison  # noqa: F401
    from browser_app.player.fitting import Fitted  # noqa: F401
    from browser_app.rating.progress import Progress


@dataclass(frozen=True)
class Compare(Job["Comparison"]):
    """Every system on the record; `mine`: scored by the user's rounds alone."""

    what = "compare"
    slow = True
    models: tuple[Model, ...]
    mine: bool

    def run(self, desk: "Desk", progress: "Progress") -> bytes:
        """See the class."""
        from browser_app.player.comparison import comparison_of
        from browser_app.rating.evaluate import backtest

        book, progress = desk.opened(self.source, progress)
        record = book.rounds.record
        found = backtest(record, [model.made() for model in self.models], progress=progress)
        return pickle.dumps(comparison_of(found, book.mine if self.mine else None))


@dataclass(frozen=True)
class Fit(Job["Fitted"]):
    """Better parameters for a system, from the first rounds alone, and what they gain on the others."""

    what = "fit"
    slow = True
    model: Model
    until: float

    def run(self, desk: "Desk", progress: "Progress") -> bytes:
        """See the class."""
        from browser_app.player.fitting import fit_and_gain

        book, progress = desk.opened(self.source, progress)
        record = book.rounds.record
        finished = np.flatnonzero(record.finished)
        wanted = int(self.until * len(finished))
        if not wanted:
            raise JobError(later("there is no finished round to learn from"))
        return pickle.dumps(fit_and_gain(self.model.made(), record, int(finished[wanted - 1]) + 1, progress))
