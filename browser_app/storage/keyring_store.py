"""Secrets in the system's keyring: the Steam key and server passwords.

Every call may block for as long as the user takes to unlock the store: never call from the window's thread.
"""

import os
from enum import Enum
from typing import Protocol

from browser_app.catalogue.user_lists import ServerMatcher
from browser_app.protocols.address import Address
from browser_app.storage.database import Database
from browser_app.storage.keyed_table import KeyedTable

KEYRING_SERVICE = "ready-room"
STEAM_KEY_VARIABLE = "READY_ROOM_STEAM_KEY"
_STEAM_KEY_NAME = "steam-web-api-key"


class SteamKeySource(Enum):
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
        self._has_searched = store is not None
        self._memory_key: str | None = None

    def is_available(self) -> bool:
        """True if secrets can be kept."""
        return self._backend() is not None

    def steam_key(self) -> str | None:
        """The Steam Web API key: from the environment variable if that is set, else from memory or the store."""
        return _steam_key_from_environment() or self._memory_key or self._get(_STEAM_KEY_NAME)

    def set_steam_key(self, key: str | None) -> bool:
        """Keep the key, or forget it; True if the store did so."""
        kept = self._set(_STEAM_KEY_NAME, key)
        self._memory_key = None if kept else key
        return kept

    def steam_key_source(self) -> SteamKeySource:
        """Where `steam_key` comes from."""
        if _steam_key_from_environment():
            return SteamKeySource.ENVIRONMENT
        if self._memory_key:
            return SteamKeySource.MEMORY
        return SteamKeySource.STORE if self._get(_STEAM_KEY_NAME) else SteamKeySource.NOWHERE

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
            return store.get_password(KEYRING_SERVICE, name)
        except Exception:  # noqa: BLE001 (backends raise whatever their system does; its text might hold the secret)
            return None

    def _set(self, name: str, secret: str | None) -> bool:
        store = self._backend()
        if store is None:
            return False
        try:
            if secret:
                store.set_password(KEYRING_SERVICE, name, secret)
            elif store.get_password(KEYRING_SERVICE, name) is not None:
                store.delete_password(KEYRING_SERVICE, name)
        except Exception:  # noqa: BLE001 (as above)
            return False
        return True

    def _backend(self) -> SecretStore | None:
        if not self._has_searched:
            self._store = _system_secret_store()
            self._has_searched = True
        return self._store


def _steam_key_from_environment() -> str:
    return os.environ.get(STEAM_KEY_VARIABLE, "").strip()


def _system_secret_store() -> SecretStore | None:
    """The system's store; None where there is none, or only one that keeps secrets in the open."""
    try:
        import keyring

        backend = keyring.get_keyring()
        # keyring's rule: backends below 1 are not recommended (a plain file, or one that does nothing).
        return backend if backend.priority >= 1 else None
    except Exception:  # noqa: BLE001 (looking for a backend asks D-Bus and other services)
        return None


class ServerPasswords:
    """Saved passwords. Calls that take a server may block as `Secrets` says; `marks` does not."""

    def __init__(self, database: Database, secrets: Secrets) -> None:
        """Load the list.

        Raises:
            StorageError: the file cannot be read.
        """
        self._secrets = secrets
        self._table = KeyedTable(database, "saved_passwords", ("host", "port"), ("host", "port"))
        self._saved = {Address(host, port) for host, port in self._table.rows()}

    def get(self, address: Address) -> str | None:
        """The password of a server; None where none was saved or the store does not give it."""
        return self._secrets.server_password(address) if address in self._saved else None

    def save(self, address: Address, password: str) -> bool:
        """Keep a password that worked; False where there is no store for it."""
        if not password or not self._secrets.set_server_password(address, password):
            return False
        self._saved.add(address)
        self._table.write([address])
        return True

    def remove(self, address: Address) -> None:
        """Take a password away; nothing happens if there is none."""
        self._secrets.set_server_password(address, None)
        self._saved.discard(address)
        self._table.write(deleted_keys=[address])

    def matcher(self) -> ServerMatcher:
        """The servers with a password, as the catalogue wants them."""
        return ServerMatcher(addresses=frozenset(self._saved))
