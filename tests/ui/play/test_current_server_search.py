"""Adding the server that the user plays on."""

import pytest
from window_helpers import AppDriver

from browser_app.launch.process_sockets import Connection
from browser_app.launch.running_games import FoundGame
from browser_app.protocols.address import Address
from browser_app.ui.play import current_server_search
from browser_app.ui.servers.server_link_dialogs import AddServerDialog
from browser_app.ui.widgets.basic_widgets import Label


def search(app: AppDriver, monkeypatch: pytest.MonkeyPatch, *found: FoundGame) -> tuple[str, str]:
    """Search while these games run; return the dialog's address and its text."""
    monkeypatch.setattr(current_server_search, "can_find_games", lambda: True)
    monkeypatch.setattr(current_server_search, "find_running_games", lambda _games: list(found))
    app.window.current_server_search.start()
    app.wait(lambda: app.window.link_controller.dialog is not None)
    dialog = app.window.link_controller.dialog
    assert isinstance(dialog, AddServerDialog)
    text = next(label.text() for label in dialog.findChildren(Label) if label.text())
    address = dialog.field.text()
    assert dialog.confirm_button.isEnabled() == bool(address)
    dialog.close()
    return address, text


def test_dialog_shows_where_the_address_is_from(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    game = app.catalogue.games["openarena"]
    one, two = Address("192.0.2.7", 27960), Address("192.0.2.8", 27960)
    by_name = FoundGame(1, 1, game, one)
    connected = FoundGame(1, 1, game, None, frozenset({Connection(two, is_stream=False)}))
    assert search(app, monkeypatch, by_name) == (str(one), "OpenArena was started with this address.")
    assert search(app, monkeypatch, connected) == (str(two), "OpenArena is connected to this address.")
    assert search(app, monkeypatch, by_name, FoundGame(2, 2, None, two))[1].startswith("The server is one of these: ")
    assert search(app, monkeypatch)[1].startswith("No game is running")
    assert search(app, monkeypatch, FoundGame(1, 1, game, None))[1].startswith("OpenArena is running, but")
    monkeypatch.setattr(current_server_search, "can_find_games", lambda: False)
    with app.bot.waitSignal(app.window.current_server_search.search_finished) as unsupported:
        app.window.current_server_search.start()
    assert unsupported.args[0] == ""
    assert unsupported.args[1].startswith("On this system, Ready Room cannot see")
    app.window.link_controller.close_dialog()


class EndlessProcess:
    """A game that runs."""

    def poll(self) -> int | None:
        """Return None."""
        return None


def test_game_started_here_names_its_server(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    server = app.servers()[0]
    app.window._services.game_monitor.add(EndlessProcess(), server)
    target = app.catalogue.targets[server]
    address, text = search(app, monkeypatch)
    assert address == f"{target.protocol}://{target.address}"
    assert app.catalogue.name[server] in text
