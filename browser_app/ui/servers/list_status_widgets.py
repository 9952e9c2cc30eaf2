"""The banner above the server table and the page shown without rows."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QTableView, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.ui.filters.filter_chip_bar import FilterChip, FilterChipState
from browser_app.ui.servers.list_status_text import ListStatusText
from browser_app.ui.widgets.accessibility import announce
from browser_app.ui.widgets.basic_widgets import (
    Button,
    CentredParagraph,
    ElidedLabel,
    IconLabel,
    Label,
    Panel,
    ProgressBar,
)
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.page_elements import clear_layout
from browser_app.ui.widgets.theme import Theme

LIST_BANNER_HEIGHT = 36


class ListBanner(Panel):
    """A banner that is hidden while there is no status.

    Signals:
        action_requested: name of the action.
        list_moved: by how many px the list below moves down.
    """

    action_requested = Signal(str)
    list_moved = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window", "B")
        self._icon_mark = IconLabel(theme, "clock", size=16)
        self._headline_label = Label(theme, weight=QFont.Weight.DemiBold)
        self._reason_label = ElidedLabel(theme, role="text2")
        self._progress_bar = ProgressBar(theme, 120)
        self._action = ""
        self.action_button = Button(theme)
        self.action_button.clicked.connect(lambda: self.action_requested.emit(self._action))
        self.setFocusProxy(self.action_button)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 12, 3)
        row.setSpacing(8)
        for widget in (self._icon_mark, self._headline_label):
            row.addWidget(widget)
        row.addWidget(self._reason_label, 1)
        row.addWidget(self._progress_bar)
        row.addWidget(self.action_button)
        self.setFixedHeight(LIST_BANNER_HEIGHT)
        self.hide()

    def sizeHint(self) -> QSize:
        """Return the preferred size: 36 px high."""
        return QSize(super().sizeHint().width(), LIST_BANNER_HEIGHT)

    def shown_texts(self) -> tuple[str, str]:
        """Return headline and reason."""
        return self._headline_label.text(), self._reason_label.text()

    def show_status(self, status: ListStatusText | None) -> None:
        """Show a status; None hides the banner."""
        was_shown, is_shown = not self.isHidden(), status is not None
        before = self.shown_texts()[0] if was_shown else ""
        self.setVisible(is_shown)
        if was_shown != is_shown:
            self.list_moved.emit(LIST_BANNER_HEIGHT if is_shown else -LIST_BANNER_HEIGHT)
        if status is None:
            return
        self._icon_mark.set_icon(status.icon, status.role)
        self._headline_label.setText(status.headline)
        self._reason_label.setText(status.reason)
        if status.headline != before:
            announce(self, status.headline, status.reason)
        self._progress_bar.setVisible(status.progress is not None)
        self._progress_bar.set_progress(status.progress or 0.0)
        text, self._action = status.action or ("", "")
        self.action_button.setVisible(bool(text))
        if text != self.action_button.text():
            self.action_button.setText(text)
            self.action_button.updateGeometry()


EMPTY_PAGE_WIDTH = 480
MIN_EMPTY_PAGE_HEIGHT = 120
_CENTRED = Qt.AlignmentFlag.AlignHCenter


class EmptyListPage(QWidget):
    """A page over the table's empty area, hidden while there is no status.

    Signals:
        action_requested: name of the action.
        filter_remove_requested: key of a filter to turn off.
    """

    action_requested = Signal(str)
    filter_remove_requested = Signal(str)

    def __init__(self, theme: Theme, table: QTableView) -> None:
        """Create the page in a new `pane`, which holds the table, too.

        In the table itself, screen readers would not find it: they see nothing but cells there.
        """
        self.pane = QWidget()
        super().__init__(self.pane)
        fill_box(QVBoxLayout(self.pane), Stretch(table), spacing=0)
        self.raise_()
        self._theme, self._viewport = theme, table.viewport()
        self._pending_status: ListStatusText | None = None
        self._shown_status: ListStatusText | None = None
        """The status the widgets show."""
        self._fitted_height = -1
        """The height (px) that what is visible was chosen for."""
        self._headline_of_action = ""
        """Of the last status with a main action."""
        self._top = 0
        self._icon_mark = IconLabel(theme, "filter", size=20)
        self._headline_label = Label(theme, size=15, weight=QFont.Weight.DemiBold)
        self._reason_label = CentredParagraph(theme, width=EMPTY_PAGE_WIDTH)
        self._note_label = CentredParagraph(theme, width=EMPTY_PAGE_WIDTH, size=12)
        self._progress_bar = ProgressBar(theme, 220)
        self.action_button = Button(theme, accented=True)
        self.action_button.clicked.connect(lambda: self._request_other_action(0))
        self._filter_box = QWidget()
        self._filters = QGridLayout(self._filter_box)
        self._other_actions = QHBoxLayout()
        self._build_layout()
        self._viewport.installEventFilter(self)
        self.hide()

    def _build_layout(self) -> None:
        self._filters.setContentsMargins(0, 0, 0, 0)
        self._filters.setHorizontalSpacing(12)
        self._filters.setVerticalSpacing(6)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(10)
        column.addStretch(2)
        for widget in (self._icon_mark, self._headline_label, self._progress_bar, self._reason_label):
            column.addWidget(widget, alignment=_CENTRED)
        column.addWidget(self._filter_box, alignment=_CENTRED)
        column.addWidget(self.action_button, alignment=_CENTRED)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addLayout(self._other_actions)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self._note_label, alignment=_CENTRED)
        column.addStretch(3)

    def shown_texts(self) -> tuple[str, str]:
        """Return headline and reason, empty without a status."""
        return (
            (self._pending_status.headline, self._pending_status.reason)
            if self._pending_status is not None
            else ("", "")
        )

    def show_status(self, status: ListStatusText | None, top: int) -> None:
        """Show a status below the rows, if it fits there; None hides the page.

        The rows end at `top` (px).
        """
        self._pending_status, self._top = status, top
        self._update_page()

    def _update_page(self) -> None:
        """Cover the empty area.

        Without space nothing is laid out, since the status may change many times a second.
        """
        space, status = self._viewport.rect().adjusted(0, self._top, 0, 0), self._pending_status
        fits = self._top == 0 or space.height() >= MIN_EMPTY_PAGE_HEIGHT
        if status is not None and fits:
            before = self._shown_status.headline if self._shown_status is not None and self.isVisible() else ""
            if status != self._shown_status:
                if self._shown_status is None or status.filters != self._shown_status.filters:
                    self._show_filters(status.filters)
                self._shown_status, self._fitted_height = status, -1
                self._fill_page(status)
            if space.height() != self._fitted_height:
                self._fit_page(status, space.height())
            self.setGeometry(space.translated(self._viewport.mapTo(self.pane, QPoint(0, 0))))
            self.show()
            if status.headline != before and status.progress is None:
                announce(self, status.headline, status.reason)
        else:
            self.hide()

    def _fill_page(self, status: ListStatusText) -> None:
        if status.icon:
            self._icon_mark.set_icon(status.icon, status.role)
        self._headline_label.setText(status.headline)
        for paragraph, text in ((self._reason_label, status.reason), (self._note_label, status.note)):
            paragraph.show_text(text)
        self._progress_bar.setVisible(status.progress is not None)
        self._progress_bar.set_progress(status.progress or 0.0)
        self._keep_place_of_action(status)
        self.action_button.setVisible(status.action is not None)
        if status.action is not None:
            self.action_button.setText(status.action[0])
            self.action_button.updateGeometry()
        clear_layout(self._other_actions)
        for index, (text, _name) in enumerate(status.other_actions, 1):
            button = Button(self._theme, text)
            button.clicked.connect(lambda _checked=False, index=index: self._request_other_action(index))
            self._other_actions.addWidget(button)

    def _fit_page(self, status: ListStatusText, height: int) -> None:
        """Hide what matters least, until the rest fits.

        The layout would squeeze everything.
        """
        optional = {
            self._note_label: status.note,
            self._icon_mark: status.icon,
            self._reason_label: status.reason,
            self._filter_box: status.filters,
        }
        for widget, content in optional.items():
            widget.setVisible(bool(content))
        for widget in optional:
            if self.sizeHint().height() > height:
                widget.hide()
        self._fitted_height = height

    def _keep_place_of_action(self, status: ListStatusText) -> None:
        """Leave room for an action that comes back, such as *Try again*.

        The page must not jump at each attempt.
        """
        if status.action is not None:
            self._headline_of_action = status.headline
        policy = self.action_button.sizePolicy()
        policy.setRetainSizeWhenHidden(status.headline == self._headline_of_action)
        self.action_button.setSizePolicy(policy)

    def _request_other_action(self, index: int) -> None:
        if self._shown_status is not None:
            action = (self._shown_status.action, *self._shown_status.other_actions)[index]
            if action is not None:
                self.action_requested.emit(action[1])

    def _show_filters(self, filters: Sequence[FilterChipState]) -> None:
        clear_layout(self._filters)
        for index, state in enumerate(filters):
            chip = FilterChip(self._theme)
            chip.show_state(state._replace(number=None, menu=False))
            remove_button = Button(self._theme, _("Remove"))
            remove_button.setAccessibleName(_("Remove “{filter}”").format(filter=state.title))
            for each in (chip, remove_button):
                each.clicked.connect(lambda _checked=False, key=state.key: self.filter_remove_requested.emit(key))
            self._filters.addWidget(chip, index, 0)
            count = state.number or 0
            text = ngettext("brings back {n} server", "brings back {n} servers", count)
            self._filters.addWidget(Label(self._theme, text.format(n=integer_text(count)), role="text2"), index, 1)
            self._filters.addWidget(remove_button, index, 2)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the viewport's size."""
        if event.type() == QEvent.Type.Resize:
            self._update_page()
        return super().eventFilter(watched, event)
