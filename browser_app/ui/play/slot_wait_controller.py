"""Controller of waiting for a free slot."""

import time

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from browser_app.catalogue.server_value_text import server_name, server_players_text
from browser_app.engine.slot_monitor import SlotCheck, SlotMonitorOutcome
from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.storage.setting_declarations import FREE_SLOT_ACTION
from browser_app.ui.play.join_request import JoinRequest
from browser_app.ui.widgets.basic_widgets import Label
from browser_app.ui.widgets.notification_bar import NotificationBar
from browser_app.ui.widgets.tab_widgets import SegmentedSwitch
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import clock_time_text, hours_text
from browser_app.ui.window_services import WindowServices

WAIT_TICK_MS = 1000
_NO_SLOT_TEXT = N_("{players}. No free slot yet. Waiting for {waited}, checking every {n} s.")
_SLOT_TAKEN_TEXT = N_("{players}. The free slot was taken. Waiting for {waited}, checking every {n} s.")
_SILENT_TEXT = N_("{players}. No answer for {silent} s. Waiting for {waited}, checking every {n} s.")
_ANSWERS_AGAIN_TEXT = N_("{players}. Answering again. Waiting for {waited}, checking every {n} s.")


class SlotWaitController(QObject):
    """Waits for a slot on one server at a time, and owns its notification bar.

    Signals:
        join_requested: the `JoinRequest` that can continue now.
        slot_freed: a server with a free slot, if the user wanted to be notified.
    """

    join_requested = Signal(object)
    slot_freed = Signal(int)

    def __init__(self, theme: Theme, services: WindowServices) -> None:
        super().__init__(services.server_list)
        self._server_list, self._slot_monitor = services.server_list, services.slot_monitor
        self._settings = settings = services.settings
        self._request: JoinRequest | None = None
        self._started_s = 0.0
        self._state_text, self._silent_s = _NO_SLOT_TEXT, 0.0
        self.notification_bar = NotificationBar(theme)
        self._label = Label(theme, _("When a slot is free"), role="text2", size=12)
        self.action_switch = SegmentedSwitch(
            theme, (_("Join"), _("Notify me")), _("When a slot is free"), top_bar_height=True
        )
        self.action_switch.setTabToolTip(0, _("The game starts immediately"))
        self.action_switch.setTabToolTip(1, _("You are notified and join yourself"))
        self.action_switch.setCurrentIndex(FREE_SLOT_ACTION.choices.index(settings.get(FREE_SLOT_ACTION)))
        self.action_switch.currentChanged.connect(
            lambda index: settings.set(FREE_SLOT_ACTION, FREE_SLOT_ACTION.choices[index])
        )
        settings.changed.connect(self._on_setting_changed)
        self.notification_bar.add_widget(self._label)
        self.notification_bar.add_widget(self.action_switch)
        self._timer = QTimer(self, interval=WAIT_TICK_MS)
        self._timer.timeout.connect(self._show_state)
        self._slot_monitor.slot_checked.connect(self._on_slot_checked)
        self._slot_monitor.monitor_finished.connect(self._on_monitor_finished)

    @property
    def server(self) -> int:
        """The server that is waited for, -1 for none."""
        return -1 if self._request is None or not self._timer.isActive() else self._request.server

    @property
    def rows_in_use(self) -> list[int]:
        """The server that the bar is about, even if the wait is over."""
        return [] if self._request is None else [self._request.server]

    def start_waiting(self, request: JoinRequest, first_in_s: float = 0.0) -> None:
        """Wait for a slot, instead of any other wait.

        A wait for the same request goes on.
        """
        self._silent_s = 0.0
        if request is self._request:
            first_in_s, self._state_text = self._slot_monitor.timing.interval_s, _SLOT_TAKEN_TEXT
        else:
            self._request, self._started_s = request, time.monotonic()
            self._state_text = _NO_SLOT_TEXT
        self._slot_monitor.start(request.server, first_in_s)
        self._timer.start()
        self._show_wait_controls(waiting=True)
        self._show_state()

    def stop_waiting(self) -> None:
        """Stop waiting and hide the bar."""
        self._slot_monitor.close()
        self._timer.stop()
        self._request = None
        self.notification_bar.hide_message()

    def _show_wait_controls(self, *, waiting: bool) -> None:
        self._label.setVisible(waiting)
        self.action_switch.setVisible(waiting)
        if waiting:
            self.notification_bar.show_buttons((_("Cancel"), self.stop_waiting))

    def _on_slot_checked(self, check: SlotCheck) -> None:
        if check.result.info is None:
            self._state_text, self._silent_s = _SILENT_TEXT, check.silent_s
        elif self._silent_s:
            self._state_text, self._silent_s = _ANSWERS_AGAIN_TEXT, 0.0
        self._show_state()

    def _show_state(self) -> None:
        if self._request is None:
            return
        catalogue, server = self._server_list.catalogue, self._request.server
        if catalogue.blocked[server]:
            self.stop_waiting()
            return
        self.notification_bar.show_message(
            _("Waiting for a slot on “{server}”").format(server=server_name(catalogue, server)),
            _(self._state_text).format(
                players=server_players_text(catalogue, server),
                silent=round(self._silent_s),
                waited=wait_time_text(time.monotonic() - self._started_s),
                n=round(self._slot_monitor.timing.interval_s),
            ),
        )

    def _on_monitor_finished(self, outcome: SlotMonitorOutcome) -> None:
        request = self._request
        self._timer.stop()
        is_blocked = request is not None and self._server_list.catalogue.blocked[request.server]
        if request is None or is_blocked or outcome is SlotMonitorOutcome.CANCELLED:
            self.stop_waiting()
            return
        QApplication.alert(self.notification_bar.window())
        if outcome is SlotMonitorOutcome.SILENT:
            self._show_server_gone(request)
        elif self._settings.get(FREE_SLOT_ACTION) == "join":
            self.notification_bar.hide_message()
            self.join_requested.emit(request)
        else:
            self._show_slot_free(request)

    def _show_slot_free(self, request: JoinRequest) -> None:
        catalogue, server = self._server_list.catalogue, request.server
        self._show_wait_controls(waiting=False)
        self.notification_bar.show_message(
            _("A slot is free on “{server}”").format(server=server_name(catalogue, server)),
            _("{players} since {time}.").format(
                players=server_players_text(catalogue, server), time=clock_time_text(time.time())
            ),
            "bell",
        )
        self.notification_bar.show_buttons(
            (_("Join"), lambda: self._join_now(request)),
            (_("Keep waiting"), lambda: self._continue_waiting(request)),
            (_("Close"), self.stop_waiting),
        )
        self.slot_freed.emit(server)

    def _show_server_gone(self, request: JoinRequest) -> None:
        self._show_wait_controls(waiting=False)
        self.notification_bar.show_message(
            _("“{server}” no longer answers").format(server=server_name(self._server_list.catalogue, request.server)),
            _("Stopped waiting after {n} s without an answer.").format(
                n=round(self._slot_monitor.timing.silence_limit_s)
            ),
            "warning",
            "warning",
        )
        self.notification_bar.show_buttons(
            (_("Keep waiting"), lambda: self._continue_waiting(request)),
            (_("Close"), self.stop_waiting),
        )

    def _join_now(self, request: JoinRequest) -> None:
        self.notification_bar.hide_message()
        self.join_requested.emit(request)

    def _continue_waiting(self, request: JoinRequest) -> None:
        """Start another wait for the server of a wait that is over."""
        self._request = None
        self.start_waiting(request, self._slot_monitor.timing.interval_s)

    def _on_setting_changed(self, key: str) -> None:
        if key == FREE_SLOT_ACTION.key:
            self.action_switch.setCurrentIndex(FREE_SLOT_ACTION.choices.index(self._settings.get(FREE_SLOT_ACTION)))


def wait_time_text(seconds: float) -> str:
    """Return `40 s`, `3 min 20 s` or `1 h 05 min`."""
    minutes, second = divmod(int(seconds), 60)
    if minutes >= 60:
        return hours_text(60 * minutes)
    return _("{min} min {s} s").format(min=minutes, s=second) if minutes else _("{s} s").format(s=second)
