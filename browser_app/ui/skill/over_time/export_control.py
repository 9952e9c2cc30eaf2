"""Asks where a file is to go, and writes it beside the window."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from browser_app.bridge.background import Background
from browser_app.language import gettext as _
from browser_app.language import later

KINDS = {
    "png": later("Picture in pixels (*.png)"),
    "svg": later("Picture in lines (*.svg)"),
    "csv": later("Table of all rounds (*.csv)"),
}


class ExportControl(QObject):
    """One dialog at a time.

    Signals:
        told: a sentence about what was written, or why it was not.
    """

    told = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent, self._background = parent, Background()
        self.dialog: QFileDialog | None = None

    def ask(self, kind: str, name: str, content: Callable[[], Callable[[], bytes]]) -> None:
        """Ask where to put a file of a kind.

        Args:
            kind: of `KINDS`.
            name: of the file, without its end.
            content: called in the window's thread once a place is chosen; what it returns is called beside the window,
                and makes the file's bytes.
        """
        if self.dialog is not None:
            self.dialog.close()
        dialog = QFileDialog(self._parent, _("Export"), f"{name}.{kind}", _(KINDS[kind]))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(kind)
        dialog.fileSelected.connect(lambda path: self.write(Path(path), content))
        dialog.finished.connect(partial(self._closed, dialog))
        self.dialog = dialog
        dialog.open()

    def write(self, path: Path, content: Callable[[], Callable[[], bytes]]) -> None:
        """Write it."""
        self._background.run(partial(_write, path, content()), self.told.emit)

    def _closed(self, dialog: QFileDialog, _result: int) -> None:
        dialog.deleteLater()
        if self.dialog is dialog:
            self.dialog = None


def _write(path: Path, content: Callable[[], bytes]) -> str:
    try:
        path.write_bytes(content())
    except OSError as error:
        return _("{path} could not be written: {reason}").format(path=path.name, reason=error.strerror or error)
    return _("Written: {path}").format(path=path.name)
