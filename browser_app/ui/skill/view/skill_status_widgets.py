"""The status line of My Skill: data sources, running task, online requests."""

import time
from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from browser_app.application.own_skill.skill_state import WorkProgress
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.player.skill_sources import SkillSourceKind, SkillSourceState
from browser_app.ui.skill.sources.skill_source_text import ago_text, source_title
from browser_app.ui.widgets.basic_widgets import ElidedLabel, Label, ProgressBar
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.buttons import LinkButton
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import percent_text

_ONLINE_SOURCES = (SkillSourceKind.STEAM, SkillSourceKind.XONSTAT)
"""Sources that query an online service."""


class SkillStatusWidget(QWidget):
    """Sources and running task, shown in the status bar instead of the scan.

    Signals:
        cancel_requested: cancel the running task.
    """

    cancel_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._sources_label = ElidedLabel(theme, role="text2", size=12)
        self._task_label = Label(theme, role="text2", size=12)
        self._progress_bar = ProgressBar(theme)
        self._progress_bar.setAccessibleName(_("Progress"))
        self.cancel_link = LinkButton(theme, _("Cancel"))
        self.cancel_link.clicked.connect(self.cancel_requested)
        self._task_widgets = (self._task_label, self._progress_bar, self.cancel_link)
        fill_box(QHBoxLayout(self), *self._task_widgets, Stretch(self._sources_label))
        self.show_progress(None)

    def show_sources(self, states: Sequence[SkillSourceState]) -> None:
        """Show the state and age of the sources."""
        self._sources_label.setText("   ".join(filter(None, (_source_status_text(state) for state in states))))

    def show_progress(self, work: WorkProgress | None) -> None:
        """Show the running task, None for none."""
        for widget in self._task_widgets:
            widget.setVisible(work is not None)
        if work is not None:
            share = work.done / work.total if work.total else 0.0
            self._progress_bar.set_progress(share)
            words = task_title(work.kind)
            self._task_label.setText(
                _("{work} {share}").format(work=words, share=percent_text(share)) if work.total else words
            )

    def texts(self) -> tuple[str, str]:
        """Return the texts on sources and on the running task."""
        return self._sources_label.text(), "" if self._task_label.isHidden() else self._task_label.text()


class OnlineRequestsWidget(QWidget):
    """Whether online services are used, at the end of the status bar.

    Signals:
        log_requested: open the request log.
    """

    log_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._label = Label(theme, role="text2", size=12)
        self.log_link = LinkButton(theme, _("Log"))
        self.log_link.setAccessibleName(_("Request log"))
        self.log_link.clicked.connect(self.log_requested)
        fill_box(QHBoxLayout(self), self._label, self.log_link, spacing=4)

    def show_sources(self, states: Sequence[SkillSourceState]) -> None:
        """Show whether an online source is in use."""
        uses_online_source = any(state.is_enabled and state.kind in _ONLINE_SOURCES for state in states)
        self._label.setText(_("No other services contacted") if uses_online_source else _("No online services in use"))

    def text(self) -> str:
        """Return the shown text."""
        return self._label.text()


def _source_status_text(state: SkillSourceState) -> str:
    if not state.is_enabled:
        return ""
    ago = ago_text(state.read_at, time.time())
    if state.kind is SkillSourceKind.RECORD and state.rounds:
        words = ngettext("Round files: {n} round, {mine} yours", "Round files: {n} rounds, {mine} yours", state.rounds)
        rounds = words.format(n=integer_text(state.rounds), mine=integer_text(state.own_rounds or 0))
        return _("{rounds}, read {ago}").format(rounds=rounds, ago=ago) if ago else rounds
    if state.kind in _ONLINE_SOURCES:
        status = _("failed") if state.error else ago or _("not requested yet")
        return _("{source}: {said}").format(source=source_title(state.kind), said=status)
    return ""


def task_title(kind: str) -> str:
    """Return the title of a running task."""
    return {
        "open": _("Opening"),
        "rate": _("Rating"),
        "uncertainty": _("Calculating uncertainty"),
        "explain": _("Analysing round"),
        "other history": _("Rating for comparison"),
        "habits": _("Analysing habits"),
        "leaderboards": _("Ranking players"),
        "compare": _("Comparing systems"),
        "fit": _("Fitting"),
        "import": _("Importing"),
    }.get(kind, _("Working"))
