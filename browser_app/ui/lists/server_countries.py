"""Correction of a server's country by the user: the dialog and its controller."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from browser_app.catalogue.places.regions import REGION_NAMES, is_country, region_of_country
from browser_app.catalogue.server_value_text import server_name
from browser_app.language import gettext as _
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.dialogs import DialogController, FieldDialog
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.window_services import WindowServices

COUNTRY_DIALOG_WIDTH = 380
_CODE_LENGTH = 2


class CountryDialog(FieldDialog):
    """A dialog for the two letters of a country.

    An empty field removes the correction.

    Signals:
        country_entered: the code in capitals, or an empty text.
    """

    country_entered = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget, server: str, found: str, corrected: str) -> None:
        """Create the dialog.

        `found` is the country of the address, `corrected` the user's; both may be empty.
        """
        super().__init__(theme, parent, _("Correct country"), Button(theme, _("Save"), accented=True))
        self._found, self._corrected = found, corrected
        self.field.setText(corrected)
        self.field.setMaxLength(_CODE_LENGTH)
        self.field.setPlaceholderText(found)
        self.field.setAccessibleName(_("Country"))
        about = (
            _("“{server}” is in {country}, judging by its address.")
            if found
            else _("The country of “{server}” is unknown.")
        )
        self.build_layout(
            Label(theme, about.format(server=server, country=found)),
            COUNTRY_DIALOG_WIDTH,
            caption=_("Two letters, such as DE. Leave it empty to use the country of the address."),
        )

    def check_text(self, text: str) -> None:
        """Show the region of the country, or that there is no such country."""
        code = text.strip().upper()
        self.confirm_button.setEnabled(code != self._corrected and (not code or is_country(code)))
        if is_country(code):
            self.show_message(_(REGION_NAMES[region_of_country(code)]), "text2")
        else:
            self.show_message(
                _("No country has the code {code}").format(code=code) if len(code) == _CODE_LENGTH else ""
            )

    def emit_result(self) -> None:
        """Emit the code."""
        self.country_entered.emit(self.field.text().strip().upper())


class CountryController(DialogController[CountryDialog]):
    """Stores the user's countries of servers and updates the list.

    Signals:
        status_reported: text for the status bar.
    """

    status_reported = Signal(str)

    def __init__(self, theme: Theme, window: QWidget, services: WindowServices) -> None:
        super().__init__(theme, window)
        self._services, self._countries = services, services.storage.corrected_countries

    def correct_country(self, server: int) -> None:
        """Ask for the country of a server."""
        catalogue = self._services.server_list.catalogue
        address = catalogue.targets[server].address
        (found,) = catalogue.rows.find_countries([address.host])
        name = server_name(catalogue, server)
        dialog = CountryDialog(self._theme, self._window, name, found, self._countries.get(address))

        def save(country: str) -> None:
            self._countries.set(address, country)
            self._services.launcher.notify_lists_changed()
            self._services.server_list.rescore()
            shown = (
                _("{server}: country corrected to {country}")
                if country
                else _("{server}: country taken from its address again")
            )
            self.status_reported.emit(shown.format(server=name, country=country))

        dialog.country_entered.connect(save)
        self.show_dialog(dialog)
