"""Filters with a name: saving what is in force, renaming, deleting."""

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QWidget

from browser_app.language import gettext as _
from browser_app.storage.saved_filters import MAX_NAME, SavedFilters
from browser_app.ui.dialogs.name_dialog import NameDialog
from browser_app.ui.filter_control import FilterControl
from browser_app.ui.lists import ALL, SAVED
from browser_app.ui.menus import make_menu
from browser_app.ui.theme import Theme


class SavedControl(QObject):
    """The dialogs and menus of saved filters; `key` is one's key in the side list and among the chips.

    Signals:
        renamed: a key and its new one, before it has that; the key of all servers where it is deleted.
    """

    renamed = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget, saved: SavedFilters, filters: FilterControl) -> None:
        super().__init__(parent)
        self._theme, self._parent, self._saved, self._filters = theme, parent, saved, filters

    def save(self) -> None:
        """Ask for a name for the filters in force."""
        expression = self._filters.expression
        dialog = NameDialog(self._theme, self._parent, _("Save this filter"), expression, "", self._unfit)
        dialog.named.connect(lambda name: self._save(name, expression))
        dialog.open()

    def open_menu(self, key: str, where: QPoint) -> None:
        """What can be done with a saved filter."""
        name = key.removeprefix(SAVED)
        entries = ((_("Rename…"), lambda: self.rename(name)), (_("Delete"), lambda: self.delete(name)))
        make_menu(self._parent, entries).popup(where)

    def rename(self, name: str) -> None:
        """Ask for another name."""

        def unfit(new: str) -> str:
            return "" if self._saved.named_like(new) == name else self._unfit(new, taken=True)

        dialog = NameDialog(self._theme, self._parent, _("Rename the filter"), self._saved[name], name, unfit)
        dialog.named.connect(lambda new: self._rename(name, new))
        dialog.open()

    def delete(self, name: str) -> None:
        """Forget it."""
        self._filters.rename(SAVED + name, "")
        self.renamed.emit(SAVED + name, ALL)
        self._saved.delete(name)

    def _save(self, name: str, expression: str) -> None:
        self._saved.save(name, expression)
        self._filters.revise(SAVED + (self._saved.named_like(name) or name), expression)

    def _rename(self, old: str, new: str) -> None:
        new = " ".join(new.split())
        self._filters.rename(SAVED + old, SAVED + new)
        self.renamed.emit(SAVED + old, SAVED + new)
        self._saved.rename(old, new)

    def _unfit(self, name: str, *, taken: bool = False) -> str:
        if not 0 < len(" ".join(name.split())) <= MAX_NAME:
            return _("A name has 1 to {n} characters.").format(n=MAX_NAME)
        if self._saved.named_like(name) is None:
            return ""
        return _("Another filter has this name.") if taken else ""
