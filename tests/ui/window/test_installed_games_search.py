"""The search for installed games at the start.

It delays nothing, and decides on Steam's lists.
"""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from loopback_servers import quake3, serving
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_helpers import GAMES, AppDriver

from browser_app.application.game_finder import GameFinder
from browser_app.paths import user_paths
from browser_app.protocols.address import Address
from browser_app.storage.setting_declarations import DISABLED_MASTERS, EXTRA_MASTERS, PLAYED_GAMES
from browser_app.storage.settings_store import Settings
from browser_app.storage.user_lists.server_list_store import Favourite
from browser_app.window_app import window_program


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A search that hangs until the event is set and then finds one game."""
    end = threading.Event()

    def find_all(_finder: GameFinder) -> dict[str, tuple[()]]:
        end.wait()
        return {"rust": ()}

    monkeypatch.setattr(GameFinder, "find_all", find_all)
    yield end
    end.set()


@pytest.fixture
def list_in_settings(tmp_path: Path) -> Iterator[Path]:
    """Settings whose only source is a list of one server."""
    with serving(quake3()) as (address,):
        file = tmp_path / "list.json"
        file.write_text(json.dumps({"servers": [f"quake3://{address}"]}))
        settings = Settings(user_paths().settings)
        settings.set(PLAYED_GAMES, ("openarena",))
        settings.set(DISABLED_MASTERS, tuple(GAMES["openarena"].masters))
        settings.set(EXTRA_MASTERS, (f"file:{file}",))
        yield file


@pytest.mark.usefixtures("list_in_settings")
def test_first_refresh_waits_for_games(qtbot: QtBot, qapp: QApplication, search: threading.Event) -> None:
    with AppDriver(qtbot, qapp) as app:
        app.open()
        assert app.window.isVisible()
        assert app.live.poll is None
        search.set()
        app.scanned()
        assert len(app.servers()) == 1
        assert app.catalogue.installed_games == frozenset({"rust"})


@pytest.mark.usefixtures("list_in_settings", "search")
def test_hanging_search_delays_no_longer(qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_program, "MAX_GAME_SEARCH_MS", 1)
    with AppDriver(qtbot, qapp) as app:
        app.open()
        app.scanned()
        assert app.catalogue.installed_games is None


def test_lists_of_games_found_later(qtbot: QtBot, qapp: QApplication, search: threading.Event) -> None:
    with AppDriver(qtbot, qapp) as app:  # not shown, so that no master is asked
        queries = app.program.backend.query_service

        def is_asked(game: str) -> bool:
            return GAMES[game].masters[0] in {master.url for master in queries.selected.sources.masters}

        assert (is_asked("tf2"), is_asked("rust"), is_asked("valheim")) == (True, False, False)
        search.set()
        app.wait(lambda: is_asked("rust"))
        assert not is_asked("tf2")
        favourite = Favourite(Address("192.0.2.7", 27015), "", 1.0, "a2s", "valheim")
        app.program.storage.favourites.add(favourite).result()
        app.live.rescore()
        app.wait(lambda: is_asked("valheim"))
        assert app.live.poll is None
