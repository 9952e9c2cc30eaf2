"""Dialogs that list the alerts, and add or change one."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from browser_app.application.alert_rules import ALERT_RULES, SEARCH_ALERT_RULES
from browser_app.catalogue.filters.filter_predicates import has_wildcards
from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.protocols.address import Address
from browser_app.storage.ui_state import UiState
from browser_app.storage.user_lists.alert_store import MAX_ALERT_PLAYERS, AlertKind, ServerAlert
from browser_app.storage.user_lists.friend_store import MAX_FRIEND_LENGTH
from browser_app.storage.user_lists.search_alert_store import (
    Alert,
    SearchAlert,
    SearchAlertKind,
    normalise_search_alert,
)
from browser_app.ui.inspector.alert_check_boxes import DEFAULT_ALERT_PLAYERS
from browser_app.ui.widgets.accessibility import announce
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import fill_box
from browser_app.ui.widgets.dialogs import EntryListDialog, ThemedDialog, create_button_row
from browser_app.ui.widgets.form_fields import CheckBox, SpinBox, leave_wheel_to_page
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import capitalise

AnyAlertKind: TypeAlias = AlertKind | SearchAlertKind


class AlertsDialog(EntryListDialog):
    """Lists all alerts.

    Signals:
        add_requested: the user wants to add one.
        edit_requested: the alert to change.
        friends_toggled: whether to notify about friends on any server.
    """

    add_requested = Signal()
    edit_requested = Signal(object)
    friends_toggled = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget, ui_state: UiState) -> None:
        self.add_button = Button(theme, _("Add…"), "bell", accented=True)
        self.edit_button = Button(theme, _("Edit…"))
        self.friends_box = CheckBox(theme, _("Notify about friends on any server"))
        self.coverage_label = Label(theme, role="text2", size=12, wraps=True)
        super().__init__(
            theme,
            parent,
            ui_state,
            "alerts",
            _("Alerts"),
            (_("Server"), _("Notify me")),
            _("Remove"),
            _("No alerts yet. Select “Add…” to set one. The alerts of a server are also on its Notes page."),
            other_buttons=(self.add_button, self.edit_button),
            notes=(self.friends_box, self.coverage_label),
        )
        self.add_button.clicked.connect(self.add_requested)
        self.edit_button.clicked.connect(self._request_edit)
        self.tree.itemDoubleClicked.connect(self._request_edit)
        self.friends_box.clicked.connect(self.friends_toggled)

    def _update_buttons(self) -> None:
        super()._update_buttons()
        self.edit_button.setEnabled(len(self.selected_keys()) == 1)

    def _request_edit(self) -> None:
        keys = self.selected_keys()
        if len(keys) == 1:
            self.edit_requested.emit(keys[0])


class ServerChoice(NamedTuple):
    """A server that an alert can be set for."""

    address: Address
    name: str


class AlertChoices(NamedTuple):
    """What an alert can be set for."""

    servers: Sequence[ServerChoice]
    filters: Sequence[str]
    """Names of the saved filters."""


_KIND_TITLES: dict[AnyAlertKind, str] = {
    SearchAlertKind.PLAYER: N_("A player appears on any server"),
    SearchAlertKind.FILTER: N_("A server starts to match a saved filter"),
    AlertKind.FRIEND: N_("A friend joins a server"),
    AlertKind.SLOT: N_("A slot is free on a server"),
    AlertKind.PLAYERS: N_("Enough players are on a server"),
}
ALERT_DIALOG_WIDTH = 520


class AlertDialog(ThemedDialog):
    """Asks for one alert; stays open if that cannot be saved."""

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        alert: Alert | None,
        choices: AlertChoices,
        coverage: Callable[[AnyAlertKind], str],
        save: Callable[[Alert], str],
    ) -> None:
        """Create the dialog.

        Args:
            theme: colours and fonts.
            parent: the window it belongs to.
            alert: the one to change; None to add one.
            choices: servers and filters.
            coverage: returns when and on which servers an alert of a kind is checked, in sentences.
            save: saves a valid alert; returns why that failed, empty if it did not.
        """
        super().__init__(theme, parent, _("Add an alert") if alert is None else _("Edit alert"))
        self._choices, self._coverage, self._save = choices, coverage, save
        self.kind_box, self.server_box, self.filter_box = (leave_wheel_to_page(QComboBox()) for _each in range(3))
        self.player_field = QLineEdit(maxLength=MAX_FRIEND_LENGTH)
        self.player_field.setPlaceholderText(_("Name, or a pattern with * and ?"))
        self.literal_box = CheckBox(theme, _("* and ? are part of the name"))
        self.number_field = SpinBox(1, MAX_ALERT_PLAYERS, DEFAULT_ALERT_PLAYERS)
        self.message_label = Label(theme, role="warning", size=12, wraps=True)
        self.coverage_label = Label(theme, role="text2", size=12, wraps=True)
        self.confirm_button = Button(theme, _("Add") if alert is None else _("Save"), accented=True)
        self.cancel_button = Button(theme, _("Cancel"))
        self._fill_boxes()
        self._build_layout()
        if alert is not None:
            self._show_alert(alert)
        self._connect()
        self._on_kind_chosen()

    def _fill_boxes(self) -> None:
        for kind, title in _KIND_TITLES.items():
            self.kind_box.addItem(_(title), kind)
        for address, name in self._choices.servers:
            self.server_box.addItem(name, address)
        for name in self._choices.filters:
            self.filter_box.addItem(name, name)
        for box in (self.kind_box, self.server_box, self.filter_box):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    def _build_layout(self) -> None:
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(12)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter)
        self.number_field.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        fields: dict[str, QWidget] = {
            _("Notify me when"): self.kind_box,
            _("Player"): self.player_field,
            _("Filter"): self.filter_box,
            _("Server"): self.server_box,
            _("Players, at least"): self.number_field,
        }
        labels = [Label(self._theme, text) for text in fields]
        for label, widget in zip(labels, fields.values(), strict=True):
            label.setMinimumWidth(max(each.sizeHint().width() for each in labels))
            label.setBuddy(widget)
            widget.setAccessibleName(label.text())
            self._form.addRow(label, widget)
        self._form.insertRow(list(fields.values()).index(self.player_field) + 1, "", self.literal_box)
        fill_box(
            QVBoxLayout(self),
            self._form,
            self.message_label,
            self.coverage_label,
            8,
            create_button_row((), (self.cancel_button, self.confirm_button)),
            margins=(16, 16, 16, 16),
        )
        self.setFixedWidth(ALERT_DIALOG_WIDTH)

    def _connect(self) -> None:
        self.kind_box.currentIndexChanged.connect(self._on_kind_chosen)
        self.player_field.textChanged.connect(self._on_player_edited)
        self.player_field.returnPressed.connect(self._confirm)
        self.literal_box.toggled.connect(self._check)
        self.confirm_button.clicked.connect(self._confirm)
        self.cancel_button.clicked.connect(self.reject)

    def _show_alert(self, alert: Alert) -> None:
        self.kind_box.setCurrentIndex(self.kind_box.findData(alert.kind))
        if isinstance(alert, ServerAlert):
            self.server_box.setCurrentIndex(self._server_index(alert.address))
            self.number_field.setValue(alert.players or DEFAULT_ALERT_PLAYERS)
        elif alert.kind is not SearchAlertKind.FILTER:
            self.kind_box.setCurrentIndex(self.kind_box.findData(SearchAlertKind.PLAYER))
            self.player_field.setText(alert.value)
            self.literal_box.setChecked(alert.kind is SearchAlertKind.PLAYER and has_wildcards(alert.value))
        else:
            self.filter_box.setCurrentIndex(self.filter_box.findText(alert.value, Qt.MatchFlag.MatchFixedString))

    def _server_index(self, address: Address) -> int:
        return next(
            (index for index, each in enumerate(self._choices.servers) if each.address == address),
            -1,
        )

    @property
    def kind(self) -> AnyAlertKind:
        """The chosen kind, which includes patterns if it is `PLAYER`."""
        return list(_KIND_TITLES)[self.kind_box.currentIndex()]

    def _on_kind_chosen(self) -> None:
        kind, rows = self.kind, self._form
        rows.setRowVisible(self.player_field, kind is SearchAlertKind.PLAYER)
        rows.setRowVisible(self.filter_box, kind is SearchAlertKind.FILTER)
        rows.setRowVisible(self.server_box, isinstance(kind, AlertKind))
        rows.setRowVisible(self.number_field, isinstance(kind, AlertKind) and kind.has_number)
        self.coverage_label.setText(self._coverage(kind))
        self._on_player_edited()

    def _on_player_edited(self) -> None:
        is_ambiguous = self.kind is SearchAlertKind.PLAYER and has_wildcards(self.player_field.text())
        self._form.setRowVisible(self.literal_box, is_ambiguous)
        self._check()

    def _check(self) -> None:
        """Enable the button for a valid alert, or show what is wrong with it."""
        problem, is_started = "", True
        try:
            self.entered_alert()
        except ValueError as error:
            problem, is_started = (
                capitalise(str(error)),
                self.kind is not SearchAlertKind.PLAYER or bool(self.player_field.text()),
            )
        self.confirm_button.setEnabled(not problem)
        self._show_message(problem if is_started else "")

    def _show_message(self, text: str) -> None:
        self.message_label.setText(text)
        self.message_label.setVisible(bool(text))
        self.kind_box.setAccessibleDescription(text)
        # `adjustSize` would leave space for texts as they wrap in a narrower dialog.
        self.resize(ALERT_DIALOG_WIDTH, self.heightForWidth(ALERT_DIALOG_WIDTH))

    def entered_alert(self) -> Alert:
        """Return the alert as entered.

        Raises:
            ValueError: it is not complete; with the reason for the user.
        """
        kind = self.kind
        if isinstance(kind, AlertKind):
            index = self.server_box.currentIndex()
            if index < 0:
                raise ValueError(_("Select a server in the list, or make one a favourite, first."))
            address, name = self._choices.servers[index]
            return ServerAlert(address, kind, self.number_field.value() if kind.has_number else 0, name, time.time())
        if kind is SearchAlertKind.FILTER and self.filter_box.currentIndex() < 0:
            raise ValueError(_("Save a filter first: “Save” beside the filters above the list."))
        value = self.filter_box.currentText() if kind is SearchAlertKind.FILTER else self.player_field.text()
        if kind is SearchAlertKind.PLAYER and has_wildcards(value) and not self.literal_box.isChecked():
            kind = SearchAlertKind.PATTERN
        return normalise_search_alert(SearchAlert(kind, value, time.time()))

    def _confirm(self) -> None:
        if not self.confirm_button.isEnabled():
            return
        if problem := self._save(self.entered_alert()):
            self._show_message(problem)
            announce(self.confirm_button, problem)
        else:
            self.accept()


def alert_text(alert: Alert) -> str:
    """Return when an alert notifies."""
    if isinstance(alert, ServerAlert):
        return _(ALERT_RULES[alert.kind].label).format(n=alert.players)
    return _(SEARCH_ALERT_RULES[alert.kind].label).format(value=alert.value)
