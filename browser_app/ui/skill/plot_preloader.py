"""Import of the plot library while My Skill is shown."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Final

from PySide6.QtCore import QTimer

from browser_app.runtime_tuning import freeze_late_imports

_START_DELAY_MS: Final = 400
"""Time in which the first page is painted."""
_STEP_INTERVAL_MS: Final = 50
"""Time between two steps, in which the window handles other events."""


class PlotPreloader:
    """Imports the plot library in steps of up to 0.1 s.

    In one go it would take a third of a second. The steps run in the GUI thread: PySide crashes if another thread
    imports its modules, or creates their types, while the GUI thread uses them (seen with PySide6 6.11.3: SIGSEGV in 2
    of 24 runs whose window closed meanwhile).
    """

    def __init__(self) -> None:
        self._steps = list(IMPORT_STEPS)
        self._timer = QTimer(singleShot=True)
        self._timer.timeout.connect(self._run_step)

    @property
    def is_scheduled(self) -> bool:
        """Whether steps are left and will follow."""
        return self._timer.isActive()

    def schedule(self) -> None:
        """Import soon; further calls have no effect."""
        if self._steps and not self.is_scheduled:
            self._timer.start(_START_DELAY_MS)

    def close(self) -> None:
        """Leave out the remaining steps."""
        self._timer.stop()

    def _run_step(self) -> None:
        self._steps.pop(0)()
        if self._steps:
            self._timer.start(_STEP_INTERVAL_MS)


def _create_types(module_name: str) -> None:
    """Access all types of a PySide module, as pyqtgraph does.

    They are created when first accessed.
    """
    module = import_module(module_name)
    for name in dir(module):
        getattr(module, name)


IMPORT_STEPS: tuple[Callable[[], object], ...] = (
    partial(_create_types, "PySide6.QtCore"),
    partial(_create_types, "PySide6.QtGui"),
    partial(_create_types, "PySide6.QtWidgets"),
    partial(import_module, "browser_app.player.own_history"),
    partial(import_module, "pyqtgraph"),
    partial(import_module, "browser_app.ui.skill.over_time.rating_plot"),
    freeze_late_imports,  # as at start-up, exclude their objects from garbage collection
)
