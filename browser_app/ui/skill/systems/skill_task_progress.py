"""A progress bar with a cancel button for one kind of task."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from browser_app.application.own_skill.skill_state import WorkProgress
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.bridge.skill.skill_queries import TRAINING_SHARE
from browser_app.language import gettext as _
from browser_app.ui.widgets.basic_widgets import Button, Label, ProgressBar
from browser_app.ui.widgets.box_layouts import fill_box
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import percent_text


class SkillTaskProgress(QWidget):
    """Progress bar, hidden while no such task is running.

    Signals:
        busy_changed: whether it is running.
    """

    busy_changed = Signal(bool)

    def __init__(self, theme: Theme, kind: str, skill_model: SkillModel) -> None:
        """`kind`: as in `WorkProgress`."""
        super().__init__()
        self._kind = kind
        self._label = Label(theme, _task_title(kind), role="text2", size=12)
        self.progress_bar = ProgressBar(theme, 96)
        self.progress_bar.setAccessibleName(self._label.text())
        self.share_label = Label(theme, percent_text(1.0), size=12)
        self.share_label.setFixedWidth(self.share_label.sizeHint().width())  # the page must not move while it counts
        self.cancel_button = Button(theme, _("Cancel"))
        self.cancel_button.clicked.connect(skill_model.cancel)
        fill_box(QHBoxLayout(self), self._label, self.progress_bar, self.share_label, self.cancel_button)
        self.hide()
        skill_model.progress_changed.connect(self._show_progress)

    @property
    def is_busy(self) -> bool:
        """Whether the task is running."""
        return not self.isHidden()

    def _show_progress(self, work: WorkProgress | None) -> None:
        mine = work is not None and work.kind == self._kind
        if mine and work is not None:
            share = work.done / work.total if work.total else 0.0
            self.progress_bar.set_progress(share)
            self.share_label.setText(percent_text(share) if work.total else "")
        if mine != self.is_busy:
            self.setVisible(mine)
            self.busy_changed.emit(mine)


def _task_title(kind: str) -> str:
    if kind == "fit":
        return _("Fitting to the first rounds ({share})").format(share=percent_text(TRAINING_SHARE))
    return _("Running all systems")
