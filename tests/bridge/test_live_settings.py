"""Settings of the open window: applied at once, written in order.

Errors are reported.
"""

import tomllib
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.live_settings import LiveSettings, SteamKeyController, own_country
from browser_app.storage.keyring_store import STEAM_KEY_VARIABLE, Secrets, SteamKeySource
from browser_app.storage.setting_declarations import OWN_COUNTRY, PLAY_NOW_COUNTDOWN_S, SCAN_PACE, THEME
from browser_app.storage.setting_types import Setting
from browser_app.storage.settings_store import Settings
from browser_app.storage.storage_errors import StorageError


def make_settings(folder: Path) -> LiveSettings:
    return LiveSettings(Settings(folder), BackgroundTasks())


def test_change_applies_and_is_saved(qtbot: QtBot, tmp_path: Path) -> None:
    settings = make_settings(tmp_path)
    with qtbot.waitSignal(settings.changed) as signal:
        settings.set(THEME, "dark")
    assert (signal.args, settings.get(THEME)) == ([THEME.key], "dark")
    qtbot.waitUntil(lambda: settings.path.exists() and tomllib.loads(settings.path.read_text()) != {})
    assert tomllib.loads(settings.path.read_text()) == {"window": {"theme": "dark"}}


def test_file_has_last_change(qtbot: QtBot, tmp_path: Path) -> None:
    settings = make_settings(tmp_path)
    for tenths in range(30):
        settings.set(PLAY_NOW_COUNTDOWN_S, tenths / 10)
    settings.set(SCAN_PACE, "fast")
    qtbot.waitUntil(lambda: Settings(tmp_path).get(SCAN_PACE) == "fast")
    assert Settings(tmp_path).get(PLAY_NOW_COUNTDOWN_S) == 2.9


def test_same_value_is_no_change(qtbot: QtBot, tmp_path: Path) -> None:
    settings = make_settings(tmp_path)
    with qtbot.assertNotEmitted(settings.changed):
        settings.set(THEME, "system")
    with pytest.raises(ValueError, match="must be one of"):
        settings.set(THEME, "pink")


def test_close_writes_pending_changes(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    background = BackgroundTasks()
    monkeypatch.setattr(background, "run", lambda work, callback: None)  # the first write never returns
    settings = LiveSettings(Settings(tmp_path), background)
    settings.set(SCAN_PACE, "fast")
    settings.set(THEME, "dark")
    settings.close()
    assert (Settings(tmp_path).get(SCAN_PACE), Settings(tmp_path).get(THEME)) == ("fast", "dark")


def test_full_disk_is_reported(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Settings, setting: Setting[object]) -> None:
        raise StorageError("settings.toml: No space left on device")

    settings = make_settings(tmp_path)
    monkeypatch.setattr(Settings, "write", full)
    with qtbot.waitSignal(settings.save_failed) as signal:
        settings.set(THEME, "dark")
    assert signal.args == ["settings.toml: No space left on device"]
    assert settings.get(THEME) == "dark"
    monkeypatch.undo()
    settings.close()
    assert Settings(tmp_path).get(THEME) == "dark"


def test_unsaved_changes_are_retried(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "settings"
    folder.write_text("in the way")
    settings = make_settings(folder)
    failures: list[str] = []
    settings.save_failed.connect(failures.append)
    settings.set(THEME, "dark")
    qtbot.waitUntil(lambda: bool(failures))
    settings.set(SCAN_PACE, "fast")
    qtbot.waitUntil(lambda: not settings._writing)
    folder.unlink()
    settings._retry_timer.setInterval(0)
    with qtbot.waitSignal(settings.save_recovered):
        settings._retry_timer.start()
    assert (Settings(folder).get(THEME), Settings(folder).get(SCAN_PACE)) == ("dark", "fast")
    assert len(failures) == 1
    assert not settings._retry_timer.isActive()


def test_own_country_overrides_system(qtbot: QtBot, tmp_path: Path) -> None:
    settings = make_settings(tmp_path)
    assert len(own_country(settings)) in (0, 2)
    settings.set(OWN_COUNTRY, "de")
    assert own_country(settings) == "DE"
    with pytest.raises(ValueError, match="Two letters"):
        settings.set(OWN_COUNTRY, "Germany")
    qtbot.waitUntil(lambda: Settings(tmp_path).get(OWN_COUNTRY) == "de")


class _FakeKeyring:
    def __init__(self) -> None:
        self.passwords: dict[str, str] = {}

    def get_password(self, service: str, username: str) -> str | None:  # noqa: ARG002 (the interface's)
        return self.passwords.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:  # noqa: ARG002 (as above)
        self.passwords[username] = password

    def delete_password(self, service: str, username: str) -> None:  # noqa: ARG002 (as above)
        del self.passwords[username]


class _LockedKeyring(_FakeKeyring):
    def set_password(self, service: str, username: str, password: str) -> None:  # noqa: ARG002 (as above)
        raise RuntimeError("locked")


@pytest.mark.parametrize(
    ("store", "place"), [(_FakeKeyring, SteamKeySource.STORE), (_LockedKeyring, SteamKeySource.MEMORY)]
)
def test_steam_key_saved_and_deleted(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, store: type[_FakeKeyring], place: SteamKeySource
) -> None:
    monkeypatch.delenv(STEAM_KEY_VARIABLE, raising=False)
    secrets = Secrets(store())
    controller = SteamKeyController(secrets, BackgroundTasks())
    with qtbot.waitSignals([controller.source_found, controller.changed]):
        controller.save_key("0" * 32)
    assert (secrets.steam_key(), secrets.steam_key_source()) == ("0" * 32, place)
    with qtbot.waitSignal(controller.source_found) as signal:
        controller.delete_key()
    assert signal.args == [SteamKeySource.NOWHERE]
    assert secrets.steam_key() is None


def test_environment_key_comes_first(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STEAM_KEY_VARIABLE, "F" * 32)
    controller = SteamKeyController(Secrets(_FakeKeyring()), BackgroundTasks())
    with qtbot.waitSignal(controller.source_found) as signal:
        controller.find_key()
    assert signal.args == [SteamKeySource.ENVIRONMENT]
