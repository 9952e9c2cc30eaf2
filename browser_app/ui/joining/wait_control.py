"""Waiting for a slot, in sight: how full the server is, how long it took so far, and what happens when one is free."""

import time

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from browser_app.bridge.live_list import LiveList
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.slot_watch import SlotWatchBridge
from browser_app.engine.slot_watch import Look, WatchEnd
from browser_app.language import gettext as _
from browser_app.storage.declared import WHEN_SLOT_FREE
from browser_app.ui.controls import Text
from browser_app.ui.joining.attempt import Attempt
from browser_app.ui.joining.strip import Choice, Strip
from browser_app.ui.joining.wording import name_of, players_of
from browser_app.ui.segments import Segments
from browser_app.ui.theme import Theme

SECOND_MS = 1000


class WaitControl(QObject):
    """Owns the strip of the server that is waited for; one at a time.

    Signals:
        join_wanted: the `Attempt` that can go on now.
        slot_free: a server with a free slot, where the user wanted to be told.
    """

    join_wanted = Signal(object)
    slot_free = Signal(int)

    def __init__(self, theme: Theme, live: LiveList, slots: SlotWatchBridge, settings: LiveSettings) -> None:
        super().__init__(live)
        self._live, self._slots, self._settings = live, slots, settings
        self._attempt: Attempt | None = None
        self._began_s = 0.0
        self._news, self._silent = "", False
        self.strip = Strip(theme)
        self._label = Text(theme, _("When one is free"), role="text2", size=12)
        self.choice = Segments(theme, (_("join"), _("tell me")), _("When one is free"), large=True)
        self.choice.setTabToolTip(0, _("The game is started at once"))
        self.choice.setTabToolTip(1, _("You are told, and join yourself"))
        self.choice.setCurrentIndex(WHEN_SLOT_FREE.choices.index(settings.get(WHEN_SLOT_FREE)))
        self.choice.currentChanged.connect(self._remember)
        settings.changed.connect(self._setting_changed)
        self.strip.add(self._label)
        self.strip.add(self.choice)
        self._timer = QTimer(self, interval=SECOND_MS)
        self._timer.timeout.connect(self._show)
        slots.looked.connect(self._looked)
        slots.ended.connect(self._ended)

    @property
    def server(self) -> int:
        """The one that is waited for, -1 for none."""
        return -1 if self._attempt is None or not self._timer.isActive() else self._attempt.server

    def start(self, attempt: Attempt, first_in_s: float = 0.0) -> None:
        """Wait for a slot; whoever was waited for is let go. For the same attempt as before the wait goes on."""
        self._silent = False
        if attempt is self._attempt:
            first_in_s, self._news = self._slots.times.every_s, _("the free slot was taken")
        else:
            self._attempt, self._began_s = attempt, time.monotonic()
            self._news = _("nobody has left yet")
        self._slots.start(attempt.server, first_in_s)
        self._timer.start()
        self._set_waiting(waiting=True)
        self._show()

    def stop(self) -> None:
        """Wait no more, and say no more."""
        self._slots.close()
        self._timer.stop()
        self._attempt = None
        self.strip.clear()

    def _set_waiting(self, *, waiting: bool) -> None:
        self._label.setVisible(waiting)
        self.choice.setVisible(waiting)
        if waiting:
            self.strip.offer([Choice(_("Cancel"), self.stop)])

    def _looked(self, look: Look) -> None:
        if look.answer.facts is None:
            self._news = _("no answer for {n} s").format(n=round(look.silent_s))
        elif self._silent:
            self._news = _("it answers again")
        self._silent = look.answer.facts is None
        self._show()

    def _show(self) -> None:
        if self._attempt is None:
            return
        catalogue, server = self._live.catalogue, self._attempt.server
        self.strip.tell(
            _("Waiting for a slot on {server}").format(server=name_of(catalogue, server)),
            _("{players}, {news}. {waited}, asked every {n} s.").format(
                players=players_of(catalogue, server),
                news=self._news,
                waited=waited_text(time.monotonic() - self._began_s),
                n=round(self._slots.times.every_s),
            ),
        )

    def _ended(self, end: WatchEnd) -> None:
        attempt = self._attempt
        self._timer.stop()
        if attempt is None or end is WatchEnd.CANCELLED:
            self.stop()
            return
        QApplication.alert(self.strip.window())
        if end is WatchEnd.SILENT:
            self._tell_gone(attempt)
        elif self._settings.get(WHEN_SLOT_FREE) == "join":
            self.strip.clear()
            self.join_wanted.emit(attempt)
        else:
            self._tell_free(attempt)

    def _tell_free(self, attempt: Attempt) -> None:
        catalogue, server = self._live.catalogue, attempt.server
        self._set_waiting(waiting=False)
        self.strip.tell(
            _("A slot is free on {server}").format(server=name_of(catalogue, server)),
            _("{players} since {time}.").format(players=players_of(catalogue, server), time=time.strftime("%H:%M")),
            "bell",
        )
        self.strip.offer(
            [Choice(_("Join"), lambda: self._join(attempt)), Choice(_("Wait on"), lambda: self._wait_on(attempt)),
             Choice(_("Close"), self.stop)]
        )  # fmt: skip
        self.slot_free.emit(server)

    def _tell_gone(self, attempt: Attempt) -> None:
        self._set_waiting(waiting=False)
        self.strip.tell(
            _("{server} does not answer any more").format(server=name_of(self._live.catalogue, attempt.server)),
            _("Waiting ended after {n} s without an answer.").format(n=round(self._slots.times.silent_s)),
            "doubt",
            "warning",
        )
        self.strip.offer([Choice(_("Wait on"), lambda: self._wait_on(attempt)), Choice(_("Close"), self.stop)])

    def _join(self, attempt: Attempt) -> None:
        self.strip.clear()
        self.join_wanted.emit(attempt)

    def _wait_on(self, attempt: Attempt) -> None:
        """It was asked a moment ago, and what it said then is what the user does not want."""
        self._attempt = None
        self.start(attempt, self._slots.times.every_s)

    def _remember(self, place: int) -> None:
        self._settings.set(WHEN_SLOT_FREE, WHEN_SLOT_FREE.choices[place])

    def _setting_changed(self, key: str) -> None:
        if key == WHEN_SLOT_FREE.key:
            self.choice.setCurrentIndex(WHEN_SLOT_FREE.choices.index(self._settings.get(WHEN_SLOT_FREE)))


def waited_text(seconds: float) -> str:
    """`40 s`, `3 min 20 s`, `1 h 5 min`."""
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    if hours:
        return _("{h} h {min} min").format(h=hours, min=minute)
    return _("{min} min {s} s").format(min=minute, s=second) if minutes else _("{s} s").format(s=second)
