"""Programs that are registered for URLs, as Linux desktops keep them."""

from pathlib import Path

import pytest

from browser_app.games import load_games
from browser_app.launch.installed_games import GameInstallation, find_installed_games
from browser_app.launch.url_handlers import find_url_handlers
from browser_app.paths import resource_folder

pytestmark = pytest.mark.linux


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that has a user's and the system's associations."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS"):
        monkeypatch.setenv(name, str(tmp_path / name))
    for file in ("XDG_CONFIG_HOME/mimeapps.list", "XDG_DATA_DIRS/applications/mimeinfo.cache"):
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_text("[Added Associations]\ntext/plain=a.desktop\n")
    return tmp_path


def test_registered_schemes_are_found(folders: Path) -> None:
    assert find_url_handlers({"samp", "mtasa"}) == frozenset()
    with (folders / "XDG_CONFIG_HOME/mimeapps.list").open("ab") as file:
        file.write(b"x-scheme-handler/samp=omp.desktop;\nx-scheme-handler/mtasa=\n\xff\xfe=1\n")
    with (folders / "XDG_DATA_DIRS/applications/mimeinfo.cache").open("a") as file:
        file.write("x-scheme-handler/minecraft=bedrock.desktop;\nx-scheme-handler/https=firefox.desktop\n")
    assert find_url_handlers({"samp", "mtasa", "minecraft"}) == {"samp", "minecraft"}
    assert find_url_handlers(set()) == frozenset()


def test_game_with_registered_url_is_installed(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = load_games(resource_folder() / "games")
    profiles = [games["samp"], games["mta"]]
    monkeypatch.setenv("PATH", str(folders))
    assert find_installed_games(profiles, {}) == {}
    (folders / "XDG_CONFIG_HOME/mimeapps.list").write_text("x-scheme-handler/samp=omp.desktop\n")
    assert find_installed_games(profiles, {}) == {"samp": (GameInstallation("url"),)}
