"""Secrets come from the environment, then the keyring.

Errors raise nothing and log no secret.
"""

import logging
from pathlib import Path

import keyring
import keyring.backend
import keyring.backends.fail
import pytest

from browser_app.catalogue.server_info import ServerIdentity
from browser_app.protocols.address import Address
from browser_app.storage.database import open_database
from browser_app.storage.keyring_store import STEAM_KEY_VARIABLE, Secrets, ServerPasswords, SteamKeySource

SERVER = Address("192.0.2.1", 27015)
IDENTITY = ServerIdentity("xonotic", "d0:key", Address("192.0.2.1", 26000))


class _MemoryKeyring(keyring.backend.KeyringBackend):
    priority = 5

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.secrets: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.secrets.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.secrets[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.secrets[service, username]


class _PlainTextKeyring(_MemoryKeyring):
    priority = 0.5  # type: ignore[assignment]


class _LockedKeyring(_MemoryKeyring):
    def get_password(self, service: str, username: str) -> str | None:  # noqa: ARG002 (signature of the backend)
        raise RuntimeError("locked: hunter2")

    def set_password(self, service: str, username: str, password: str) -> None:  # noqa: ARG002 (signature of the backend)
        raise RuntimeError(f"locked: {password}")


@pytest.fixture(autouse=True)
def _unset_steam_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(STEAM_KEY_VARIABLE, raising=False)


def test_secret_round_trip() -> None:
    secrets = Secrets(_MemoryKeyring())
    assert secrets.is_available()
    assert secrets.steam_key() is None
    assert secrets.set_steam_key("KEY")
    assert secrets.set_server_password(SERVER, "hunter2")
    assert (secrets.steam_key(), secrets.server_password(SERVER)) == ("KEY", "hunter2")
    assert secrets.set_steam_key(None)
    assert secrets.set_steam_key(None)
    assert secrets.steam_key() is None


def test_environment_variable_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = Secrets(_MemoryKeyring())
    secrets.set_steam_key("STORED")
    monkeypatch.setenv(STEAM_KEY_VARIABLE, " GIVEN ")
    assert secrets.steam_key() == "GIVEN"
    monkeypatch.setenv(STEAM_KEY_VARIABLE, " ")
    assert secrets.steam_key() == "STORED"


@pytest.mark.parametrize("backend", [keyring.backends.fail.Keyring, _PlainTextKeyring])
def test_no_plain_text_keyring(backend: type[keyring.backend.KeyringBackend], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyring, "get_keyring", backend)
    secrets = Secrets()
    assert not secrets.is_available()
    assert not secrets.set_steam_key("KEY")
    assert (secrets.steam_key(), secrets.steam_key_source()) == ("KEY", SteamKeySource.MEMORY)
    assert Secrets().steam_key() is None


def test_system_keyring_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyring, "get_keyring", _MemoryKeyring)
    assert Secrets().set_server_password(SERVER, "hunter2")


def test_error_hides_secret(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secrets = Secrets(_LockedKeyring())
    assert not secrets.set_server_password(SERVER, "hunter2")
    assert secrets.server_password(SERVER) is None
    assert "hunter2" not in caplog.text


def test_passwords_survive_restart(tmp_path: Path) -> None:
    store = _MemoryKeyring()
    database = open_database(tmp_path)
    passwords = ServerPasswords(database, Secrets(store))
    assert passwords.save(SERVER, "hunter2", IDENTITY)
    assert not passwords.save(Address("192.0.2.2", 1), "", IDENTITY)
    database.close()
    database = open_database(tmp_path)
    passwords = ServerPasswords(database, Secrets(store))
    assert passwords.create_matcher().addresses == {SERVER}
    assert passwords.get(SERVER) == "hunter2"
    assert passwords.identity(SERVER) == IDENTITY
    passwords.remove(SERVER)
    assert (passwords.get(SERVER), store.secrets) == (None, {})
    database.flush()
    assert not ServerPasswords(database, Secrets(store)).create_matcher()
    database.close()
    assert b"hunter2" not in b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_no_keyring_saves_nothing(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    passwords = ServerPasswords(database, Secrets(_LockedKeyring()))
    assert not passwords.save(SERVER, "hunter2", IDENTITY)
    assert not passwords.create_matcher()
    database.close()
