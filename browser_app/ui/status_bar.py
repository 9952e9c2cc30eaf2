"""The status bar: master servers, progress of a refresh, traffic and messages."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, QTimer
from PySide6.QtGui import QAccessible, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from browser_app.engine.query.scan import PacketCounts
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.ui.widgets.accessibility import announce, set_accessible_role, update_texts
from browser_app.ui.widgets.basic_widgets import (
    ElidedLabel,
    IconLabel,
    Label,
    PaintedButton,
    Panel,
    ProgressBar,
    draw_focus_ring,
    draw_icon,
    mirrored_rect,
)
from browser_app.ui.widgets.box_layouts import fill_box
from browser_app.ui.widgets.buttons import LinkButton
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import percent_text, plain_tool_tip, short_age_text

MASTERS_BUTTON_HEIGHT = 22
_MASTERS_ICON_PX, _MASTERS_GAP = 14, 6


class MastersButton(PaintedButton):
    """A link-like button with an icon, a text and a warning."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.warning = ""
        self.setFont(theme.font(12))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_state(self, text: str, warning: str, tip: str) -> None:
        """Show state, warning and tooltip."""
        if (text, warning) != (self.text(), self.warning):
            self.warning = warning
            self.setText(text)
            self.updateGeometry()
            self.update()
        update_texts(self, name=", ".join(filter(None, (text, warning))), description=tip, tool_tip=tip)

    def sizeHint(self) -> QSize:
        """Return the size of the texts."""
        metrics = QFontMetrics(self.font())
        warning = metrics.horizontalAdvance(self.warning) + _MASTERS_GAP if self.warning else 0
        return QSize(
            _MASTERS_ICON_PX + _MASTERS_GAP + metrics.horizontalAdvance(self.text()) + warning + 4,
            MASTERS_BUTTON_HEIGHT,
        )

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint icon and texts, underlined under the pointer."""
        colors = self._theme.palette
        painter = QPainter(self)
        icon, role = ("warning", colors.warning) if self.warning else ("check", colors.text2)
        draw_icon(painter, icon, role, mirrored_rect(self, QRect(0, 0, _MASTERS_ICON_PX, MASTERS_BUTTON_HEIGHT)))
        font = self._theme.font(12)
        font.setUnderline(self.underMouse())
        painter.setFont(font)
        left = _MASTERS_ICON_PX + _MASTERS_GAP
        for text, color in ((self.text(), "text2"), (self.warning, "warning")):
            painter.setPen(colors.color(color))
            space = mirrored_rect(self, QRect(left, 0, self.width() - left, MASTERS_BUTTON_HEIGHT))
            painter.drawText(space, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
            left += painter.fontMetrics().horizontalAdvance(text) + _MASTERS_GAP
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), colors.color("accent"))


STATUS_BAR_HEIGHT = 26
JUST_NOW_S = 5.0
"""Age below which the rows in sight were updated just now."""
MESSAGE_MS = 6000
"""How long a temporary message is shown."""
UNDO_MESSAGE_MS = 12_000
"""How long one with the button *Undo* is shown: time to read it and to reach the button."""


MIN_MESSAGE_WIDTH = 180
"""Width that a message keeps where another view's widgets fill the bar, px."""


class StatusBar(Panel):
    """The status bar; every number comes from the engine."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window", "T")
        set_accessible_role(self, QAccessible.Role.StatusBar)
        self.masters_button = MastersButton(theme)
        self.master_failures: tuple[str, ...] = ()
        """Errors of master servers, one per line."""
        self._progress_bar = ProgressBar(theme)
        self._scan_label = Label(theme, role="text2", size=12)
        self._traffic_label = Label(theme, role="text2", size=12)
        self._traffic_label.setToolTip(
            plain_tool_tip(_("Packets to game servers and from them; some answers consist of several packets."))
        )
        self._message_label = ElidedLabel(theme, role="text2", size=12)
        self._message = ""
        """The current message, permanent or not."""
        self._permanent_message = "", "text2"
        self.undo_button = LinkButton(theme, _("Undo"))
        """Shown beside a message about a change that can be undone."""
        self.undo_button.hide()
        self._message_timer = QTimer(self, singleShot=True)
        self._message_timer.timeout.connect(self._show_permanent_message)
        self._order_icon = IconLabel(theme, "pause")
        self._order_label = Label(theme, role="text2", size=12)
        self.setFixedHeight(STATUS_BAR_HEIGHT)
        self._scan_widgets = _create_row(self._scan_label, self._progress_bar, self._traffic_label)
        self._order_widgets = _create_row(self._order_icon, self._order_label)
        self._view_widgets: tuple[QWidget, ...] = ()
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(12, 1, 12, 0)
        row.setSpacing(8)
        row.addWidget(self.masters_button)
        row.addWidget(self._scan_widgets)
        row.addStretch(1)
        row.addWidget(self._message_label)
        row.addWidget(self.undo_button)
        row.addWidget(self._order_widgets)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.show_masters(0, [])
        self.show_scan(0, 0, running=False)
        self.show_sorting_state(None)

    def show_masters(self, answered: int, failures: Sequence[str], polled: int = 0, without_key: int = 0) -> None:
        """Show how many master servers answered, and the errors of the others.

        Those that were not queried because a key is missing are named only if all others answered.
        """
        text = (
            _("Master servers {n}/{total}").format(n=answered, total=polled)
            if polled
            else _("No master servers queried")
        )
        number = len(failures) - without_key
        failed = ngettext("{n} failed", "{n} failed", number).format(n=number) if number > 0 else ""
        if without_key and not failed:
            failed = ngettext("{n} needs a key", "{n} need a key", without_key).format(n=without_key)
        self.master_failures = tuple(failures)
        self.masters_button.show_state(text, failed, plain_tool_tip("\n".join(failures)))

    def show_scan(self, done: int, targets: int, *, running: bool) -> None:
        """Show how many of the servers to query are done.

        Master servers are queried before there are any. `show_age` replaces the text after the scan.
        """
        self._progress_bar.setVisible(running)
        self._progress_bar.set_progress(done / targets if targets else 0.0)
        if running and targets:
            self._scan_label.setText(
                _("Refreshing, {n} of {total} queried").format(n=integer_text(done), total=integer_text(targets))
            )
        elif running:
            self._scan_label.setText(_("Querying master servers…"))

    def show_age(self, seconds: float) -> None:
        """Show how long ago all rows in sight had been refreshed, s; NaN for none."""
        if math.isnan(seconds):
            text = ""
        elif seconds < JUST_NOW_S:
            text = _("Updated just now")
        else:
            text = _("Updated {age} ago").format(age=short_age_text(seconds))
        self._scan_label.setText(text)

    def show_traffic(self, packets: PacketCounts, *, running: bool) -> None:
        """Show numbers of datagrams.

        The share without a reply is shown after the scan, unless nothing was received at all.
        """
        sent, received, dropped = packets.sent, packets.received, packets.dropped
        parts = [_("sent {n}").format(n=integer_text(sent)), _("received {n}").format(n=integer_text(received))]
        if sent > packets.disconnects and received and not running:
            parts.append(_("lost {share}").format(share=percent_text(packets.lost_share, 1)))
        if dropped:
            parts.append(_("rejected {n}").format(n=integer_text(dropped)))
        self._traffic_label.setText("  ".join(parts) if sent else "")
        self._fit_traffic()

    def show_message(self, text: str, *, warning: bool = False) -> None:
        """Show a permanent message."""
        self._permanent_message = text, "warning" if warning else "text2"
        self._message_timer.stop()
        self._show_permanent_message()
        if warning:
            announce(self, text)

    def show_temporary_message(self, text: str) -> None:
        """Show and announce a message until the permanent one returns after `MESSAGE_MS`."""
        self._message_timer.start(MESSAGE_MS)
        self._show_message("text2", text)
        announce(self, text)

    def show_undoable_message(self, text: str) -> None:
        """Show and announce a message with the button *Undo*."""
        self._message_timer.start(UNDO_MESSAGE_MS)
        self._show_message("text2", text, can_undo=True)
        announce(self, text)

    def _show_permanent_message(self) -> None:
        text, role = self._permanent_message
        self._show_message(role, text)

    def _show_message(self, role: str, text: str, *, can_undo: bool = False) -> None:
        self._message = text
        self.undo_button.setVisible(can_undo)
        self._message_label.set_color_role(role)
        self._update_message()

    def _update_message(self) -> None:
        """Show the message unless the state of sorting beside it says the same."""
        is_repeated = not self._order_widgets.isHidden() and self._message == self._order_label.text()
        self._message_label.setText("" if is_repeated else self._message)
        self._fit_message()
        self._fit_traffic()

    def _fit_message(self) -> None:
        """Keep the message readable beside the long texts of another view."""
        servers = not self._scan_widgets.isHidden()
        self._message_label.setMinimumWidth(
            0 if servers else min(self._message_label.sizeHint().width(), MIN_MESSAGE_WIDTH)
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the numbers of datagrams where there is room beside the message."""
        super().resizeEvent(event)
        self._fit_traffic()

    def _fit_traffic(self) -> None:
        """Hide the numbers of datagrams while they would cut a message."""
        traffic = self._traffic_label
        hidden_width = traffic.sizeHint().width() if traffic.isHidden() else 0
        is_cut = self._row.sizeHint().width() + hidden_width > self.width()
        traffic.setVisible(not (is_cut and self._message_label.text()))

    def show_sorting_state(self, paused: str | None) -> None:
        """Show that sorting is live, or the text `paused` with the reason why not."""
        self._order_icon.setVisible(paused is not None)
        text = _("Live sorting") if paused is None else paused
        if text != self._order_label.text():
            self._order_label.setText(text)
            self._update_message()

    def add_view_widgets(self, start: QWidget, end: QWidget) -> None:
        """Add widgets that another view shows in place of scan and sorting state."""
        self._view_widgets = start, end
        self._row.insertWidget(1, start)
        self._row.addWidget(end)
        self.show_view_widgets(servers=True)

    def show_view_widgets(self, *, servers: bool) -> None:
        """Show the state of the servers, or the other view's widgets."""
        for widget in (self._scan_widgets, self._order_widgets):
            widget.setVisible(servers)
        for widget in self._view_widgets:
            widget.setVisible(not servers)
        self._update_message()

    def shown_texts(self) -> tuple[str, ...]:
        """Return all visible texts from left to right."""
        shown = (self._scan_label, self._traffic_label, self._message_label, self._order_label)
        texts = (self.masters_button.text(), self.masters_button.warning, *(widget.text() for widget in shown))
        return tuple(text for text in texts if text)


def _create_row(*widgets: QWidget) -> QWidget:
    group = QWidget()
    fill_box(QHBoxLayout(group), *widgets)
    return group
