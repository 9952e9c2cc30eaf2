"""Correction of a server's country in the window."""

from PySide6.QtWidgets import QLabel
from window_helpers import AppDriver

from browser_app.ui.lists.server_countries import CountryDialog


def inspector_says(app: AppDriver, text: str) -> bool:
    return any(text in label.text() for label in app.window.servers_view.inspector.findChildren(QLabel))


def correct(app: AppDriver, server: int, text: str) -> CountryDialog:
    app.window.servers_view.server_menu.country_requested.emit(server)
    dialog = app.window.user_lists_controller.country_controller.dialog
    assert isinstance(dialog, CountryDialog)
    dialog.field.setText(text)
    return dialog


def test_country_is_corrected_and_restored(app: AppDriver) -> None:
    server, countries = app.servers()[0], app.program.storage.corrected_countries
    app.table.select_server(server)
    found = app.catalogue.country[server]
    correct(app, server, "br").confirm_button.click()
    assert (app.catalogue.country[server], app.catalogue.region[server]) == ("BR", "SA")
    assert countries.get(app.catalogue.targets[server].address) == "BR"
    app.wait(lambda: inspector_says(app, "BR, set by you"))
    correct(app, server, "").confirm_button.click()
    assert app.catalogue.country[server] == found
    assert not countries.all()
    app.wait(lambda: not inspector_says(app, "set by you"))


def test_unknown_country_is_refused(app: AppDriver) -> None:
    dialog = correct(app, app.servers()[0], "xx")
    assert not dialog.confirm_button.isEnabled()
    assert dialog.message_label.text() == "No country has the code XX"
    dialog.field.setText("JP")
    assert dialog.confirm_button.isEnabled()
    assert dialog.message_label.text() == "Asia"
    dialog.reject()
