"""The panel above the server list that leads through the first run."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.first_run.first_run_step import STEP_INDENT, FirstRunStep
from browser_app.ui.servers.server_columns import SCORE_MEANING
from browser_app.ui.widgets.basic_widgets import Button, Label, Panel
from browser_app.ui.widgets.box_layouts import fill_box
from browser_app.ui.widgets.buttons import LinkButton
from browser_app.ui.widgets.page_elements import create_wrapping_label
from browser_app.ui.widgets.theme import Theme


class FirstRunPanel(Panel):
    """Shows one step at a time; each can be skipped.

    Signals:
        masters_requested: the user wants to see what is sent.
        closed: the last step is done, or the user has closed the panel.
    """

    masters_requested = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, steps: Sequence[FirstRunStep]) -> None:
        super().__init__(theme, "window", "B")
        self.setAccessibleName(_("First steps"))
        self._steps, self._current = tuple(steps), steps[0]
        self._count_label = Label(theme, role="text2", size=12)
        self.masters_link = LinkButton(theme, _("What is sent?"))
        self.masters_link.clicked.connect(self.masters_requested)
        self.close_button = Button(theme, "", "close")
        self.close_button.setAccessibleName(_("Close the first steps"))
        self.close_button.setToolTip(_("Close the first steps"))
        self.close_button.clicked.connect(self.closed)
        self._build_layout(theme)
        for step in self._steps:
            step.finished.connect(self._show_next)
            step.offered_changed.connect(self._update)
        self._update()

    def _build_layout(self, theme: Theme) -> None:
        score = create_wrapping_label(theme)
        score.setText(_("The list is sorted by score. {meaning}").format(meaning=_(SCORE_MEANING)))
        self._corner = QWidget()
        fill_box(QHBoxLayout(self._corner), self._count_label, self.masters_link, self.close_button)
        note = fill_box(QHBoxLayout(), score, margins=(STEP_INDENT, 0, 0, 0))
        fill_box(QVBoxLayout(self), *self._steps, note, spacing=6, margins=(12, 6, 12, 8))

    def focus_order(self) -> tuple[QWidget, ...]:
        """Return the controls in tab order."""
        return (
            *(widget for step in self._steps for widget in step.focus_widgets()),
            self.masters_link,
            self.close_button,
        )

    def restart(self) -> None:
        """Show the first step again."""
        self._current = self._steps[0]
        self._update()
        self.show()

    def _offered_steps(self) -> list[FirstRunStep]:
        return [step for step in self._steps if step.is_offered]

    def _show_next(self) -> None:
        """Show the step after the current one; close after the last."""
        place = self._steps.index(self._current)
        later = [step for step in self._steps[place + 1 :] if step.is_offered]
        if later:
            self._current = later[0]
            self._update()
        else:
            self.closed.emit()

    def _update(self) -> None:
        if not self._current.is_offered:  # such as the key's step after a key was entered
            self._show_next()
            return
        offered = self._offered_steps()
        others, focused = [step for step in self._steps if step is not self._current], self.window().focusWidget()
        self._current.show()
        if focused is not None and any(step.isAncestorOf(focused) for step in others):
            # Before the others hide: Qt would move the focus as Tab does, and the list scrolls to its current row.
            self._current.focus_widgets()[0].setFocus()
        for step in others:
            step.hide()
        self._current.head_layout.addWidget(self._corner)
        self._corner.show()
        number = offered.index(self._current) + 1
        self._count_label.setText(_("Step {n} of {total}").format(n=number, total=len(offered)))
