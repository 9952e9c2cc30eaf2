"""Notes, friends, alerts and blocked servers, joined with the view *Servers*."""

from PySide6.QtCore import QObject

from browser_app.ui.inspector import NOTES
from browser_app.ui.people.notes_control import NotesControl
from browser_app.ui.people.services import PeopleServices
from browser_app.ui.servers_view import ServersView


class PeopleControl(QObject):
    """What the window is joined with."""

    def __init__(self, view: ServersView, services: PeopleServices) -> None:
        super().__init__(view)
        self._view = view
        self.notes = NotesControl(view.inspector.notes, view.live, services)
        view.table.server_selected.connect(self.notes.show_server)

    def write_note(self) -> None:
        """Go to the selected server's note."""
        view = self._view
        if view.details.server < 0:
            return
        if not view.inspector_fold.open:
            view.inspector_fold.toggle()
        view.inspector.turn_to(NOTES)
        view.inspector.notes.write_note()

    def close(self) -> None:
        """Save what was written."""
        self.notes.close()
