"""What opens each dialog of the Servers view."""

from collections.abc import Callable, Mapping

from window_helpers import AppDriver

from browser_app.protocols.address import Address
from browser_app.protocols.list_link import SharedServer, format_list_link
from browser_app.protocols.server_link import format_join_link
from browser_app.ui.lists.list_import_dialog import ImportLine, ListImportDialog
from browser_app.ui.play.password_prompt import PasswordDialog

LIST_LINK, _count = format_list_link([SharedServer("a2s", Address("9.9.9.9", 27016), "ns2", "Quiet corner")])


def server_dialogs(app: AppDriver) -> Mapping[str, Callable[[], object]]:
    """Return what opens each dialog of the Servers view."""
    window, theme, target = app.window, app.program.theme, app.catalogue.targets[0]

    def take_in() -> None:
        dialog = ListImportDialog(theme, window, "Import", "Found:")
        dialog.show_lines(
            "Found:", [ImportLine("12 favourites", "config.cfg"), ImportLine("3 favourites")], ["no address"]
        )
        dialog.open()

    return {
        "settings": window.settings_controller.open_settings,
        "Steam key": window.settings_controller.open_key,
        "masters": window.settings_controller.open_masters,
        "about": window.settings_controller.open_about,
        "keys": window.settings_controller.open_shortcuts,
        "manual": window.help_controller.open_manual,
        "problem report": window.help_controller.open_report,
        "address": window.link_controller.ask_for_address,
        "link": lambda: window.link_controller.open_links([format_join_link(target.protocol, target.address, None)]),
        "list link": lambda: window.link_controller.open_links([LIST_LINK]),
        "country": lambda: window.user_lists_controller.country_controller.correct_country(0),
        "friends": window.user_lists_controller.friends_controller.open_dialog,
        "alerts": window.user_lists_controller.alerts_controller.open_dialog,
        "alert": window.user_lists_controller.alerts_controller.ask_for_alert,
        "blocked": window.user_lists_controller.block_controller.open_dialog,
        "block": window.user_lists_controller.toggle_block,
        "password": lambda: PasswordDialog(theme, window, "Quiet Corner").open(),
        "bring in": take_in,
        "save a filter": window.servers_view.saved_filter_controller.ask_to_save,
    }
