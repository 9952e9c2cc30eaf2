"""What a page of My skill needs is loaded before that page is wanted, beside the window."""

import gc

from PySide6.QtCore import QTimer

from browser_app.bridge.turns import Turns

_SOON_MS = 400
"""What is shown first is painted by then."""


class LoadedAhead:
    """The library that draws *Over time*: it takes a third of a second, which is not to pass while the page opens."""

    def __init__(self) -> None:
        self._turns: Turns | None = None
        self._soon = QTimer(singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self._load)

    def begin(self) -> None:
        """Load it soon; once is enough."""
        if self._turns is None and not self._soon.isActive():
            self._soon.start()

    def close(self) -> None:
        """Load nothing any more; what is being loaded is not left half done."""
        self._soon.stop()
        if self._turns is not None:
            self._turns.close()

    def _load(self) -> None:
        self._turns = Turns("plots")
        self._turns.run(load_plots)


def load_plots() -> None:
    """Import it; where the start froze what it had made, this is no more to be walked through than that."""
    import browser_app.ui.skill.over_time.plot  # noqa: F401 - it is the import that takes its time

    if gc.get_freeze_count():
        gc.freeze()
