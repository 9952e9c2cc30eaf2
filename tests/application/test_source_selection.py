"""Selection of sources from options, the settings and the demo network."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from browser_app.application.app_context import AppContext, DemoNetworkHandle, SourceOptions
from browser_app.application.game_finder import GameFinder
from browser_app.application.poll_session import QueryService
from browser_app.application.source_selection import (
    DEFAULT_GAMES,
    enabled_master_urls,
    select_sources,
    sources_from_settings,
)
from browser_app.engine.masters.lan_discovery import LOOPBACK_BROADCAST, LanMaster
from browser_app.engine.network.url_redaction import redact_url
from browser_app.exit_status import UsageError
from browser_app.games.game_registry import GameRegistry
from browser_app.paths import user_paths
from browser_app.player.demo_player import DemoLists
from browser_app.protocols.address import Address
from browser_app.storage.setting_declarations import DISABLED_MASTERS, EXTRA_MASTERS, PLAYED_GAMES
from browser_app.storage.user_lists.server_list_store import Favourite
from browser_app.storage.user_storage import UserStorage

MASTER = "dpmaster://192.0.2.1:27950/Xonotic/3"
DEMO_KEY = "demo key"


@pytest.fixture
def demo() -> DemoNetworkHandle:
    return DemoNetworkHandle((MASTER,), DEMO_KEY, Mock(), Mock(), {}, {}, DemoLists(), Mock())


@pytest.fixture
def context(games: GameRegistry, demo: DemoNetworkHandle) -> AppContext:
    return AppContext(games, {}, Mock(), Mock(return_value=demo), Mock(), Mock())


@pytest.fixture
def storage() -> Iterator[UserStorage]:
    with UserStorage(user_paths()) as storage:
        yield storage


def test_options_replace_settings(context: AppContext, storage: UserStorage) -> None:
    with select_sources(SourceOptions(servers=("a2s://192.0.2.7:27015",)), context, storage) as selected:
        assert [str(each.address) for each in selected.sources.servers] == ["192.0.2.7:27015"]
        assert (selected.sources.masters, selected.from_settings) == ((), False)


def test_settings_without_options(context: AppContext, storage: UserStorage) -> None:
    storage.settings.set(PLAYED_GAMES, ("xonotic",))
    with select_sources(SourceOptions(), context, storage) as selected:
        assert selected.from_settings
        assert selected.sources.masters
    context.start_demo.assert_not_called()  # type: ignore[attr-defined] # a mock


def test_demo_runs_as_long_as_needed(context: AppContext, storage: UserStorage, demo: DemoNetworkHandle) -> None:
    with select_sources(SourceOptions(demo_servers=5), context, storage) as selected:
        assert [each.url for each in selected.sources.masters] == [MASTER]
        assert selected.steam_key_getter(storage)() == DEMO_KEY
        demo.close.assert_not_called()  # type: ignore[attr-defined] # a mock
    demo.close.assert_called_once()  # type: ignore[attr-defined] # a mock


def test_wrong_source_closes_demo(context: AppContext, storage: UserStorage, demo: DemoNetworkHandle) -> None:
    options = SourceOptions(servers=("nonsense",), demo_servers=5)
    with pytest.raises(UsageError), select_sources(options, context, storage):
        pass
    demo.close.assert_called_once()  # type: ignore[attr-defined] # a mock


def test_game_without_master_needs_servers(context: AppContext, storage: UserStorage) -> None:
    with (
        pytest.raises(UsageError, match="Minecraft: Java Edition: there is no master"),
        select_sources(SourceOptions(games=("minecraft",)), context, storage),
    ):
        pass
    options = SourceOptions(games=("minecraft",), servers=("minecraft://192.0.2.7",))
    with select_sources(options, context, storage) as selected:
        assert [str(each.address) for each in selected.sources.servers] == ["192.0.2.7:25565"]


def test_wrong_setting_is_left_out(games: GameRegistry, storage: UserStorage) -> None:
    storage.settings.set(PLAYED_GAMES, ("xonotic", "no such game"))
    selected = sources_from_settings(games, storage, ())
    (problem,) = selected.problems
    assert selected.sources.masters
    assert PLAYED_GAMES.key in problem


def test_disabled_master_is_left_out(games: GameRegistry, storage: UserStorage) -> None:
    storage.settings.set(EXTRA_MASTERS, (MASTER,))
    assert MASTER in [each.url for each in sources_from_settings(games, storage, ()).sources.masters]
    storage.settings.set(DISABLED_MASTERS, (MASTER,))
    assert MASTER not in [each.url for each in sources_from_settings(games, storage, ()).sources.masters]


def install_steam_apps(home: Path, appids: Iterable[int]) -> None:
    steamapps = home / ".steam/steam/steamapps"
    steamapps.mkdir(parents=True)
    for appid in appids:
        (steamapps / f"appmanifest_{appid}.acf").write_text('"StateFlags" "4"')


@pytest.mark.linux
def test_lan_is_searched_for_own_games(
    context: AppContext, games: GameRegistry, storage: UserStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    install_steam_apps(tmp_path, games["rust"].appids)
    port = ("a2s", games["rust"].default_port)
    with select_sources(SourceOptions(lan=True), context, storage) as selected:
        (lan,) = selected.sources.masters
    service = QueryService(storage, selected, Mock(), games, demo=True)
    assert isinstance(lan, LanMaster)
    assert port in lan.queries
    assert port not in service.lan_source(()).queries
    assert service.lan_source({"rust"}) == replace(lan, broadcasts=(LOOPBACK_BROADCAST,))


def find_installed(games: GameRegistry, storage: UserStorage) -> Collection[str]:
    return GameFinder(games, storage.settings, {}).find_all()


def asked_games(games: GameRegistry, storage: UserStorage) -> set[str]:
    """Return the games whose Steam lists are asked."""
    urls = {each.url for each in sources_from_settings(games, storage, find_installed(games, storage)).sources.masters}
    return {game for game, profile in games.items() if profile.appids and urls.intersection(profile.masters)}


@pytest.mark.linux
def test_steam_lists_of_own_games(
    games: GameRegistry, storage: UserStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    games = GameRegistry(games.values())
    games.add_steam_games({4242: "Installed, perhaps without servers"})
    assert asked_games(games, storage) == set(DEFAULT_GAMES)
    install_steam_apps(tmp_path, (4242, *games["rust"].appids))
    assert asked_games(games, storage) == {"rust"}
    storage.favourites.add(Favourite(Address("192.0.2.7", 27015), "", 1.0, "a2s", "valheim")).result()
    assert asked_games(games, storage) == {"rust", "valheim"}
    selected = sources_from_settings(games, storage, find_installed(games, storage))
    assert games["tf2"].masters[0] in selected.unpolled_masters
    assert {*games["xonotic"].masters} <= {each.url for each in selected.sources.masters}
    storage.settings.set(EXTRA_MASTERS, games["tf2"].masters)
    assert asked_games(games, storage) == {"rust", "valheim", "tf2"}
    storage.settings.set(PLAYED_GAMES, ("steam-4242", "xonotic"))
    assert asked_games(games, storage) == {"steam-4242", "tf2"}


def test_hidden_games_keep_their_masters(games: GameRegistry, storage: UserStorage) -> None:
    with_key = "steam-web+https://api.steampowered.com/?appid=4920&key=0123456789ABCDEF0123456789ABCDEF"
    storage.settings.set(PLAYED_GAMES, ("xonotic",))
    storage.settings.set(EXTRA_MASTERS, (MASTER, with_key))
    enabled = enabled_master_urls(games, storage.settings)
    assert enabled >= {MASTER, redact_url(with_key), *games["openarena"].masters}
    storage.settings.set(DISABLED_MASTERS, (redact_url(with_key), *games["openarena"].masters))
    fewer = enabled_master_urls(games, storage.settings)
    assert enabled - fewer == {redact_url(with_key), *games["openarena"].masters}
