"""The controller that asks for a file and writes an export."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.file_errors import file_error_text
from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.paths import safe_file_name
from browser_app.storage.safe_files import write_atomically

EXPORT_FORMATS = {
    "png": N_("PNG image (*.png)"),
    "svg": N_("SVG image (*.svg)"),
    "csv": N_("CSV table of rounds (*.csv)"),
}


class RatingExportController(QObject):
    """Asks for a file and writes it in a background thread, one at a time.

    Signals:
        status_reported: what was written, or why it was not.
    """

    status_reported = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent, self._background = parent, BackgroundTasks()
        self.dialog: QFileDialog | None = None

    def ask_for_file(self, kind: str, file_stem: str, content: Callable[[], Callable[[], bytes]]) -> None:
        """Ask where to save a file.

        Args:
            kind: a key of `EXPORT_FORMATS`.
            file_stem: text for the file name, without its extension.
            content: called in the GUI thread once a file is chosen; the function that it returns is called in a
                background thread and returns the file's bytes.
        """
        if self.dialog is not None:
            self.dialog.close()
        name = f"{safe_file_name(file_stem)}.{kind}"
        dialog = QFileDialog(self._parent, _("Export"), name, _(EXPORT_FORMATS[kind]))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(kind)
        dialog.fileSelected.connect(lambda path: self.write_file(Path(path), content))
        dialog.finished.connect(partial(self._on_closed, dialog))
        self.dialog = dialog
        dialog.open()

    def write_file(self, path: Path, content: Callable[[], Callable[[], bytes]]) -> None:
        """Write the file in a background thread."""
        self._background.run(partial(_write_and_report, path, content()), self.status_reported.emit)

    def _on_closed(self, dialog: QFileDialog, _result: int) -> None:
        dialog.deleteLater()
        if self.dialog is dialog:
            self.dialog = None


def _write_and_report(path: Path, content: Callable[[], bytes]) -> str:
    try:
        write_atomically(path, content())
    except OSError as error:
        return _("Could not save {path}: {reason}").format(path=path.name, reason=file_error_text(error))
    return _("Saved: {path}").format(path=path.name)
