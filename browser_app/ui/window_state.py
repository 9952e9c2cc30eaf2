"""The state a rebuilt main window restores: selection, pages, running games."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from browser_app.bridge.game_monitor import RunningGame
from browser_app.bridge.server_list_controller import CarriedOverList
from browser_app.bridge.steam_game_search import GameSearch
from browser_app.protocols.address import Address
from browser_app.ui.play.running_game_bar import LastGame

if TYPE_CHECKING:
    from browser_app.ui.main_window import MainWindow


@dataclass(frozen=True)
class WindowState:
    """Visible state that is not saved between sessions."""

    view: int
    current_list: str
    """Key of the current server list."""
    selected_server: Address | None
    inspector_page: str
    is_paused: bool
    """Whether the user has paused sorting."""
    waited_server: Address | None
    """Full server for whose free slot the user is waiting."""
    running_games: tuple[tuple[RunningGame, Address | None], ...]
    """Running games and their servers."""
    last_game: tuple[LastGame, Address | None] | None
    """The game that has ended, or whose end cannot be noticed, and its server."""
    game_search: tuple[GameSearch, Address | None] | None
    """The search for a game that a link has started, and its server."""
    server_list: CarriedOverList | None
    """The servers and their answers; None if the new window has to query them itself."""
    open_setting: str
    """Key of the setting that was changed in the open settings dialog; empty if it is closed."""


def capture_state(window: "MainWindow", setting: str = "") -> WindowState:
    """Return the window's state."""
    servers, joining = window.servers_view, window.join_controller
    last_game, search = joining.running_game_bar.last_game, joining.started_games.search
    return WindowState(
        view=window.view_switch.currentIndex(),
        current_list=servers.sidebar.current_key,
        selected_server=_address_of(window, servers.table.selected_server()),
        inspector_page=servers.inspector.current_page,
        is_paused=servers.is_paused,
        waited_server=_address_of(window, joining.slot_wait.server),
        running_games=tuple((game, _address_of(window, game.server)) for game in joining.running_games()),
        last_game=None if last_game is None else (last_game, _address_of(window, last_game.server)),
        game_search=None if search is None else (search, _address_of(window, search.server)),
        server_list=window.server_list.list_to_carry_over(),
        open_setting=setting if window.settings_controller.is_open else "",
    )


def restore_state(window: "MainWindow", state: WindowState) -> None:
    """Restore a state; servers that no longer exist are skipped."""
    servers, find = window.servers_view, window.server_list.catalogue.row_of
    servers.sidebar.select_list(state.current_list)
    if state.selected_server is not None and (server := find(state.selected_server)) is not None:
        servers.server_order.refresh()
        servers.table.select_server(server, is_requested=False)
    servers.inspector.show_page(state.inspector_page)
    window.view_switch.setCurrentIndex(state.view)
    if state.is_paused:
        servers.toggle_pause()
    if state.waited_server is not None and (server := find(state.waited_server)) is not None:
        window.join_controller.wait_for_slot(server)
    _restore_games(window, state)
    if state.open_setting:
        window.settings_controller.open_setting(state.open_setting)


def _restore_games(window: "MainWindow", state: WindowState) -> None:
    joining, find = window.join_controller, window.server_list.catalogue.row_of
    for game, address in state.running_games:
        if address is not None and (server := find(address)) is not None:
            joining.watch_game(game, server)
    if state.last_game is not None:
        last_game, address = state.last_game
        if address is not None and (server := find(address)) is not None:
            joining.running_game_bar.show_last_game(replace(last_game, server=server))
    if state.game_search is not None:
        search, address = state.game_search
        if address is not None and (server := find(address)) is not None:
            joining.started_games.resume_search(replace(search, server=server))


def _address_of(window: "MainWindow", server: int) -> Address | None:
    return window.server_list.catalogue.targets[server].address if server >= 0 else None
