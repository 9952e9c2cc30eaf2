"""What the status line says while My skill is shown: the record, the other sources, what is being worked out."""

import time
from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from browser_app.bridge.skill.shown import Work
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.player.sources import SourceKind, SourceState
from browser_app.ui.controls import ElidedText, Text
from browser_app.ui.link_button import LinkButton
from browser_app.ui.skill.source_words import ago_words, source_title
from browser_app.ui.status_line import ProgressBar
from browser_app.ui.texts import percent, thousands
from browser_app.ui.theme import Theme

_ASKED = (SourceKind.STEAM, SourceKind.XONSTAT)
"""Sources that somebody else is asked for."""


class SkillStatus(QWidget):
    """Stands in the status line in place of the scan.

    Signals:
        cancel_wanted: stop what is being worked out.
    """

    cancel_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._words = ElidedText(theme, role="text2", size=12)
        self._work = Text(theme, role="text2", size=12)
        self._bar = ProgressBar(theme)
        self._bar.setAccessibleName(_("Progress"))
        self.cancel = LinkButton(theme, _("Cancel"))
        self.cancel.clicked.connect(self.cancel_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for widget in (self._work, self._bar, self.cancel):
            row.addWidget(widget)
        row.addWidget(self._words, 1)
        self.show_work(None)

    def show_sources(self, states: Sequence[SourceState]) -> None:
        """Say what is known, and since when."""
        self._words.setText("   ".join(filter(None, (_state_words(state) for state in states))))

    def show_work(self, work: Work | None) -> None:
        """Say what is being worked out; None: nothing is."""
        for widget in (self._work, self._bar, self.cancel):
            widget.setVisible(work is not None)
        if work is not None:
            share = work.done / work.total if work.total else 0.0
            self._bar.set_share(share)
            words = work_title(work.what)
            self._work.setText(_("{work} {share}").format(work=words, share=percent(share)) if work.total else words)

    def texts(self) -> tuple[str, str]:
        """What is known, and what is being worked out."""
        return self._words.text(), "" if self._work.isHidden() else self._work.text()


class SkillAsked(QWidget):
    """What was asked of whom, at the end of the status line.

    Signals:
        list_wanted: show the list of it.
    """

    list_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._words = Text(theme, role="text2", size=12)
        self.link = LinkButton(theme, _("List"))
        self.link.setAccessibleName(_("List of what was asked of whom"))
        self.link.clicked.connect(self.list_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self._words)
        row.addWidget(self.link)

    def show_sources(self, states: Sequence[SourceState]) -> None:
        """Say whether anybody else is asked."""
        asked = any(state.on and state.kind in _ASKED for state in states)
        self._words.setText(_("Nothing asked of anybody but these") if asked else _("Nothing asked of anybody"))

    def text(self) -> str:
        """What it says."""
        return self._words.text()


def _state_words(state: SourceState) -> str:
    if not state.on:
        return ""
    ago = ago_words(state.read_at, time.time())
    if state.kind is SourceKind.RECORD and state.rounds:
        rounds = ngettext("{n} round", "{n} rounds", state.rounds).format(n=thousands(state.rounds))
        words = _("Own record: {rounds}, {n} yours").format(rounds=rounds, n=thousands(state.mine or 0))
        return _("{words}, read {ago}").format(words=words, ago=ago) if ago else words
    if state.kind in _ASKED:
        said = _("failed") if state.error else ago or _("not asked yet")
        return _("{source}: {said}").format(source=source_title(state.kind), said=said)
    return ""


def work_title(what: str) -> str:
    """What a kind of work is called while it is done."""
    return {
        "open": _("Opening"),
        "rate": _("Rating"),
        "doubt": _("Working out the doubt"),
        "explain": _("Taking a round apart"),
        "other": _("Rating for comparison"),
        "habits": _("Looking for habits"),
        "compare": _("Comparing systems"),
        "fit": _("Fitting"),
        "import": _("Importing"),
    }.get(what, _("Working"))
