"""Secrets: in the system's own secret store, or nowhere. Never in a file of ours, never in a log.

Every call may block for as long as the user takes to unlock the store: never call from the window's thread.
"""

import os
from enum import Enum
from typing import Protocol

from browser_app.protocols.address import Address

SERVICE = "ready-room"
STEAM_KEY_VARIABLE = "READY_ROOM_STEAM_KEY"
_STEAM_KEY = "steam-web-api-key"


class KeyPlace(Enum):
    """Where the Steam key is."""

    NOWHERE = "nowhere"
    ENVIRONMENT = "environment"
    STORE = "store"
    MEMORY = "memory"
    """Until the program ends, since no store took it."""


class SecretStore(Protocol):
    """The part of `keyring`'s backends that is used."""

    def get_password(self, service: str, username: str) -> str | None:
        """The secret, None where there is none."""

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep a secret."""

    def delete_password(self, service: str, username: str) -> None:
        """Forget it."""


class Secrets:
    """Reading gives None and writing False where there is no usable store; nothing here raises.

    A Steam key that no store takes is kept in memory until the program ends.
    """

    def __init__(self, store: SecretStore | None = None) -> None:
        """Use `store`, or the system's own when it is first needed."""
        self._store = store
        self._searched = store is not None
        self._unkept_key: str | None = None

    def available(self) -> bool:
        """True if secrets can be kept."""
        return self._backend() is not None

    def steam_key(self) -> str | None:
        """The Steam Web API key: from the environment variable if that is set, else from memory or the store."""
        return _key_of_environment() or self._unkept_key or self._get(_STEAM_KEY)

    def set_steam_key(self, key: str | None) -> bool:
        """Keep the key, or forget it; True if the store did so."""
        kept = self._set(_STEAM_KEY, key)
        self._unkept_key = None if kept else key
        return kept

    def steam_key_place(self) -> KeyPlace:
        """Where `steam_key` comes from."""
        if _key_of_environment():
            return KeyPlace.ENVIRONMENT
        if self._unkept_key:
            return KeyPlace.MEMORY
        return KeyPlace.STORE if self._get(_STEAM_KEY) else KeyPlace.NOWHERE

    def server_password(self, address: Address) -> str | None:
        """The password saved for a server."""
        return self._get(f"server {address}")

    def set_server_password(self, address: Address, password: str | None) -> bool:
        """Keep a server's password, or forget it; True if the store did so."""
        return self._set(f"server {address}", password)

    def _get(self, name: str) -> str | None:
        store = self._backend()
        if store is None:
            return None
        try:
            return store.get_password(SERVICE, name)
        except Exception:  # noqa: BLE001 (backends raise whatever their system does; its text might hold the secret)
            return None

    def _set(self, name: str, secret: str | None) -> bool:
        store = self._backend()
        if store is None:
            return False
        try:
            if secret:
                store.set_password(SERVICE, name, secret)
            elif store.get_password(SERVICE, name) is not None:
                store.delete_password(SERVICE, name)
        except Exception:  # noqa: BLE001 (as above)
            return False
        return True

    def _backend(self) -> SecretStore | None:
        if not self._searched:
            self._store = _system_store()
            self._searched = True
        return self._store


def _key_of_environment() -> str:
    return os.environ.get(STEAM_KEY_VARIABLE, "").strip()


def _system_store() -> SecretStore | None:
    """The system's store; None where there is none, or only one that keeps secrets in the open."""
    try:
        import keyring

        backend = keyring.get_keyring()
        # keyring's rule: backends below 1 are not recommended (a plain file, or one that does nothing).
        return backend if backend.priority >= 1 else None
    except Exception:  # noqa: BLE001 (looking for a backend asks D-Bus and other services)
        return None
