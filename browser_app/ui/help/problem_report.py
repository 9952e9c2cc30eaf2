"""Problem report: versions and the end of the log, to be copied into an issue."""

import PySide6
from PySide6.QtCore import QSize, Signal, qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from browser_app.diagnostics import LOG_FILE, format_problem_report
from browser_app.language import gettext as _
from browser_app.paths import log_folder
from browser_app.storage.ui_state import UiState
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.dialogs import SavedSizeDialog, create_button_row
from browser_app.ui.widgets.theme import Theme


def problem_report(last_exception: str = "") -> str:
    """Return the report's text.

    `last_exception` is contained even if no log could be written.
    """
    details = [f"Qt {qVersion()}, PySide6 {PySide6.__version__}, {QGuiApplication.platformName()}"]
    if last_exception:
        details.append(f"Last error: {last_exception}")
    return format_problem_report(log_folder() / LOG_FILE, *details)


class ProblemReportDialog(SavedSizeDialog):
    """Shows the report; Esc closes it.

    Signals:
        copy_requested: the text to copy.
    """

    copy_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget, ui_state: UiState, report: str) -> None:
        super().__init__(theme, parent, ui_state, "problem report", _("Report a problem"), QSize(760, 520))
        about = Label(
            theme,
            _(
                "Copy this report and describe what you did before. It contains versions and the last log messages, "
                "without keys, passwords and player IDs. Nothing is sent by itself."
            ),
            role="text2",
            wraps=True,
        )
        self.report_field = QPlainTextEdit(report)
        self.report_field.setReadOnly(True)
        self.report_field.setTabChangesFocus(True)
        self.report_field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.report_field.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.report_field.setAccessibleName(_("Report a problem"))
        self.copy_button = Button(theme, _("Copy report"), "copy", accented=True)
        self.close_button = Button(theme, _("Close"))
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(about)
        column.addWidget(self.report_field, 1)
        column.addLayout(create_button_row((), (self.copy_button, self.close_button)))
        self.copy_button.clicked.connect(lambda: self.copy_requested.emit(self.report_field.toPlainText()))
        self.close_button.clicked.connect(self.accept)
        self.copy_button.setFocus()
