"""What My skill tells of rounds coming in."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.skill.import_words import taken_words
from browser_app.bridge.skill.imported import Imported, Importing, Unmapped
from browser_app.bridge.skill.imports import Imports
from browser_app.bridge.skill.shown import Work


class ImportNews(QObject):
    """Puts into words what was taken in and what was not.

    Signals:
        progressed: a `Work`, None at its end.
        told, failed, columns_wanted: as in `SkillPanel`.
        rounds_came: there are rounds that were not there before, or more is known of some.
    """

    progressed = Signal(object)
    told = Signal(str)
    failed = Signal(str)
    columns_wanted = Signal(object)
    rounds_came = Signal()

    def __init__(self, imports: Imports, parent: QObject) -> None:
        super().__init__(parent)
        self._imports = imports
        imports.progressed.connect(self._tell_progress)
        imports.finished.connect(self._tell_end)

    def close(self) -> None:
        """Tell nothing any more."""
        self._imports.progressed.disconnect(self._tell_progress)
        self._imports.finished.disconnect(self._tell_end)

    def _tell_progress(self, importing: Importing | None) -> None:
        if importing is None:
            self.progressed.emit(None)
            return
        share = (importing.file - 1 + importing.share) / max(1, importing.files)
        self.progressed.emit(Work("import", math.floor(1000 * share), 1000))

    def _tell_end(self, files: Sequence[Imported]) -> None:
        for each in files:
            if each.problem and each.table is None and not each.waits:
                self.failed.emit(each.problem)
        if words := taken_words(files):
            self.told.emit(words)
        if any(each.new or each.richer for each in files):
            self.rounds_came.emit()
        tables = [Unmapped(each.path, each.problem, each.table) for each in files if each.table is not None]
        if tables:
            self.columns_wanted.emit(tables)
