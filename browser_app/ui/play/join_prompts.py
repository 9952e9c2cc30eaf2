"""Notification bars that ask about a join before it goes on."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect, Qt, QUrl
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QDesktopServices,
    QFont,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QHBoxLayout, QSizePolicy, QWidget

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_value_text import server_name, server_players_text
from browser_app.language import gettext as _
from browser_app.launch.launch_arguments import GameNotInstalledError, LaunchError
from browser_app.ui.play.join_request import JoinBlocker, differing_own_version
from browser_app.ui.widgets.basic_widgets import Button, ElidedLabel, Panel, draw_icon
from browser_app.ui.widgets.theme import Theme

NOTIFICATION_BAR_HEIGHT = 44
_NOTIFICATION_ICON_PX, _NOTIFICATION_GAP, _STACKED_MARGIN = 16, 12, 5


class NotificationButton(NamedTuple):
    """A button of a notification bar."""

    text: str
    on_click: Callable[[], object]


class NotificationBar(Panel):
    """Icon, headline, sentence and buttons; hidden when empty. Takes the focus only for a question.

    Where space is short, the sentence is below the headline.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window", "B")
        self._icon, self._icon_role = "clock", "accent"
        self._headline = ElidedLabel(theme, weight=QFont.Weight.DemiBold)
        self._sentence = ElidedLabel(theme, role="text2")
        self._sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._previous_focus: QWidget | None = None
        self._buttons: list[Button] = []
        self._row_layout = QHBoxLayout(self)
        self._row_layout.setContentsMargins(12, 0, 12, 1)
        self._row_layout.setSpacing(_NOTIFICATION_GAP)
        self._row_layout.addSpacing(_NOTIFICATION_ICON_PX + 16)  # a margin would not follow the layout direction
        self._text_layout = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._text_layout.addWidget(self._headline)
        self._text_layout.addWidget(self._sentence, 1)
        self._row_layout.addLayout(self._text_layout, 1)
        self.setFixedHeight(NOTIFICATION_BAR_HEIGHT)
        self.hide()

    def add_widget(self, widget: QWidget) -> None:
        """Add a widget between the text and the buttons."""
        self._row_layout.insertWidget(self._row_layout.count() - len(self._buttons), widget)

    def show_message(self, headline: str, sentence: str, icon: str = "clock", role: str = "accent") -> None:
        """Show a message; announce it to screen readers if the headline is new."""
        news = headline != self._headline.text() or self.isHidden()
        self._icon, self._icon_role = icon, role
        self._headline.setText(headline)
        self._sentence.setText(sentence)
        self.setAccessibleName(f"{headline} {sentence}")
        self.show()
        self._arrange()
        self.update()
        if news:
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def show_buttons(self, choices: Sequence[NotificationButton], *, take_focus: bool = False) -> None:
        """Show buttons; `take_focus` gives the first the focus. The accent colour stays with Play Now."""
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = []
        for choice in choices:
            button = Button(self._theme, choice.text)
            button.clicked.connect(choice.on_click)
            self._row_layout.addWidget(button)
            button.show()
            self._buttons.append(button)
        self._arrange()
        if take_focus and self._buttons:
            self._previous_focus = self.window().focusWidget()
            self._buttons[0].setFocus()

    def _arrange(self) -> None:
        """Put the sentence beside the headline, or below it if one line is too narrow for both."""
        self._row_layout.activate()
        wanted = self._headline.sizeHint().width() + _NOTIFICATION_GAP + self._sentence.sizeHint().width()
        beside = wanted <= self._text_layout.geometry().width()
        self._text_layout.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        self._text_layout.setSpacing(_NOTIFICATION_GAP if beside else 0)
        margin = 0 if beside else _STACKED_MARGIN
        self._text_layout.setContentsMargins(0, margin, 0, margin)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the text for the new width."""
        super().resizeEvent(event)
        self._arrange()

    def hide_message(self) -> None:
        """Hide the bar; return the focus to where it was."""
        focus = self.window().focusWidget()
        inside = focus is not None and self.isAncestorOf(focus)
        self.hide()
        if inside and self._previous_focus is not None:
            self._previous_focus.setFocus()
        self._previous_focus = None

    def buttons_by_text(self) -> dict[str, Button]:
        """Return the buttons by their text."""
        return {button.text(): button for button in self._buttons}

    def shown_texts(self) -> tuple[str, str]:
        """Return headline and sentence."""
        return self._headline.text(), self._sentence.text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the focused button on Enter, but not on auto-repeat."""
        focus = self.window().focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focus, QAbstractButton):
            if not event.isAutoRepeat():
                focus.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the icon beside the text."""
        super().paintEvent(event)
        left = (
            self.width() - 16 - _NOTIFICATION_ICON_PX
            if self.layoutDirection() is Qt.LayoutDirection.RightToLeft
            else 16
        )
        box = QRect(left, 0, _NOTIFICATION_ICON_PX, self.height())
        draw_icon(QPainter(self), self._icon, getattr(self._theme.palette, self._icon_role), box)


class JoinPrompts:
    """Shows one prompt at a time. `is_open`: a join waits for an answer."""

    def __init__(self, theme: Theme, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self.notification_bar = NotificationBar(theme)
        self.is_open = False

    def ask_about_blocker(
        self,
        blocker: JoinBlocker,
        server: int,
        own_versions: Mapping[str, str],
        on_continue: Callable[[], object],
        on_wait: Callable[[], object],
        on_cancel: Callable[[], object],
    ) -> None:
        """Ask about a blocker; one of the three callbacks is called, unless another prompt or `close` comes first."""
        headline, sentence = self._blocker_texts(blocker, server, own_versions)
        self.notification_bar.show_message(
            headline, sentence, *(("clock", "full") if blocker is JoinBlocker.FULL else ("doubt", "warning"))
        )
        waiting = [NotificationButton(_("Wait for a slot"), on_wait)] if blocker is JoinBlocker.FULL else []
        self.notification_bar.show_buttons(
            [*waiting, NotificationButton(_("Join anyway"), on_continue), NotificationButton(_("Cancel"), on_cancel)],
            take_focus=True,
        )
        self.is_open = True

    def show_launch_error(self, error: LaunchError) -> bool:
        """Show what can be done about a game that cannot be started; return False if nothing can."""
        if not isinstance(error, GameNotInstalledError) or not error.url:
            return False
        url = error.url
        self.notification_bar.show_message(
            _("{game} is not installed").format(game=error.name),
            _("You can get it from {url}.").format(url=url),
            "doubt",
            "warning",
        )
        self.notification_bar.show_buttons(
            [
                NotificationButton(_("Open website"), lambda: QDesktopServices.openUrl(QUrl(url))),
                NotificationButton(_("Close"), self.close),
            ]
        )
        return True

    def ask_to_save_password(self, server: int, on_yes: Callable[[], object], on_no: Callable[[], object]) -> None:
        """Ask whether to save the password of a game whose end cannot be noticed."""

        def answer(do: Callable[[], object]) -> None:
            self.close()
            do()

        self.notification_bar.show_message(
            _("Did the password for {server} work?").format(server=server_name(self._catalogue, server)),
            _("Only a working password is saved."),
            "key",
        )
        self.notification_bar.show_buttons(
            [
                NotificationButton(_("Yes, save"), lambda: answer(on_yes)),
                NotificationButton(_("No, discard"), lambda: answer(on_no)),
            ]
        )

    def close(self) -> None:
        """Close the prompt."""
        self.is_open = False
        self.notification_bar.hide_message()

    def _blocker_texts(self, hurdle: JoinBlocker, server: int, own: Mapping[str, str]) -> tuple[str, str]:
        catalogue = self._catalogue
        name = server_name(catalogue, server)
        match hurdle:
            case JoinBlocker.VERSION:
                mine, its = differing_own_version(catalogue, server, own), catalogue.version[server]
                words = _("The server runs {its}, you have {mine}. You may not be able to join.").format(
                    its=its, mine=mine
                )
                return _("{server} has another version").format(server=name), words
            case JoinBlocker.ROOKIES:
                return (
                    _("{server} is for rookies only").format(server=name),
                    _("Experienced players may be rejected."),
                )
            case JoinBlocker.FULL:
                players = server_players_text(catalogue, server)
                return _("{server} is full").format(server=name), _("{players} playing.").format(players=players)
            case JoinBlocker.NO_ANSWER:
                return (
                    _("{server} does not answer").format(server=name),
                    _("Checked again just now. The server may be offline or changing its map."),
                )
