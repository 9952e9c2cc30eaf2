"""Where the user stands in the window, so that a window that is set up anew can go on there."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from browser_app.protocols.address import Address

if TYPE_CHECKING:
    from subprocess import Popen

    from browser_app.ui.window import MainWindow


@dataclass(frozen=True)
class WindowStand:
    """What is in sight beyond that which is kept from run to run anyhow."""

    view: int
    listed: str
    """Key of the side's list."""
    selected: Address | None
    page: int
    """Of the inspector."""
    paused: bool
    """The order is held until the user lets it go."""
    waited_for: Address | None
    """The full server on which a slot is waited for."""
    games: "tuple[tuple[Popen[bytes], Address | None], ...]"
    """Those that were started from here and run, with their servers."""
    setting: str
    """Key of the setting that was changed in the settings, which are open; empty where they are not."""


def stand_of(window: "MainWindow", setting: str = "") -> WindowStand:
    """As it is now."""
    servers = window.servers
    return WindowStand(
        view=window.switch.currentIndex(),
        listed=servers.side.current,
        selected=_address(window, servers.table.selected_server()),
        page=servers.inspector.page,
        paused=servers.paused,
        waited_for=_address(window, window.joining.waiting.server),
        games=tuple((process, _address(window, server)) for process, server in window.joining.watched()),
        setting=setting if window.preferences.is_open else "",
    )


def take_up(window: "MainWindow", stand: WindowStand) -> None:
    """Go on there. What is gone meanwhile is passed over."""
    servers, find = window.servers, window.live.catalogue.id_of
    servers.side.choose(stand.listed)
    if stand.selected is not None and (server := find(stand.selected)) is not None:
        servers.order.refresh()
        servers.table.select_server(server)
    servers.inspector.turn_to(stand.page)
    window.switch.setCurrentIndex(stand.view)
    if stand.paused:
        servers.toggle_hold()
    if stand.waited_for is not None and (server := find(stand.waited_for)) is not None:
        window.joining.wait(server)
    for process, address in stand.games:
        if address is not None and (server := find(address)) is not None:
            window.joining.watch(process, server)
    if stand.setting:
        window.preferences.open().show_row(stand.setting)


def _address(window: "MainWindow", server: int) -> Address | None:
    return window.live.catalogue.targets[server].address if server >= 0 else None
