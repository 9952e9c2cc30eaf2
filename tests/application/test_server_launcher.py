"""Whether the server at an address is still the one that a password was saved for."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from browser_app.application.game_finder import GameFinder
from browser_app.application.server_launcher import ServerLauncher
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.games import load_games
from browser_app.games.game_files import GameFiles
from browser_app.launch.launch_arguments import LaunchError
from browser_app.paths import resource_folder, user_paths
from browser_app.protocols.address import Address
from browser_app.storage.user_storage import UserStorage

QUERY_ADDRESS, GAME_ADDRESS = Address("192.0.2.1", 27016), Address("192.0.2.1", 27015)
SAVED = ServerInfo("ns2", "Locked", "ns2_veil", GAME_ADDRESS, 1, 0, 0, 16, password=True, stable_key="steam:1")
GAME = "The game was Natural Selection 2 and is now OpenArena."
KEY = "The key that identifies the server has changed."
ADDRESS = "The game address was 192.0.2.1:27015 and is now 192.0.2.1:4444."


class MemoryKeyring:
    """A keyring in memory."""

    def __init__(self) -> None:
        self.secrets: dict[str, str] = {}

    def get_password(self, service: str, username: str) -> str | None:  # noqa: ARG002 (keyring's signature)
        return self.secrets.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:  # noqa: ARG002
        self.secrets[username] = password

    def delete_password(self, service: str, username: str) -> None:  # noqa: ARG002
        del self.secrets[username]


@dataclass
class LauncherFixture:
    """One locked server with a saved password, and its launcher."""

    storage: UserStorage
    catalogue: Catalogue
    launcher: ServerLauncher

    def answer(self, info: ServerInfo) -> None:
        """Let the server answer."""
        target = QueryTarget(QUERY_ADDRESS, "a2s", "ns2")
        self.catalogue.merge([QueryResult(target, QueryStatus.OK, info, None, 50.0, False, 1, 1.0)])


@pytest.fixture
def env() -> Iterator[LauncherFixture]:
    with UserStorage(user_paths()) as storage:
        storage.secrets._store, storage.secrets._has_searched = MemoryKeyring(), True
        games = load_games(resource_folder() / "games")
        catalogue = Catalogue(games)
        env = LauncherFixture(
            storage, catalogue, ServerLauncher(catalogue, GameFinder(games, storage.settings, {}), storage)
        )
        env.answer(SAVED)
        assert env.launcher.save_password(0, "sesame")
        yield env


def test_changes_since_password_was_saved(env: LauncherFixture) -> None:
    moved = Address(GAME_ADDRESS.host, 4444)
    for answer, warning in (
        (SAVED, ""),
        (replace(SAVED, name="Renamed", map="ns2_tram", players=9, version="345"), ""),
        (replace(SAVED, game="openarena"), GAME),
        (replace(SAVED, stable_key="steam:2"), KEY),
        (replace(SAVED, stable_key=None), KEY),
        (replace(SAVED, connect=moved), ADDRESS),
        (replace(SAVED, game="openarena", stable_key=None, connect=moved), f"{GAME} {KEY} {ADDRESS}"),
    ):
        env.answer(answer)
        assert env.launcher.password_warning(0) == warning
        if warning:
            with pytest.raises(LaunchError, match="not sent"):
                env.launcher.password_to_send(0, accept_changes=False)
        assert env.launcher.password_to_send(0, accept_changes=True) == "sesame"
    env.launcher.accept_server(0)
    assert not env.launcher.password_warning(0)


def test_password_of_earlier_version(env: LauncherFixture) -> None:
    env.storage.database.execute("UPDATE saved_passwords SET connect_host = NULL, connect_port = NULL").result()
    env.storage._load()
    assert env.launcher.password_warning(0) == "It is not known for which server the password was saved."
    env.launcher.accept_server(0)
    env.storage.database.flush()
    env.storage._load()
    assert not env.launcher.password_warning(0)


def test_open_server_gets_no_password(env: LauncherFixture) -> None:
    env.answer(replace(SAVED, password=False, game="openarena"))
    assert env.launcher.password_to_send(0, accept_changes=True) is None


def test_no_password_needs_no_warning(env: LauncherFixture) -> None:
    env.storage.passwords.remove(QUERY_ADDRESS)
    env.answer(replace(SAVED, game="openarena"))
    assert not env.launcher.password_warning(0)


def test_missing_files_are_named_before_start(
    env: LauncherFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "zandronum"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "DOOM2.WAD").touch()
    monkeypatch.setenv("DOOMWADDIR", str(tmp_path))
    address = Address("192.0.2.9", 10666)
    server = ServerInfo("zandronum", "Rig", "MAP01", address, 1, 0, 0, 8, game_files=GameFiles("doom2.wad", ("a.wad",)))
    target = QueryTarget(address, "zandronum", "zandronum")
    env.catalogue.merge([QueryResult(target, QueryStatus.OK, server, None, 50.0, False, 1, 1.0)])
    with pytest.raises(LaunchError, match=r"needs the file a\.wad for this server; put it into "):
        env.launcher.check_launch(1)
    (tmp_path / "A.wad").touch()
    assert env.launcher.plan(1, None).argv == (
        str(program), "-connect", "192.0.2.9:10666", "-iwad", f"{tmp_path}/DOOM2.WAD", "-file", f"{tmp_path}/A.wad",
    )  # fmt: skip
    games = load_games(resource_folder() / "games")
    stand_in = ServerLauncher(
        env.catalogue, GameFinder(games, env.storage.settings, {"zandronum": str(program)}), env.storage
    )
    (tmp_path / "A.wad").unlink()
    assert stand_in.plan(1, None).argv == (str(program), "-connect", "192.0.2.9:10666")
