"""Secrets in the system's keyring: the Steam key and server passwords.

Every call may block until the user has unlocked the keyring: never call from the GUI thread.
"""

import logging
import os
from enum import Enum
from typing import Protocol

from browser_app.catalogue.server_info import ServerIdentity
from browser_app.catalogue.user_lists import ServerMatcher
from browser_app.protocols.address import Address
from browser_app.storage.database import Database
from browser_app.storage.keyed_table import KeyedTable

_log = logging.getLogger(__name__)

KEYRING_SERVICE = "ready-room"
STEAM_KEY_VARIABLE = "READY_ROOM_STEAM_KEY"
_STEAM_KEY_NAME = "steam-web-api-key"


class SteamKeySource(Enum):
    """Where the Steam key comes from."""

    NOWHERE = "nowhere"
    ENVIRONMENT = "environment"
    STORE = "store"
    MEMORY = "memory"
    """Until the program ends, because no keyring accepted it."""


class SecretStore(Protocol):
    """The part of `keyring`'s backends that is used."""

    def get_password(self, service: str, username: str) -> str | None:
        """Return the secret, None if there is none."""

    def set_password(self, service: str, username: str, password: str) -> None:
        """Save a secret."""

    def delete_password(self, service: str, username: str) -> None:
        """Delete a secret."""


class Secrets:
    """Access to the keyring that never raises.

    Without a usable keyring, reading returns None and writing returns False. A Steam key that no keyring accepts is
    kept in memory until the program ends.
    """

    def __init__(self, store: SecretStore | None = None) -> None:
        """Use `store`, or find the system's keyring when first needed."""
        self._store = store
        self._has_searched = store is not None
        self._memory_key: str | None = None

    def is_available(self) -> bool:
        """Return True if secrets can be saved."""
        return self._find_store() is not None

    def steam_key(self) -> str | None:
        """Return the Steam Web API key, None if there is none.

        The environment variable comes first, then memory, then the keyring.
        """
        return _steam_key_from_environment() or self._memory_key or self._get(_STEAM_KEY_NAME)

    def set_steam_key(self, key: str | None) -> bool:
        """Save the key, or delete it if None; return True if the keyring did so."""
        is_saved = self._set(_STEAM_KEY_NAME, key)
        self._memory_key = None if is_saved else key
        return is_saved

    def steam_key_source(self) -> SteamKeySource:
        """Return where `steam_key` comes from."""
        if _steam_key_from_environment():
            return SteamKeySource.ENVIRONMENT
        if self._memory_key:
            return SteamKeySource.MEMORY
        return SteamKeySource.STORE if self._get(_STEAM_KEY_NAME) else SteamKeySource.NOWHERE

    def server_password(self, address: Address) -> str | None:
        """Return the password saved for a server."""
        return self._get(f"server {address}")

    def set_server_password(self, address: Address, password: str | None) -> bool:
        """Save a server's password, or delete it if None.

        Returns True if the keyring did so.
        """
        return self._set(f"server {address}", password)

    def _get(self, name: str) -> str | None:
        store = self._find_store()
        if store is None:
            return None
        try:
            return store.get_password(KEYRING_SERVICE, name)
        except Exception as error:  # noqa: BLE001 (backends raise whatever their system does)
            _log_error("reading", error)
            return None

    def _set(self, name: str, secret: str | None) -> bool:
        store = self._find_store()
        if store is None:
            return False
        try:
            if secret:
                store.set_password(KEYRING_SERVICE, name, secret)
            elif store.get_password(KEYRING_SERVICE, name) is not None:
                store.delete_password(KEYRING_SERVICE, name)
        except Exception as error:  # noqa: BLE001 (as above)
            _log_error("writing", error)
            return False
        return True

    def _find_store(self) -> SecretStore | None:
        if not self._has_searched:
            self._store = _system_secret_store()
            self._has_searched = True
        return self._store


def _steam_key_from_environment() -> str:
    return os.environ.get(STEAM_KEY_VARIABLE, "").strip()


def _system_secret_store() -> SecretStore | None:
    """Return the system's keyring, None if there is none that encrypts."""
    try:
        import keyring

        backend = keyring.get_keyring()
        # keyring's rule: backends below 1 are not recommended (a plain file, or one that does nothing).
        return backend if backend.priority >= 1 else None
    except Exception as error:  # noqa: BLE001 (searching for a backend queries D-Bus and other services)
        _log_error("search", error)
        return None


def _log_error(action: str, error: Exception) -> None:
    """Log the type only: the text might contain the secret."""
    _log.info("keyring: %s failed with %s", action, type(error).__name__)


class ServerPasswords:
    """Saved server passwords, each with the identity of the server that it is for.

    `get`, `save` and `remove` may block as `Secrets` says.
    """

    def __init__(self, database: Database, secrets: Secrets) -> None:
        """Load the list of servers with a password."""
        self._secrets = secrets
        columns = ("host", "port", "game", "stable_key", "connect_host", "connect_port")
        self._table = KeyedTable(database, "saved_passwords", columns, ("host", "port"))
        self._saved = dict(self._table.load(lambda row: (Address(*row[:2]), _convert_identity(*row[2:]))))

    def get(self, address: Address) -> str | None:
        """Return the password of a server, None if the keyring has none."""
        return self._secrets.server_password(address) if address in self._saved else None

    def __contains__(self, address: Address) -> bool:
        """Return whether a password was saved for a server."""
        return address in self._saved

    def identity(self, address: Address) -> ServerIdentity | None:
        """Return the identity of the server that a password is for, None if unknown."""
        return self._saved.get(address)

    def set_identity(self, address: Address, identity: ServerIdentity) -> None:
        """Set for which server a saved password is."""
        if self._saved.get(address) == identity:
            return
        self._saved[address] = identity
        self._table.write([(*address, identity.game, identity.stable_key, *identity.connect)])

    def save(self, address: Address, password: str, identity: ServerIdentity) -> bool:
        """Save a password that worked; return False if no keyring accepts it."""
        if not password or not self._secrets.set_server_password(address, password):
            return False
        self.set_identity(address, identity)
        return True

    def remove(self, address: Address) -> None:
        """Delete a password, if there is one."""
        self._secrets.set_server_password(address, None)
        self._saved.pop(address, None)
        self._table.write(deleted_keys=[address])

    def create_matcher(self) -> ServerMatcher:
        """Return a matcher of the servers with a password, for the catalogue."""
        return ServerMatcher(addresses=frozenset(self._saved))


def _convert_identity(
    game: str | None, stable_key: str | None, host: str | None, port: int | None
) -> ServerIdentity | None:
    return None if host is None or port is None else ServerIdentity(game, stable_key, Address(host, port))
