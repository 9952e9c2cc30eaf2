"""All that is calculated for My skill, in two processes, told as one."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.skill.job import Job
from browser_app.bridge.skill.shown import Work
from browser_app.bridge.skill.worker import Worker
from browser_app.language import gettext as _

_Result = TypeVar("_Result")


class Calculations(QObject):
    """One process answers what the window waits for, the other does what takes minutes on a large record.

    Signals:
        progressed: the `Work` that the user waits for most; None when there is none any more.
        failed: a sentence about what could not be calculated, and why.
    """

    progressed = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._quick, self._slow = Worker(self), Worker(self)
        self._work: dict[object, Work | None] = {}
        for worker in (self._quick, self._slow):
            self._work[worker] = None
            worker.progressed.connect(partial(self.tell, worker))
            worker.failed.connect(self._fail)

    def ask(self, job: Job[_Result], then: Callable[[_Result], object]) -> None:
        """See `Worker.ask`."""
        (self._slow if job.slow else self._quick).ask(job, then)

    def is_busy(self, what: str) -> bool:
        """Whether a job of this word is in hand or waits."""
        return self._quick.is_busy(what) or self._slow.is_busy(what)

    def tell(self, who: object, work: Work | None) -> None:
        """How far something is: of these processes, or of whatever else is at work, which goes last."""
        self._work[who] = work
        self.progressed.emit(next((each for each in self._work.values() if each is not None), None))

    def cancel(self) -> None:
        """Nobody wants any of it."""
        self._quick.cancel()
        self._slow.cancel()

    def close(self) -> None:
        """End both; nothing is told any more."""
        self._quick.close()
        self._slow.close()

    def _fail(self, _what: str, why: str) -> None:
        """The process knows no languages: what it says is looked up here."""
        self.failed.emit(_("That could not be calculated: {why}").format(why=_(why)))
