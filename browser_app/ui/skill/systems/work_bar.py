"""How far one kind of work is, and a way to stop it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from browser_app.bridge.skill.panel import SkillPanel
from browser_app.bridge.skill.shown import Work
from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.ui.controls import Button, Text
from browser_app.ui.status_line import ProgressBar
from browser_app.ui.texts import percent
from browser_app.ui.theme import Theme

_WORDS = {"fit": later("Fitting on the first rounds (70 %)"), "compare": later("Running every system")}


class WorkBar(QWidget):
    """Hidden while that work is not going on.

    Signals:
        busy: whether it is, when that changes.
    """

    busy = Signal(bool)

    def __init__(self, theme: Theme, what: str, panel: SkillPanel) -> None:
        """`what`: as in `Work`."""
        super().__init__()
        self._what = what
        self._words = Text(theme, _(_WORDS[what]), role="text2", size=12)
        self.bar = ProgressBar(theme, 96)
        self.bar.setAccessibleName(self._words.text())
        self.share = Text(theme, size=12)
        self.cancel = Button(theme, _("Cancel"))
        self.cancel.clicked.connect(panel.cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for widget in (self._words, self.bar, self.share, self.cancel):
            row.addWidget(widget)
        self.hide()
        panel.progressed.connect(self._show)

    @property
    def is_busy(self) -> bool:
        """Whether that work is going on."""
        return not self.isHidden()

    def _show(self, work: Work | None) -> None:
        mine = work is not None and work.what == self._what
        if mine and work is not None:
            share = work.done / work.total if work.total else 0.0
            self.bar.set_share(share)
            self.share.setText(percent(share) if work.total else "")
        if mine != self.is_busy:
            self.setVisible(mine)
            self.busy.emit(mine)
