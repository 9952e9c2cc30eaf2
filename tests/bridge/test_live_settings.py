"""Settings while the window is open: in force at once, written in order, and told when they cannot be."""

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


def live(folder: Path) -> LiveSettings:
    return LiveSettings(Settings(folder), BackgroundTasks())


def test_a_change_holds_at_once_and_is_written_soon(qtbot: QtBot, tmp_path: Path) -> None:
    settings = live(tmp_path)
    with qtbot.waitSignal(settings.changed) as told:
        settings.set(THEME, "dark")
    assert (told.args, settings.get(THEME)) == ([THEME.key], "dark")
    qtbot.waitUntil(lambda: settings.path.exists() and tomllib.loads(settings.path.read_text()) != {})
    assert tomllib.loads(settings.path.read_text()) == {"window": {"theme": "dark"}}


def test_the_last_of_many_changes_is_what_the_file_says(qtbot: QtBot, tmp_path: Path) -> None:
    settings = live(tmp_path)
    for tenths in range(30):
        settings.set(PLAY_NOW_COUNTDOWN_S, tenths / 10)
    settings.set(SCAN_PACE, "fast")
    qtbot.waitUntil(lambda: Settings(tmp_path).get(SCAN_PACE) == "fast")
    assert Settings(tmp_path).get(PLAY_NOW_COUNTDOWN_S) == 2.9


def test_the_same_value_is_no_change(qtbot: QtBot, tmp_path: Path) -> None:
    settings = live(tmp_path)
    with qtbot.assertNotEmitted(settings.changed):
        settings.set(THEME, "system")
    with pytest.raises(ValueError, match="must be one of"):
        settings.set(THEME, "pink")


def test_what_is_waiting_at_the_end_is_written(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    background = BackgroundTasks()
    monkeypatch.setattr(background, "run", lambda work, then: None)  # the first write never comes back
    settings = LiveSettings(Settings(tmp_path), background)
    settings.set(SCAN_PACE, "fast")
    settings.set(THEME, "dark")
    settings.close()
    assert (Settings(tmp_path).get(SCAN_PACE), Settings(tmp_path).get(THEME)) == ("fast", "dark")


def test_a_full_disk_is_told_and_the_setting_holds(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Settings, setting: Setting[object]) -> None:
        raise StorageError("settings.toml: No space left on device")

    settings = live(tmp_path)
    monkeypatch.setattr(Settings, "write", full)
    with qtbot.waitSignal(settings.save_failed) as told:
        settings.set(THEME, "dark")
    assert told.args == ["settings.toml: No space left on device"]
    assert settings.get(THEME) == "dark"


def test_the_country_is_the_users_word_before_the_systems(qtbot: QtBot, tmp_path: Path) -> None:
    settings = live(tmp_path)
    assert len(own_country(settings)) in (0, 2)
    settings.set(OWN_COUNTRY, "de")
    assert own_country(settings) == "DE"
    with pytest.raises(ValueError, match="Two letters"):
        settings.set(OWN_COUNTRY, "Germany")
    qtbot.waitUntil(lambda: Settings(tmp_path).get(OWN_COUNTRY) == "de")


class _Store:
    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def get_password(self, service: str, username: str) -> str | None:  # noqa: ARG002 (the interface's)
        return self.kept.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:  # noqa: ARG002 (as above)
        self.kept[username] = password

    def delete_password(self, service: str, username: str) -> None:  # noqa: ARG002 (as above)
        del self.kept[username]


class _NoStore(_Store):
    def set_password(self, service: str, username: str, password: str) -> None:  # noqa: ARG002 (as above)
        raise RuntimeError("locked")


@pytest.mark.parametrize(("store", "place"), [(_Store, SteamKeySource.STORE), (_NoStore, SteamKeySource.MEMORY)])
def test_the_key_is_kept_where_it_can_be_and_forgotten(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, store: type[_Store], place: SteamKeySource
) -> None:
    monkeypatch.delenv(STEAM_KEY_VARIABLE, raising=False)
    secrets = Secrets(store())
    box = SteamKeyController(secrets, BackgroundTasks())
    with qtbot.waitSignals([box.place_found, box.changed]):
        box.save_key("0" * 32)
    assert (secrets.steam_key(), secrets.steam_key_source()) == ("0" * 32, place)
    with qtbot.waitSignal(box.place_found) as told:
        box.delete_key()
    assert told.args == [SteamKeySource.NOWHERE]
    assert secrets.steam_key() is None


def test_the_environment_goes_before_the_store(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STEAM_KEY_VARIABLE, "F" * 32)
    box = SteamKeyController(Secrets(_Store()), BackgroundTasks())
    with qtbot.waitSignal(box.place_found) as told:
        box.find_key()
    assert told.args == [SteamKeySource.ENVIRONMENT]
