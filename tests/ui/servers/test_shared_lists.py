"""Links to lists in the window: copied, shown before anything happens, then used."""

import pytest
from a2s_samples import a2s_info
from loopback_servers import Handler, serving
from PySide6.QtGui import QGuiApplication
from window_helpers import AppDriver, OpenApp

from browser_app.catalogue.server_info import QueryStatus
from browser_app.protocols.a2s.a2s_server import encode_info, parse_a2s_request
from browser_app.protocols.address import Address
from browser_app.protocols.list_link import MAX_LIST_SERVERS, SharedServer, format_list_link, parse_list_link
from browser_app.storage.setting_declarations import QUERY_ON_REQUEST
from browser_app.storage.user_lists import saved_list_servers
from browser_app.storage.user_lists.saved_filter_store import SAVED_LIST_PREFIX
from browser_app.ui.servers import shared_list_controller
from browser_app.ui.servers.shared_list_dialog import SharedListDialog
from browser_app.ui.widgets.dialogs import NameDialog

PRIVATE = ("192.168.1.4", "10.0.0.1", "169.254.0.4", "127.0.0.1", "::1", "fe80::4", "100.64.0.1")


@pytest.fixture
def reachable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take this machine's servers for such as others can reach."""
    monkeypatch.setattr(shared_list_controller, "is_public_host", lambda _host: True)


def open_link(app: AppDriver, *servers: SharedServer) -> SharedListDialog:
    app.window.link_controller.open_links([format_list_link(servers)[0]])
    dialog = app.window.shared_list_controller.dialog
    assert isinstance(dialog, SharedListDialog)
    return dialog


def counting(requests: list[bytes]) -> Handler:
    def answer(datagram: bytes) -> tuple[bytes]:
        requests.append(datagram)
        parse_a2s_request(datagram)
        return (encode_info(a2s_info(name="Shared")),)

    return answer


@pytest.mark.usefixtures("reachable")
def test_copied_link_names_servers_on_screen(app: AppDriver) -> None:
    app.window.shared_list_controller.copy_link()
    shared = parse_list_link(QGuiApplication.clipboard().text())
    targets = [app.catalogue.targets[server] for server in app.servers()[:MAX_LIST_SERVERS]]
    assert [(each.protocol, each.address) for each in shared] == [(each.protocol, each.address) for each in targets]
    assert [each.name for each in shared] == [app.catalogue.name[server] for server in app.servers()[: len(shared)]]


def test_private_servers_are_not_shared(app: AppDriver) -> None:
    QGuiApplication.clipboard().setText("kept")
    app.window.shared_list_controller.copy_link()
    assert QGuiApplication.clipboard().text() == "kept"
    assert "None of these servers can be reached by others" in app.window.status_bar.shown_texts()


def test_private_servers_of_link_are_left_out(app: AppDriver) -> None:
    known = len(app.catalogue)
    dialog = open_link(app, *(SharedServer("a2s", Address(host, 27015)) for host in PRIVATE))
    assert dialog.tree.topLevelItemCount() == 0
    assert f"{len(PRIVATE)} more on a private network are left out." in dialog.about_label.text()
    assert not any(b.isEnabled() for b in (dialog.show_button, dialog.save_button, dialog.favourites_button))
    dialog.reject()
    assert len(app.catalogue) == known


def test_bad_link_is_refused(app: AppDriver) -> None:
    app.window.link_controller.open_links(["readyroom://list?server=a2s://224.0.0.1:5"])
    assert app.window.shared_list_controller.dialog is None
    assert any("Link refused: server 1: " in text for text in app.window.status_bar.shown_texts())


@pytest.mark.usefixtures("reachable")
def test_nothing_happens_before_choice(app: AppDriver) -> None:
    requests: list[bytes] = []
    with serving(counting(requests)) as (address,):
        dialog = open_link(app, SharedServer("a2s", address, "ns2", "<b>Claimed</b>"))
        item = dialog.tree.topLevelItem(0)
        assert item is not None
        assert [item.text(column) for column in range(3)] == [
            "<b>Claimed</b>", "Natural Selection 2", f"a2s://{address}",
        ]  # fmt: skip
        app.settle()
        assert dialog.focusWidget() is dialog.close_button
        dialog.close_button.click()
        app.settle()
    assert (requests, app.catalogue.row_of(address), len(app.program.storage.favourites)) == ([], None, 0)


@pytest.mark.usefixtures("reachable")
def test_show_once_lists_servers_alone(app: AppDriver) -> None:
    with serving(counting([])) as (address,):
        known = app.catalogue.targets[app.servers()[0]]
        shared = (SharedServer("a2s", address), SharedServer(known.protocol, known.address))
        open_link(app, *shared).show_button.click()
        app.wait(lambda: app.names().count("Shared") == 1)
    assert {app.catalogue.targets[server].address for server in app.servers()} == {address, known.address}
    assert not list(app.program.storage.saved_filters)


def save_link(app: AppDriver, *servers: SharedServer) -> None:
    """Save the list of a link as "Clan"."""
    open_link(app, *servers).save_button.click()
    app.wait(lambda: app.window.findChildren(NameDialog))
    (dialog,) = app.window.findChildren(NameDialog)
    dialog.field.setText("Clan")
    dialog.confirm_button.click()


@pytest.mark.usefixtures("reachable")
def test_list_is_saved_under_name(app: AppDriver) -> None:
    known = app.catalogue.targets[app.servers()[0]]
    save_link(app, SharedServer(known.protocol, known.address))
    assert app.program.storage.saved_filters["Clan"] == f'address:"{known.address}"'


@pytest.mark.usefixtures("reachable")
def test_saving_says_how_many_are_left_out(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_list_servers, "MAX_SAVED_LIST_SERVERS", 1)
    known = [app.catalogue.targets[server] for server in app.servers()[:3]]
    save_link(app, *(SharedServer(each.protocol, each.address) for each in known))
    message = "2 servers of this list will be missing at the next start"
    assert any(text.startswith(message) for text in app.window.status_bar.shown_texts())


@pytest.mark.usefixtures("reachable")
def test_favourites_are_added_once(app: AppDriver) -> None:
    favourites = app.program.storage.favourites
    servers = [app.catalogue.targets[server] for server in app.servers()[:2]]
    shared = [SharedServer(each.protocol, each.address, None, "As reported") for each in servers]
    shared.append(SharedServer("minecraft", Address("play.example.invalid", 25566)))
    for _again in range(2):
        open_link(app, *shared).favourites_button.click()
        assert {each.address for each in favourites} == {each.address for each in shared}
    assert all(app.catalogue.favourite[app.catalogue.row_of(each.address)] for each in servers)


@pytest.mark.usefixtures("reachable")
def test_showing_is_no_request(app: AppDriver) -> None:
    requests: list[bytes] = []
    app.program.settings.set(QUERY_ON_REQUEST, True)
    with serving(counting(requests)) as (address,):
        open_link(app, SharedServer("a2s", address)).show_button.click()
        app.wait(lambda: app.catalogue.row_of(address) is not None)
        app.settle()
        assert requests == []


@pytest.mark.usefixtures("reachable")
def test_saved_list_is_whole_after_restart(open_app: OpenApp) -> None:
    silent, named = Address("127.0.0.1", 9), Address("play.example.invalid", 25566)
    first = open_app()
    first.program.settings.set(QUERY_ON_REQUEST, True)
    save_link(first, SharedServer("quake3", silent), SharedServer("minecraft", named))
    first.wait(lambda: len(first.servers()) == 2)
    first.end()
    second = open_app()
    second.window.servers_view.sidebar.select_list(SAVED_LIST_PREFIX + "Clan")
    second.wait(lambda: {second.catalogue.targets[server].address for server in second.servers()} == {silent, named})
    assert (second.catalogue.status[second.servers()] == QueryStatus.NEVER_QUERIED).all()


@pytest.mark.usefixtures("reachable")
def test_named_server_is_found_on_request(app: AppDriver) -> None:
    app.program.settings.set(QUERY_ON_REQUEST, True)
    requests: list[bytes] = []
    with serving(counting(requests)) as (address,):
        named = Address("localhost", address.port)
        open_link(app, SharedServer("a2s", named)).show_button.click()
        app.wait(lambda: app.model.rowCount() == 1)
        (server,) = app.servers()
        app.settle()
        assert (requests, app.catalogue.targets[server].address) == ([], named)
        app.window.refresh_controller.query_server(server)
        app.wait(lambda: app.names() == ["Shared"])
    assert app.servers() == [server]
    assert app.catalogue.targets[server].address == address
