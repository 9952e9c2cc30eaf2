"""The user's Steam key, kept and looked for beside the window: the secret store may wait for its user."""

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.background import Background
from browser_app.storage.secrets import KeyPlace, Secrets


class SteamKeyBox(QObject):
    """Never shows the key itself.

    Signals:
        found: where the key is; follows each call of `look`, `keep` and `forget`.
        changed: another key holds, or none.
    """

    found = Signal(KeyPlace)
    changed = Signal()

    def __init__(self, secrets: Secrets, background: Background) -> None:
        super().__init__()
        self._secrets, self._background = secrets, background

    def look(self) -> None:
        """Find out where the key is."""
        self._background.run(self._secrets.steam_key_place, self.found.emit)

    def keep(self, key: str) -> None:
        """Keep a key: in the store, or until the program ends."""
        self._background.run(lambda: self._put(key), self._told)

    def forget(self) -> None:
        """Forget the key."""
        self._background.run(lambda: self._put(None), self._told)

    def _put(self, key: str | None) -> KeyPlace:
        self._secrets.set_steam_key(key)
        return self._secrets.steam_key_place()

    def _told(self, place: KeyPlace) -> None:
        self.found.emit(place)
        self.changed.emit()
