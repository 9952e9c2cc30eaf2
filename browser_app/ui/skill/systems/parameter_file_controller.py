"""The controller that loads parameters from a file and saves them to one."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from browser_app.application.parameter_file import ParameterFile
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.exit_status import UsageError
from browser_app.file_errors import file_error_text
from browser_app.language import gettext as _
from browser_app.rating.rating_parameters import ParameterSet
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.storage.safe_files import write_atomically


class ParameterFileController(QObject):
    """Asks for a file, which a background thread reads or writes.

    The commands read and print the same files.

    Signals:
        parameters_loaded: name of the system, its `ParameterSet`, and the name of the file.
        status_reported: what was saved, or why a file cannot be used.
    """

    parameters_loaded = Signal(str, object, str)
    status_reported = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent, self._background = parent, BackgroundTasks()
        self.dialog: QFileDialog | None = None

    def ask_to_load(self, system: str) -> None:
        """Ask for a file with parameters of a system."""
        dialog = self._create_dialog(_("Load parameters"), "", partial(self.load_file, system))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.open()

    def ask_to_save(self, system: str, parameters: ParameterSet) -> None:
        """Ask where to save parameters."""
        save = partial(self.save_file, system, parameters)
        dialog = self._create_dialog(_("Save parameters"), f"{system}-parameters.json", save)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("json")
        dialog.open()

    def load_file(self, system: str, path: Path) -> None:
        """Load the parameters of a system."""
        self._background.run(partial(_read_parameters, system, path), partial(self._on_read, system, path))

    def save_file(self, system: str, parameters: ParameterSet, path: Path) -> None:
        """Save the parameters of a system."""
        self._background.run(partial(_write_parameters, system, parameters, path), self.status_reported.emit)

    def _create_dialog(self, title: str, name: str, use_file: Callable[[Path], object]) -> QFileDialog:
        if self.dialog is not None:
            self.dialog.close()
        dialog = QFileDialog(self._parent, title, name, _("Parameters (*.json)"))
        dialog.fileSelected.connect(lambda path: use_file(Path(path)))
        dialog.finished.connect(partial(self._on_closed, dialog))
        self.dialog = dialog
        return dialog

    def _on_closed(self, dialog: QFileDialog, _result: int) -> None:
        dialog.deleteLater()
        if self.dialog is dialog:
            self.dialog = None

    def _on_read(self, system: str, path: Path, read: ParameterSet | str) -> None:
        if isinstance(read, str):
            self.status_reported.emit(read)
        else:
            self.parameters_loaded.emit(system, read, path.name)


def _read_parameters(system: str, path: Path) -> ParameterSet | str:
    """Return the parameters, or why the file cannot be used."""
    try:
        return ParameterFile.read(str(path), [system]).parameters(RATING_SYSTEMS[system])
    except UsageError as error:
        return _("The parameters cannot be used: {reason}").format(reason=error)


def _write_parameters(system: str, parameters: ParameterSet, path: Path) -> str:
    """Write the file; return the message for the user."""
    content = json.dumps(parameters.to_file_content(system), ensure_ascii=False, indent=2) + "\n"
    try:
        write_atomically(path, content.encode())
    except OSError as error:
        return _("Could not save {path}: {reason}").format(path=path.name, reason=file_error_text(error))
    return _("Saved: {path}").format(path=path.name)
