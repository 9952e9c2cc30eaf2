"""Servers that are typed, pasted or opened by a link."""

import pytest
from a2s_samples import a2s_info
from loopback_servers import Handler, serving
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from window_rig import Room

from browser_app.protocols.a2s_server import encode_info, parse_a2s_request
from browser_app.protocols.address import Address
from browser_app.protocols.server_link import parse_server_text
from browser_app.ui.servers.server_link_dialogs import AddServerDialog, ServerLinkDialog

NOBODY = Address("127.0.0.1", 9)


def _answering(name: str) -> Handler:
    def answer(datagram: bytes) -> tuple[bytes]:
        parse_a2s_request(datagram)
        return (encode_info(a2s_info(name=name)),)

    return answer


def _selected(room: Room) -> str:
    return room.catalogue.name[room.table.selected_server()]


def _address_dialog(room: Room) -> AddServerDialog:
    dialog = room.window.link_controller.dialog
    assert isinstance(dialog, AddServerDialog)
    return dialog


def _link_dialog(room: Room) -> ServerLinkDialog:
    dialog = room.window.link_controller.dialog
    assert isinstance(dialog, ServerLinkDialog)
    return dialog


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def test_typed_address_becomes_favourite(room: Room) -> None:
    with serving(_answering("Manual entry")) as (address,):
        room.press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
        dialog = _address_dialog(room)
        room.bot.keyClicks(dialog.field, str(address))
        room.bot.keyClick(dialog.field, Qt.Key.Key_Return)
        room.wait(lambda: room.catalogue.row_of(address) is not None)
    assert _selected(room) == "Manual entry"
    server = room.catalogue.row_of(address)
    assert server is not None
    assert room.catalogue.favourite[server]
    assert "Manual entry added" in room.window.status_bar.shown_texts()
    assert address in room.program.session.favourites


def test_invalid_address_cannot_be_added(room: Room) -> None:
    room.press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    dialog = _address_dialog(room)
    room.bot.keyClicks(dialog.field, "192.0.2.7")
    assert "port" in dialog.parsed_label.text()
    assert not dialog.add_button.isEnabled()
    room.bot.keyClicks(dialog.field, ":27015")
    assert dialog.add_button.isEnabled()
    room.bot.keyClick(dialog, Qt.Key.Key_Escape)
    assert room.window.link_controller.dialog is None


def test_paste_opens_the_dialog(room: Room) -> None:
    _copy("connect 192.0.2.7:27015; password hush\n")
    room.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    dialog = _address_dialog(room)
    assert dialog.field.text().startswith("connect 192.0.2.7")
    assert "next join only" in dialog.parsed_label.text()
    room.bot.keyClick(dialog, Qt.Key.Key_Escape)


def test_link_password_is_used_once(room: Room) -> None:
    with serving(_answering("Locked")) as (address,):
        room.window.link_controller.open_links([f"steam://connect/{address}/hush"])
        room.wait(_link_dialog(room).join_button.isEnabled)
    _link_dialog(room).close()
    server = room.table.selected_server()
    assert room.window.join_controller.passwords.pop_link_password(server) == "hush"
    assert room.window.join_controller.passwords.pop_link_password(server) is None
    assert not room.catalogue.password_saved[server]


def test_pasting_other_text_adds_nothing(room: Room) -> None:
    _copy("not an address")
    room.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert room.window.link_controller.dialog is None
    assert any("clipboard" in text for text in room.window.status_bar.shown_texts())


def test_pasting_into_filter_field(room: Room) -> None:
    _copy("192.0.2.7:27015")
    room.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    room.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert room.window.link_controller.dialog is None
    assert room.window.filter_field.text() == "192.0.2.7:27015"


def test_silent_server_is_added(room: Room) -> None:
    room.window.link_controller.ask_for_address(f"quake3://{NOBODY}")
    room.bot.mouseClick(_address_dialog(room).add_button, Qt.MouseButton.LeftButton)
    room.wait(lambda: any("does not answer; added" in text for text in room.window.status_bar.shown_texts()))
    server = room.catalogue.row_of(NOBODY)
    assert server is not None
    assert room.table.selected_server() == server
    assert room.catalogue.favourite[server]


def test_several_servers_at_once(room: Room) -> None:
    others = [Address("127.0.0.1", port) for port in (7, 9)]
    for address in others:
        room.window.link_controller.ask_for_address(f"quake3://{address}")
        _address_dialog(room).add_button.click()
    room.window.link_controller.open_links([f"quake3://{NOBODY.host}:11"])
    room.wait(lambda: all(room.catalogue.row_of(address) is not None for address in others))
    assert all(address in room.program.session.favourites for address in others)


def test_closed_dialog_adds_nothing(room: Room) -> None:
    address = Address("127.0.0.1", 11)
    room.window.link_controller.open_links([f"quake3://{address}"])
    _link_dialog(room).close()
    room.wait(lambda: not room.program.backend.server_search._searches)
    assert room.catalogue.row_of(address) is None


def test_link_shows_server_without_joining(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    joined: list[int] = []
    room.window.link_controller.join_requested.connect(joined.append)
    monkeypatch.setattr(room.window.join_controller, "join", joined.append)
    with serving(_answering("Linked")) as (address,):
        room.window.link_controller.open_links([f"readyroom://join?server=a2s://{address}"])
        dialog = _link_dialog(room)
        assert not dialog.join_button.isEnabled()
        room.wait(dialog.join_button.isEnabled)
    assert dialog.name_label.text() == "Linked"
    assert _selected(room) == "Linked"
    room.bot.keyClick(dialog, Qt.Key.Key_Return)
    assert joined == []
    assert not dialog.isVisible() or dialog.result() == 0


def test_link_dialog_joins(room: Room) -> None:
    joined: list[int] = []
    room.window.link_controller.join_requested.disconnect()
    room.window.link_controller.join_requested.connect(joined.append)
    with serving(_answering("Linked")) as (address,):
        room.window.link_controller.open_links([f"readyroom://join?server=a2s://{address}"])
        dialog = _link_dialog(room)
        room.wait(dialog.join_button.isEnabled)
        room.bot.mouseClick(dialog.join_button, Qt.MouseButton.LeftButton)
    assert joined == [room.catalogue.row_of(address)]


def test_bad_link_is_refused(room: Room) -> None:
    room.window.link_controller.open_links(["readyroom://join?server=a2s://127.0.0.1:1&exec=rm"])
    assert room.window.link_controller.dialog is None
    assert any("Link refused: unknown: exec" in text for text in room.window.status_bar.shown_texts())


def test_shows_server_hidden_by_filter(room: Room) -> None:
    room.filter("name:nobody-has-this-name")
    with serving(_answering("Behind the filter")) as (address,):
        room.window.link_controller.open_links([f"a2s://{address}"])
        room.wait(_link_dialog(room).join_button.isEnabled)
    assert _selected(room) == "Behind the filter"
    _link_dialog(room).close()


def test_second_start_raises_window(room: Room) -> None:
    room.window.showMinimized()
    room.program.open_urls([f"a2s://{NOBODY}"], "")
    assert not room.window.isMinimized()
    _link_dialog(room).close()


def test_copied_link_names_the_server(room: Room) -> None:
    server = room.table.selected_server()
    room.window.servers_view._copy_link(server)
    link = parse_server_text(QGuiApplication.clipboard().text())
    assert (link.protocol, link.address) == (
        room.catalogue.targets[server].protocol,
        room.catalogue.targets[server].address,
    )
