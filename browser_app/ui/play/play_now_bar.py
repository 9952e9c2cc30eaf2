"""The Play Now button with its countdown and texts."""

import enum
from collections.abc import Sequence

from PySide6.QtCore import QElapsedTimer, QEvent, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QStyle, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.number_text import decimal_text
from browser_app.ui.widgets.accessibility import announce, update_texts
from browser_app.ui.widgets.basic_widgets import (
    ElidedLabel,
    PaintedButton,
    draw_box,
    draw_focus_ring,
    draw_icon,
    mirrored_rect,
)
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.buttons import LinkButton
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import join_sentences

PLAY_BUTTON_WIDTH, PLAY_BUTTON_HEIGHT, PLAY_MENU_WIDTH = 136, 40, 26
_TEXT_LEFT, _TEXT_RIGHT = 36, 6
"""Space before and after the text."""


class PlayNowState(enum.Enum):
    """What pressing the button does.

    With no eligible server it keeps looking until cancelled.
    """

    READY = "play now"
    BUSY = "cancel"
    NONE_ELIGIBLE = "nothing eligible"


class PlayNowButton(PaintedButton):
    """Play Now with its menu part, or Cancel in the same place.

    `clicked` is the main part's.

    Signals:
        menu_requested: the menu part was pressed; with the global position of the menu.
    """

    menu_requested = Signal(QPoint)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.state = PlayNowState.NONE_ELIGIBLE
        words = QFontMetrics(self._font()).horizontalAdvance(_("Play Now"))
        self._width = max(PLAY_BUTTON_WIDTH, _TEXT_LEFT + words + _TEXT_RIGHT + PLAY_MENU_WIDTH)
        self.setAccessibleName(_("Play Now"))
        self.menu_button = PlayNowMenuButton(theme, self)
        self.menu_button.clicked.connect(self.open_menu)

    def set_state(self, state: PlayNowState) -> None:
        """Change text and meaning."""
        self.state = state
        busy = state is PlayNowState.BUSY
        self.setAccessibleName(_("Cancel") if busy else _("Play Now"))
        self.menu_button.setHidden(busy)
        self.update()

    def _font(self) -> QFont:
        return self._theme.font(14, QFont.Weight.DemiBold)

    def text_role(self) -> str:
        """Return the colour role of text and icons on the button."""
        return "text3" if self.state is PlayNowState.NONE_ELIGIBLE else "on_accent"

    def sizeHint(self) -> QSize:
        """Return 136 × 40, or wider if the language needs it; equal in every state."""
        return QSize(self._width, PLAY_BUTTON_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the current state."""
        colors, role = self._theme.palette, self.text_role()
        painter = QPainter(self)
        quiet, busy = self.state is PlayNowState.NONE_ELIGIBLE, self.state is PlayNowState.BUSY
        fill = colors.window if quiet else colors.accent
        draw_box(painter, self.rect(), QColor(fill), QColor(colors.border if quiet else colors.accent))
        icon = "close" if busy else "play"
        draw_icon(
            painter,
            icon,
            getattr(colors, role),
            mirrored_rect(self, QRect(12, 0, 16, PLAY_BUTTON_HEIGHT)),
            filled=not busy,
        )
        painter.setPen(colors.color(role))
        painter.setFont(self._font())
        label = _("Cancel") if busy else _("Play Now")
        painter.drawText(
            mirrored_rect(self, QRect(_TEXT_LEFT, 0, self._width - _TEXT_LEFT, PLAY_BUTTON_HEIGHT)),
            int(Qt.AlignmentFlag.AlignVCenter),
            label,
        )
        if not busy:
            line = mirrored_rect(self, QRect(self._width - PLAY_MENU_WIDTH, 1, 1, PLAY_BUTTON_HEIGHT - 2))
            painter.fillRect(line, colors.color("border" if quiet else "accent_line"))
        if self.hasFocus():
            draw_focus_ring(painter, self.rect().adjusted(2, 2, -2, -2), colors.color(role))

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the layout direction."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self.menu_button.update_geometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press on Enter as on Space, without auto-repeat; open the menu on Down."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.click()
        elif event.key() == Qt.Key.Key_Down and self.state is not PlayNowState.BUSY:
            self.open_menu()
        else:
            super().keyPressEvent(event)

    def open_menu(self) -> None:
        """Request the menu below the button."""
        self.menu_requested.emit(self.mapToGlobal(QPoint(0, PLAY_BUTTON_HEIGHT)))


class PlayNowMenuButton(QAbstractButton):
    """The button's trailing part, which opens its menu.

    Down does the same, so it takes no focus.
    """

    def __init__(self, theme: Theme, button: PlayNowButton) -> None:
        super().__init__(button)
        self._theme, self._button = theme, button
        self.update_geometry()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(_("Play Now menu"))

    def update_geometry(self) -> None:
        """Move to the trailing end of the button."""
        whole = QRect(QPoint(0, 0), self._button.sizeHint())
        own = whole.adjusted(whole.width() - PLAY_MENU_WIDTH, 0, 0, 0)
        self.setGeometry(QStyle.visualRect(self._button.layoutDirection(), whole, own))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the chevron; the button has painted the rest."""
        color = getattr(self._theme.palette, self._button.text_role())
        draw_icon(QPainter(self), "down", color, QRect(7, 0, 12, PLAY_BUTTON_HEIGHT))


_COUNTDOWN_FRAME_MS = 33
_NAME_WIDTH = 320
"""Maximum width, so that a long name leaves room for the game."""


class PlayNowBar(QWidget):
    """Shows what Play Now is doing; decides nothing.

    Signals:
        play_requested: the user pressed Play Now.
        cancel_requested: the user pressed Cancel.
        action_requested: the user wants the action offered beside the sentence.
        countdown_finished: the countdown is over; launch now.
    """

    play_requested = Signal()
    cancel_requested = Signal()
    action_requested = Signal()
    countdown_finished = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.button = PlayNowButton(theme)
        self.button.clicked.connect(self._on_button_clicked)
        self._name_label = ElidedLabel(theme, weight=QFont.Weight.DemiBold)
        self._game_label = ElidedLabel(theme, role="text2")
        self.action_button = LinkButton(theme, "")
        self.action_button.clicked.connect(self.action_requested)
        self._sentence_label = ElidedLabel(theme, role="text2", size=12)
        self.action_button.setFixedHeight(self._sentence_label.sizeHint().height())  # so that no text moves
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, interval=_COUNTDOWN_FRAME_MS)
        self._timer.timeout.connect(self._update_countdown)
        self._countdown_text, self._countdown_ms = "", 1.0
        self._build_layout()

    def _build_layout(self) -> None:
        self._game_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # the name comes first
        first = fill_box(QHBoxLayout(), self._name_label, Stretch(self._game_label))
        second = fill_box(QHBoxLayout(), self._sentence_label, self.action_button, Stretch())
        words = fill_box(QVBoxLayout(), Stretch(), first, second, Stretch(), spacing=2)
        fill_box(QHBoxLayout(self), self.button, Stretch(words), spacing=12, margins=(12, 0, 0, 0))

    def show_choice(self, name: str, games: Sequence[str], sentences: Sequence[str]) -> None:
        """Show the server that a press would choose, and what is played there.

        The first that fits of the texts on the game is shown, or none, and the first of the sentences that fits.
        """
        self._show_state(PlayNowState.READY, name, games[0], sentences[0])
        self._game_label.set_shorter_texts((*games[1:], ""))
        self._sentence_label.set_shorter_texts(sentences[1:])

    def show_nothing(self, headline: str, sentence: str, action: str = "") -> None:
        """Show that no server is eligible, why, and the text of an action that helps."""
        self._show_state(PlayNowState.NONE_ELIGIBLE, headline, "", sentence)
        self.action_button.setText(action)
        self.action_button.updateGeometry()
        self.action_button.setVisible(bool(action))

    def show_notice(self, headline: str, sentence: str, *, can_play: bool) -> None:
        """Show the outcome of the last press.

        `can_play`: there is a choice for the next one.
        """
        self._show_state(PlayNowState.READY if can_play else PlayNowState.NONE_ELIGIBLE, headline, "", sentence)
        self._announce_texts()

    def show_busy(self, headline: str, sentence: str) -> None:
        """Show progress; the button cancels."""
        is_new = headline != self._name_label.text()
        self._show_state(PlayNowState.BUSY, headline, "", sentence)
        if is_new:
            self._announce_texts()

    def start_countdown(self, headline: str, sentence: str, seconds: float) -> None:
        """Count down `seconds`, then emit `countdown_finished`.

        The button cancels meanwhile.
        """
        self._show_state(PlayNowState.BUSY, headline, "", sentence)
        self._countdown_text, self._countdown_ms = sentence, seconds * 1000
        self._clock.start()
        self._timer.start()
        self._update_countdown()
        self._announce_texts(is_urgent=True)  # the time to cancel is short

    def add_notice(self, sentence: str) -> None:
        """Add a notice during the countdown."""
        self._countdown_text = join_sentences(self._countdown_text, sentence)
        self._update_countdown()

    def stop_countdown(self) -> None:
        """Stop the countdown without a launch."""
        self._timer.stop()
        self.update()

    @property
    def is_counting_down(self) -> bool:
        """Whether a countdown is running."""
        return self._timer.isActive()

    def shown_texts(self) -> tuple[str, str, str]:
        """Return headline, game and sentence, each in full."""
        return self._name_label.text(), self._game_label.text(), self._sentence_label.text()

    def _show_state(self, state: PlayNowState, name: str, game: str, sentence: str) -> None:
        self._timer.stop()
        self.action_button.hide()
        self.button.set_state(state)
        self._name_label.setText(name)
        self._game_label.setText(game)
        self._game_label.set_shorter_texts(())
        self._sentence_label.setText(sentence)
        self._sentence_label.set_shorter_texts(())
        update_texts(self.button, description=". ".join(filter(None, (name, game, sentence))))
        self._name_label.setMaximumWidth(min(self._name_label.fontMetrics().horizontalAdvance(name) + 2, _NAME_WIDTH))
        self.update()

    def _announce_texts(self, *, is_urgent: bool = False) -> None:
        headline, _game, sentence = self.shown_texts()
        announce(self.button, headline, sentence, is_urgent=is_urgent)

    def _on_button_clicked(self) -> None:
        if self.button.state is PlayNowState.BUSY:
            self.stop_countdown()
            self.cancel_requested.emit()
        else:
            self.play_requested.emit()

    def _update_countdown(self) -> None:
        left = self._countdown_ms - self._clock.elapsed()
        if left <= 0:
            self._timer.stop()
            self.update()
            self.countdown_finished.emit()
            return
        starts = _("Starts in {seconds} s.").format(seconds=decimal_text(left / 1000, 1))
        self._sentence_label.setText(join_sentences(self._countdown_text, starts))
        self._sentence_label.set_shorter_texts((starts,))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the countdown's bar along the lower edge."""
        if self._timer.isActive():
            left = max(0.0, self._countdown_ms - self._clock.elapsed()) / self._countdown_ms
            width = round((self.width() - 12) * left)
            bar = mirrored_rect(self, QRect(12, self.height() - 4, width, 4))
            QPainter(self).fillRect(bar, self._theme.palette.color("accent"))
