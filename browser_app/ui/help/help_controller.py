"""Controller of the manual, the problem report and the notice of an error."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.storage.ui_state import UiState
from browser_app.ui.help.problem_report import ProblemReportDialog, problem_report
from browser_app.ui.settings.keyboard_shortcuts import shortcut_key
from browser_app.ui.widgets.notification_bar import NotificationBar
from browser_app.ui.widgets.theme import Theme


class HelpController(QObject):
    """Opens the dialogs, at most one of each kind, and shows notices.

    One bar is for exceptions, the other for problems found at the start, such as lost data or wrong settings.

    Signals:
        status_reported: text for the status bar.
    """

    status_reported = Signal(str)

    def __init__(
        self,
        theme: Theme,
        window: QWidget,
        ui_state: UiState,
        open_shortcuts: Callable[[], object],
        open_about: Callable[[], object],
    ) -> None:
        """Create the controller; the menu also offers the other two dialogs."""
        super().__init__(window)
        self._theme, self._window, self._ui_state = theme, window, ui_state
        self._last_exception = ""
        self._closed_exceptions: set[str] = set()
        self._problems: Sequence[str] = ()
        self.notification_bar, self.problem_bar = NotificationBar(theme), NotificationBar(theme)
        self.menu_entries = (
            (_("Manual…"), self.open_manual),
            (_("Keyboard shortcuts…"), open_shortcuts, shortcut_key("keys")),
            (_("Report a problem…"), self.open_report),
            (_("About Ready Room…"), open_about),
        )

    def show_exception(self, summary: str) -> None:
        """Show the notice of an uncaught exception, unless it is shown already.

        It is not shown again after the user has closed it for the same exception. A fault that repeats would otherwise
        bring the notice back each time.
        """
        self._last_exception = summary
        if summary in self._closed_exceptions or not self.notification_bar.isHidden():
            return
        self.notification_bar.show_message(
            _("Something went wrong."), _("Ready Room keeps running."), "warning", "warning"
        )
        self.notification_bar.show_buttons(
            (_("Show details"), self.open_report),
            (_("Copy report"), self.copy_report),
            (_("Close"), self._close_notice),
        )

    def show_problems(self, problems: Sequence[str]) -> None:
        """Show these problems until the user closes them, or until none is left."""
        if problems == self._problems:
            return
        self._problems = problems
        if not problems:
            self.problem_bar.hide_message()
            return
        count = len(problems)
        headline = ngettext("{n} problem was found", "{n} problems were found", count).format(n=count)
        self.problem_bar.show_message(headline, " · ".join(problems), "warning", "warning")
        self.problem_bar.show_buttons(
            (_("Copy"), lambda: self._copy("\n".join(problems), _("Copied"))),
            (_("Close"), self.problem_bar.hide_message),
        )

    def open_report(self) -> None:
        """Open the problem report."""
        self._close_open_dialog(ProblemReportDialog)
        dialog = ProblemReportDialog(self._theme, self._window, self._ui_state, problem_report(self._last_exception))
        dialog.copy_requested.connect(lambda report: self._copy(report, _("Report copied")))
        dialog.open()

    def open_manual(self) -> None:
        """Open the manual."""
        from browser_app.ui.help.manual_dialog import ManualDialog

        self._close_open_dialog(ManualDialog)
        ManualDialog(self._theme, self._window, self._ui_state).open()

    def copy_report(self) -> None:
        """Copy the problem report."""
        self._copy(problem_report(self._last_exception), _("Report copied"))

    def _copy(self, text: str, message: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.status_reported.emit(message)

    def _close_notice(self) -> None:
        self._closed_exceptions.add(self._last_exception)
        self.notification_bar.hide_message()

    def _close_open_dialog(self, kind: type[QWidget]) -> None:
        for dialog in self._window.findChildren(kind):
            dialog.close()
